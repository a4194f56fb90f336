#!/usr/bin/env bash
# Runs clang-tidy over Haloscope's own sources (slow: seconds a file). Arguments limit it to files whose path matches.
# Needs a configured build folder (default build/release) for its compile_commands.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${HALOSCOPE_BUILD_DIR:-build/release}
[[ -f "$build/compile_commands.json" ]] || { echo "haloscope: error: $build is not configured" >&2; exit 1; }
pattern=${1:-.}
find app ui tests -name '*.cpp' | { grep -E -- "$pattern" || true; } | tr '\n' '\0' |
    xargs -0 -r -n 1 -P "$(nproc)" clang-tidy-19 --quiet -p "$build" \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument \
        --extra-arg=-Wno-deprecated-declarations
