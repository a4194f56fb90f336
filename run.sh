#!/usr/bin/env bash
# Installs missing packages, builds Haloscope and starts it with the given arguments.
# Without a display it writes a picture of the window to a file instead.
#   ./run.sh --headless check FILE.cu   builds the command line alone: no window, no OpenGL, no GPU
#   ./run.sh --pages                    builds what exported pages execute kernels with, besides the program
#   ./run.sh --wheel                    builds a Python package of the program, and of what pages execute with
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")"

if [[ ${1:-} == --headless ]]; then
    shift
    app/cmake/install-dependencies.sh headless
    app/cmake/build.sh headless haloscope
    program=$PWD/build/headless/haloscope
    cd "$caller"
    exec "$program" "${@:---help}"
fi

if [[ ${1:-} == --pages ]]; then
    app/cmake/install-dependencies.sh headless pages
    app/cmake/build.sh pages haloscope_module
    echo "haloscope: the module for pages is $PWD/build/pages/haloscope.wasm"
    echo "haloscope: haloscope export stencil/coarsened --html page.html makes a page that executes it"
    exit 0
fi

if [[ ${1:-} == --wheel ]]; then
    app/cmake/install-dependencies.sh run pages wheel
    app/cmake/build.sh pages haloscope_module
    app/cmake/build.sh release haloscope haloscope_wheel
    app/python/build_wheel.py build/release build/pages/haloscope.wasm build/wheel
    echo "haloscope: python3 -m pip install $(echo "$PWD"/build/wheel/haloscope-*.whl) installs it"
    exit 0
fi

app/cmake/install-dependencies.sh run
app/cmake/build.sh release haloscope

program=$PWD/build/release/haloscope
if [[ -z "${DISPLAY:-}" && -z "${WAYLAND_DISPLAY:-}" ]]; then
    shown=
    if (($# == 0)); then
        shown=stencil/tiled
        picture=$PWD/haloscope.png
    elif (($# == 1)) && [[ $1 == *.cu ]]; then
        shown=$1
        picture=$caller/$(basename "$1" .cu).png
    fi
    if [[ -n $shown ]]; then
        echo "haloscope: no display found; drawing a picture of the window instead"
        cd "$caller"
        "$program" render "$shown" --end -o "$picture" || {
            status=$?
            echo "haloscope: error: the picture could not be drawn" >&2
            exit "$status"
        }
        echo "haloscope: the picture is $picture"
        echo "haloscope: without a display, begin with:  $program check FILE.cu"
        exit 0
    fi
fi
cd "$caller"  # file names are relative to the caller's folder
exec "$program" "$@"
