#!/usr/bin/env bash
# Builds Haloscope (installing what is missing) and starts it; arguments go to the program.
set -euo pipefail
cd "$(dirname "$0")"

app/cmake/install-dependencies.sh run
app/cmake/build.sh release haloscope

program=build/release/haloscope
if (($# == 0)) && [[ -z "${DISPLAY:-}" && -z "${WAYLAND_DISPLAY:-}" ]]; then
    echo "haloscope: there is no display, so no window; drawing a picture instead"
    "$program" render stencil/tiled --step 12 -o haloscope.png || {
        echo "haloscope: error: the picture could not be drawn" >&2
        exit 1
    }
    echo "haloscope: the picture is $PWD/haloscope.png"
    exit 0
fi
exec "$program" "$@"
