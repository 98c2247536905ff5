# Installs the program `lanescope` for Windows: downloads it, compares its checksum, puts it into a folder.
#
#   irm @ADDRESS@/install.ps1 | iex
#
# $env:LANESCOPE_INSTALL: the folder [default: %LOCALAPPDATA%\Programs\lanescope]; $env:LANESCOPE_DOWNLOADS: where the
# release lies [default: the address that this file was released with].
$ErrorActionPreference = 'Stop'
$version = '@VERSION@'
$downloads = if ($env:LANESCOPE_DOWNLOADS) { $env:LANESCOPE_DOWNLOADS } else { '@ADDRESS@' }
$folder = if ($env:LANESCOPE_INSTALL) { $env:LANESCOPE_INSTALL } else { Join-Path $env:LOCALAPPDATA 'Programs\lanescope' }
if (-not [Environment]::Is64BitOperatingSystem) { throw 'lanescope: there is no program for 32-bit Windows' }

$scratch = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory -Path $scratch | Out-Null
try {
  $archive = "lanescope-$version-x86_64-windows.zip"
  Invoke-WebRequest -UseBasicParsing "$downloads/$archive" -OutFile (Join-Path $scratch $archive)
  Invoke-WebRequest -UseBasicParsing "$downloads/SHA256SUMS" -OutFile (Join-Path $scratch 'SHA256SUMS')
  $line = Get-Content (Join-Path $scratch 'SHA256SUMS') | Where-Object { ($_ -split '\s+\*?', 2)[1] -eq $archive }
  if (-not $line) { throw "lanescope: SHA256SUMS does not name $archive" }
  $wanted = ($line -split '\s+')[0]
  $found = (Get-FileHash -Algorithm SHA256 (Join-Path $scratch $archive)).Hash
  if ($found -ne $wanted) { throw "lanescope: $archive is not what SHA256SUMS says; nothing was installed" }
  Expand-Archive (Join-Path $scratch $archive) -DestinationPath $scratch
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
  Move-Item -Force (Join-Path $scratch 'lanescope.exe') (Join-Path $folder 'lanescope.exe')
  Write-Output "lanescope $version is at $(Join-Path $folder 'lanescope.exe')"
  if (($env:PATH -split ';') -notcontains $folder) { Write-Output "Add it to your path: $folder" }
} finally {
  Remove-Item -Recurse -Force $scratch
}
