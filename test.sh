#!/usr/bin/env bash
# Builds everything but the benchmarks and runs the tests; the last line is "N passed, N failed, N skipped".
#   ./test.sh                     all tests but the benchmarks, release build
#   ./test.sh -L unit             one label: unit, kernels, running, fuzz, gpu, ui or render
#   ./test.sh -R Catalogue        tests whose name matches; -E: without those (all options: app/cmake/run_tests.py --help)
#   ./test.sh --thorough          all of what is otherwise sampled, as before a release; the last lines say what was left out
#   ./test.sh --preset asan-ubsan the emulator's tests under the sanitizers
#   ./test.sh --preset tsan       what runs in several threads, under ThreadSanitizer
#   ./test.sh --pages             what exported pages execute: builds the module, and runs the tests of pages alone
#   ./test.sh --wheel             the Python package: builds it, and tries it in fresh environments and in Jupyter in Chromium
#   ./test.sh --tidy              clang-tidy over all sources first
set -euo pipefail
cd "$(dirname "$0")"

if [[ ${1:-} == --wheel ]]; then
    app/cmake/install-dependencies.sh wheel-test
    ./run.sh --wheel
    exec tests/python/test_wheel.py build/wheel/haloscope-*.whl
fi

preset=release
targets=(haloscope_tests)
tidy=0
pages=0
arguments=()
while (($# > 0)); do
    case $1 in
        --preset)
            preset=${2:?--preset needs a name}
            shift
            ;;
        --tidy) tidy=1 ;;
        --pages) pages=1 ;;
        *) arguments+=("$1") ;;
    esac
    shift
done

packages=(run test)
if ((pages)); then
    packages+=(pages pages-test)
    targets=(test_pages test_handout)
    arguments=(-L '^(pages|handout)$' "${arguments[@]}")
fi
((tidy)) && packages+=(tidy)
[[ $preset == *san ]] && packages+=(sanitizers)
if [[ $preset == tsan ]]; then
    # The emulator's workers, the pool, and the runners that work beside the window.
    targets=(test_unit test_kernels)
    concurrent='Simt|WarpOrder|Races|RequestShape|Counts|Footprint|Work|[A-Za-z]*(Pool|Worker|Runner)|LiveProgram'
    arguments=(-L '^(unit|kernels)$' -R "^(unit|kernels)\.($concurrent)" "${arguments[@]}")
fi
app/cmake/install-dependencies.sh "${packages[@]}"
app/cmake/build.sh "$preset" "${targets[@]}"
((pages)) && app/cmake/build.sh pages haloscope_module

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
