#!/usr/bin/env bash
# Runs clang-tidy on Haloscope's own sources, several seconds a file: tidy.sh [pattern] (only files whose path matches).
# In the preset tidy each file is compiled separately. The preset is configured, but only its OpenGL loader is built.
set -euo pipefail
cd "$(dirname "$0")/../.."
app/cmake/build.sh tidy glad
pattern=${1:-.}
find app ui tests -name '*.cpp' | { grep -E -- "$pattern" || true; } | tr '\n' '\0' |
    xargs -0 -r -n 1 -P "$(nproc)" "clang-tidy-$(<app/cmake/clang-version)" --quiet -p build/tidy \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument \
        --extra-arg=-Wno-deprecated-declarations
