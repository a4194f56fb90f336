#!/usr/bin/env bash
# Installs the missing Debian packages for building the command line (headless) or all of Haloscope (run), what exported
# pages execute (pages), a Python package (wheel), testing (test), linting (tidy) or sanitizing (sanitizers) it.
# Usage: install-dependencies.sh headless|run|pages|pages-test|wheel|wheel-test|test|tidy|sanitizers...
set -euo pipefail

fail() {
    echo "haloscope: error: $*" >&2
    exit 1
}

clang=$(<"$(dirname "$0")/clang-version")
# Debian 12 and 13 have all of these under one name; what a later release renames is told apart here.
headless_packages=(
    g++ "clang-$clang" cmake ninja-build ccache lld
    python3 python3-pip                                         # fetches the bundle that md4c and ImGui come in
    "libclang-$clang-dev" "llvm-$clang-dev" zlib1g-dev libzstd-dev  # Clang as a library, and its dependencies
    libfmt-dev nlohmann-json3-dev libyaml-cpp-dev libcli11-dev libstb-dev
    libseccomp-dev                                              # confines a stranger's host code
    libgif-dev                                                  # exports animations
    libpango1.0-dev pkg-config                                  # worksheets: cairo's PDF, texts set with Pango
    fonts-inter fonts-jetbrains-mono fonts-noto-cjk
    libharfbuzz-bin                                             # cuts the Chinese characters out of Noto
    gettext                                                     # compiles the translations
)
run_packages=(
    "${headless_packages[@]}"
    python3-glad                                                # generates the OpenGL loader
    libglfw3-dev libglm-dev libegl-dev libgl-dev libopengl-dev
    libegl1 libgl1 libgl1-mesa-dri                              # Mesa's renderer, for machines without a GPU
    libgtest-dev libgmock-dev                                   # run.sh and test.sh use one configuration
)
test_packages=("clang-format-$clang" xvfb xauth xdotool chromium poppler-utils)
pages_packages=(
    "lld-$clang" "llvm-$clang" "libclang-rt-$clang-dev-wasm32"
    "libc++-$clang-dev-wasm32" "libc++abi-$clang-dev-wasm32" wasi-libc
)
wheel_packages=(binutils patchelf)                              # readelf; what is bundled does with an older C library
wheel_test_packages=(python3-venv chromium)
pages_test_packages=(nodejs firefox-esr)                        # executes the module without a page; drives the browsers
tidy_packages=("clang-tidy-$clang")
sanitizers_packages=("clang-$clang" "libclang-rt-$clang-dev")  # the fuzzers', too

wanted=()
for set in "$@"; do
    case $set in
        headless) wanted+=("${headless_packages[@]}") ;;
        run) wanted+=("${run_packages[@]}") ;;
        pages) wanted+=("${pages_packages[@]}") ;;
        pages-test) wanted+=("${pages_test_packages[@]}") ;;
        test) wanted+=("${test_packages[@]}") ;;
        wheel) wanted+=("${wheel_packages[@]}") ;;
        wheel-test) wanted+=("${wheel_test_packages[@]}") ;;
        tidy) wanted+=("${tidy_packages[@]}") ;;
        sanitizers) wanted+=("${sanitizers_packages[@]}") ;;
        *) fail "install-dependencies.sh: there is no package set '$set' (headless, run, pages, pages-test, wheel, wheel-test, test, tidy, sanitizers)" ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "haloscope: not a Debian-like system; install the equivalents of these packages: ${wanted[*]}"
    exit 0
fi

installed=$(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^.i. *//p' || true)
missing=()
for package in "${wanted[@]}"; do
    grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
((${#missing[@]} == 0)) && exit 0

as_root=()
if ((EUID != 0)); then
    command -v sudo >/dev/null || fail "as root, run: apt-get install ${missing[*]}"
    as_root=(sudo)
fi
echo "haloscope: installing ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0)
"${apt[@]}" update || fail "apt-get update failed"
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" || fail "apt-get could not install: ${missing[*]}"
