#!/usr/bin/env bash
# Builds everything but the benchmarks and runs the tests; the last line is "N passed, N failed, N skipped".
#   ./test.sh                     all tests but the benchmarks, release build
#   ./test.sh -L unit             one label: unit, kernels, running, fuzz, gpu, ui or render
#   ./test.sh -R Catalogue        tests whose name matches; -E: without those (all options: app/cmake/run_tests.py --help)
#   ./test.sh --thorough          also those of which the rest is a sample, as before a release
#   ./test.sh --preset asan-ubsan the emulator's tests under the sanitizers
#   ./test.sh --tidy              clang-tidy over all sources first
set -euo pipefail
cd "$(dirname "$0")"

preset=release
tidy=0
arguments=()
while (($# > 0)); do
    case $1 in
        --preset)
            preset=${2:?--preset needs a name}
            shift
            ;;
        --tidy) tidy=1 ;;
        *) arguments+=("$1") ;;
    esac
    shift
done

packages=(run test)
((tidy)) && packages+=(tidy)
[[ $preset == asan-ubsan ]] && packages+=(sanitizers)
app/cmake/install-dependencies.sh "${packages[@]}"
app/cmake/build.sh "$preset" haloscope_tests

if ((tidy)); then
    app/cmake/tidy.sh || {
        echo "haloscope: error: clang-tidy has findings" >&2
        exit 1
    }
fi

# The window's tests need a display: without one, start a virtual one.
display=()
if [[ -z "${DISPLAY:-}" && -z "${WAYLAND_DISPLAY:-}" ]]; then
    display=(xvfb-run --auto-servernum --server-args "-screen 0 1280x720x24 +extension GLX")
fi

exec "${display[@]}" app/cmake/run_tests.py "build/$preset" "${arguments[@]}"
