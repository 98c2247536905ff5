# The Homebrew formula, as a tap has it.
class Lanescope < Formula
  desc "Shows what a warp does to memory: bank conflicts, sectors and their fixes"
  homepage "@HOMEPAGE@"
  version "@PLAIN_VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@ADDRESS@/lanescope-@VERSION@-aarch64-macos.tar.gz"
      sha256 "@SHA256:lanescope-@VERSION@-aarch64-macos.tar.gz@"
    end
    on_intel do
      url "@ADDRESS@/lanescope-@VERSION@-x86_64-macos.tar.gz"
      sha256 "@SHA256:lanescope-@VERSION@-x86_64-macos.tar.gz@"
    end
  end
  on_linux do
    on_arm do
      url "@ADDRESS@/lanescope-@VERSION@-aarch64-linux.tar.gz"
      sha256 "@SHA256:lanescope-@VERSION@-aarch64-linux.tar.gz@"
    end
    on_intel do
      url "@ADDRESS@/lanescope-@VERSION@-x86_64-linux.tar.gz"
      sha256 "@SHA256:lanescope-@VERSION@-x86_64-linux.tar.gz@"
    end
  end

  def install
    bin.install "lanescope"
    generate_completions_from_executable(bin/"lanescope", "completions")
  end

  test do
    assert_match "32-way", shell_output("#{bin}/lanescope expr 'tile[threadIdx.x][0]' --decl 'float tile[32][32]'")
  end
end
