#!/usr/bin/env bash
# Installs missing packages, builds Haloscope and starts it with the given arguments.
# Without a display it writes a picture of the window to a file instead.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")"

app/cmake/install-dependencies.sh run
app/cmake/build.sh release haloscope

program=build/release/haloscope
program=$PWD/$program
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
