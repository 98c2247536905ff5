#!/bin/sh
# Installs the program `lanescope` for this machine: downloads it, compares its checksum, puts it into a folder.
#
#   curl --proto '=https' --tlsv1.2 -fsSL @ADDRESS@/install.sh | sh
#
# LANESCOPE_INSTALL: the folder [default: ~/.local/bin]; LANESCOPE_DOWNLOADS: where the release lies [default: the address
# that this file was released with].
set -eu

version='@VERSION@'
downloads="${LANESCOPE_DOWNLOADS:-@ADDRESS@}"
folder="${LANESCOPE_INSTALL:-$HOME/.local/bin}"

fail() {
  echo "lanescope: $1" >&2
  exit 1
}

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=macos ;;
  *) fail "there is no program for $(uname -s); build it with \`cargo install --path crates/cli\`" ;;
esac
case "$(uname -m)" in
  x86_64 | amd64) machine=x86_64 ;;
  aarch64 | arm64) machine=aarch64 ;;
  *) fail "there is no program for $(uname -m); build it with \`cargo install --path crates/cli\`" ;;
esac

if command -v curl >/dev/null 2>&1; then
  fetch() { curl -fsSL "$1" -o "$2"; }
elif command -v wget >/dev/null 2>&1; then
  fetch() { wget -qO "$2" "$1"; }
else
  fail "neither curl nor wget is here"
fi
if command -v sha256sum >/dev/null 2>&1; then
  checksum() { sha256sum "$1" | cut -d ' ' -f 1; }
elif command -v shasum >/dev/null 2>&1; then
  checksum() { shasum -a 256 "$1" | cut -d ' ' -f 1; }
else
  fail "neither sha256sum nor shasum is here, so that nothing could be checked"
fi

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT INT TERM
archive="lanescope-$version-$machine-$system.tar.gz"
fetch "$downloads/$archive" "$scratch/$archive" || fail "could not download $downloads/$archive"
fetch "$downloads/SHA256SUMS" "$scratch/SHA256SUMS" || fail "could not download $downloads/SHA256SUMS"
wanted="$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' "$scratch/SHA256SUMS")"
[ -n "$wanted" ] || fail "SHA256SUMS does not name $archive"
[ "$(checksum "$scratch/$archive")" = "$wanted" ] || fail "$archive is not what SHA256SUMS says; nothing was installed"

tar -xzf "$scratch/$archive" -C "$scratch" lanescope
mkdir -p "$folder"
# A program that runs keeps its old file.
mv -f "$scratch/lanescope" "$folder/lanescope.new"
chmod 755 "$folder/lanescope.new"
mv -f "$folder/lanescope.new" "$folder/lanescope"
echo "lanescope $version is at $folder/lanescope"
case ":$PATH:" in
  *":$folder:"*) ;;
  *) echo "Add it to your path: export PATH=\"$folder:\$PATH\"" ;;
esac
