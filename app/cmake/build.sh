#!/usr/bin/env bash
# Configures a preset if necessary, and builds it: build.sh <preset> [<target>...].
set -euo pipefail
cd "$(dirname "$0")/../.."
preset=$1
shift

fail() {
    echo "haloscope: error: $*" >&2
    exit 1
}

# CMake refuses a build folder that was moved or copied with its source tree: start again.
cache=build/$preset/CMakeCache.txt
if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$cache"; then
    rm -rf "build/$preset"
fi
# Ninja configures again when a CMake file changes, but does not watch CMakePresets.json.
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
