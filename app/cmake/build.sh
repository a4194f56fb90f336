#!/usr/bin/env bash
# Configures (only when needed) and builds a preset: build.sh <preset> [<target>...]. Ninja shows the progress.
set -euo pipefail
cd "$(dirname "$0")/../.."
preset=$1
shift

fail() {
    echo "haloscope: error: $*" >&2
    exit 1
}

# A folder moved or copied with its build would be refused by CMake with a page of text: such a build starts anew.
cache=build/$preset/CMakeCache.txt
if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$cache"; then
    rm -rf "build/$preset"
fi
# Ninja configures again by itself when a CMake file changes; CMakePresets.json it does not watch.
if [[ ! -f build/$preset/build.ninja || CMakePresets.json -nt build/$preset/build.ninja ]]; then
    echo "haloscope: configuring build/$preset"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    cmake --preset "$preset" >"$log" || {
        cat "$log" >&2
        fail "configuring failed"
    }
fi
targets=()
(($# > 0)) && targets=(--target "$@")
cmake --build --preset "$preset" "${targets[@]}" || fail "the build failed"
