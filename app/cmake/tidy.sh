#!/usr/bin/env bash
# Runs clang-tidy over Haloscope's own sources (slow: seconds a file). Arguments limit it to files whose path matches.
# The preset tidy says how each file is compiled by itself; it is configured, and only the OpenGL loader in it is built.
set -euo pipefail
cd "$(dirname "$0")/../.."
app/cmake/build.sh tidy glad
pattern=${1:-.}
find app ui tests -name '*.cpp' | { grep -E -- "$pattern" || true; } | tr '\n' '\0' |
    xargs -0 -r -n 1 -P "$(nproc)" clang-tidy-19 --quiet -p build/tidy \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument \
        --extra-arg=-Wno-deprecated-declarations
