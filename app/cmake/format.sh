#!/usr/bin/env bash
# Formats Haloscope's C++ files with .clang-format. With --check, changes nothing and fails if a file would change.
# Kernels are not formatted: their line breaks are chosen for the reader.
set -euo pipefail
cd "$(dirname "$0")/../.."
action=(-i)
[[ "${1:-}" == "--check" ]] && action=(--dry-run --Werror)
find app ui tests \( -name '*.cpp' -o -name '*.h' \) -print0 | xargs -0 -r -n 8 -P "$(nproc)" "clang-format-$(<app/cmake/clang-version)" "${action[@]}"
