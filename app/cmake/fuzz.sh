#!/usr/bin/env bash
# Runs a coverage-guided fuzzer on opening kernel files: fuzz.sh [seconds] [kernels|headers] (default: 60 seconds of
# kernels). It starts from the repository's kernels and keeps its corpus in build/fuzz/corpus-* for the next run. Inputs
# that crash, leak or hang are written to build/fuzz/found-*; `build/fuzz/fuzz_kernels -minimize_crash=1 FILE` makes one
# smaller, which then belongs in tests/fuzz/regressions.
# Needs clang-19 and libclang-rt-19-dev.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
part=${2:-kernels}
[[ $part == kernels || $part == headers ]] || { echo "haloscope: error: fuzz.sh: there is no fuzzer '$part'" >&2; exit 1; }

app/cmake/install-dependencies.sh run fuzz
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "fuzz_$part"

corpus=build/fuzz/corpus-$part
found=build/fuzz/found-$part
seeds=build/fuzz/seeds
mkdir -p "$corpus" "$found" "$seeds"
find kernels tests/kernels/styles tests/fuzz/regressions assets/buglab -name '*.cu' -print0 |
    while IFS= read -r -d '' file; do cp -- "$file" "$seeds/${file//\//_}"; done

exec "build/fuzz/fuzz_$part" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=12000 -len_control=0 \
    -dict=tests/fuzz/cuda.dict -artifact_prefix="$found/" -print_final_stats=1 "$corpus" "$seeds"
