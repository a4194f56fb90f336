#!/usr/bin/env bash
# Builds Haloscope (installing what is missing) and starts it; arguments go to the program.
# Without a display it draws a picture of what the window would show.
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
        echo "haloscope: there is no display, so no window; drawing a picture instead"
        cd "$caller"
        "$program" render "$shown" --end -o "$picture" || {
            status=$?
            echo "haloscope: error: the picture could not be drawn" >&2
            exit "$status"
        }
        echo "haloscope: the picture is $picture"
        exit 0
    fi
fi
cd "$caller"  # files are named from where the command was given
exec "$program" "$@"
