#!/usr/bin/env bash
# Formats Haloscope's C++ files with .clang-format; with --check changes nothing and fails when a file would change.
# Kernels are left as they are: their line breaks are made for the reader, not by a tool.
set -euo pipefail
cd "$(dirname "$0")/../.."
action=(-i)
[[ "${1:-}" == "--check" ]] && action=(--dry-run --Werror)
find app ui tests \( -name '*.cpp' -o -name '*.h' \) -print0 | xargs -0 -r -n 8 -P "$(nproc)" clang-format-19 "${action[@]}"
