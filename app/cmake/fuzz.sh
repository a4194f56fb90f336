#!/usr/bin/env bash
# Runs a fuzzer: fuzz.sh [seconds] [kernels|headers|host|program|log|answer|programs|differences] (default: 60 seconds of kernels).
#   kernels, headers  opening a kernel file: coverage-guided, from the repository's kernels
#   host              the messages of a program's host process: coverage-guided, from recorded sessions of tests/programs
#   program           programs in their stored form, read, executed and recorded: coverage-guided, from the repository's
#   log               logs of blocks as a GPU writes them, read back: coverage-guided, from those of the repository's
#   answer            what the compiler's process says of a text: coverage-guided, from the repository's
#   programs          whole programs, changed and run with their host process (tests/fuzz/programs.py), SEED=0
#   differences       programs in their stored form, changed, as machine code and on the emulator, SEED=0
# All but the last two keep their corpus in build/fuzz/corpus-* for the next run. Inputs that crash, leak or hang are written
# to build/fuzz/found-*; `build/fuzz/fuzz_kernels -minimize_crash=1 FILE` makes one smaller, which then belongs in
# tests/fuzz/regressions.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
part=${2:-kernels}
[[ $part =~ ^(kernels|headers|host|program|log|answer|programs|differences)$ ]] ||
    { echo "haloscope: error: fuzz.sh: there is no fuzzer '$part'" >&2; exit 1; }

found=build/fuzz/found-$part
haloscope=build/release/haloscope
if [[ $part == host || $part == programs ]]; then app/cmake/build.sh release haloscope; fi
if [[ $part == programs ]]; then
    exec tests/fuzz/programs.py "$haloscope" --seconds "$seconds" --seed "${SEED:-0}" --found "$found"
fi
if [[ $part == differences ]]; then
    app/cmake/build.sh release test_fuzz
    HALOSCOPE_FUZZ_SECONDS=$seconds HALOSCOPE_FUZZ_SEED=${SEED:-0} exec build/release/tests/test_fuzz \
        --gtest_filter='MachineCode.*'
fi

app/cmake/install-dependencies.sh run sanitizers
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "fuzz_$part"

corpus=build/fuzz/corpus-$part
seeds=build/fuzz/seeds
options=(-max_total_time="$seconds" -rss_limit_mb=2048 -len_control=0 -artifact_prefix="$found/" -print_final_stats=1)
mkdir -p "$corpus" "$found"
if [[ $part == host ]]; then
    seeds=build/fuzz/sessions
    mkdir -p "$seeds"
    build/fuzz/fuzz_host record "$haloscope" "$seeds" tests/programs/*.cu
    exec build/fuzz/fuzz_host "${options[@]}" -timeout=30 -max_len=150000 "$corpus" "$seeds"
fi
if [[ $part =~ ^(program|log|answer)$ ]]; then
    app/cmake/build.sh release fuzz_seeds
    seeds=build/fuzz/stored
    build/release/fuzz_seeds "$seeds" kernels/*/*.cu tests/kernels/styles/*.cu assets/buglab/*/*.cu 2>"$found/not-recorded.txt"
    exec "build/fuzz/fuzz_$part" "${options[@]}" -timeout=30 -max_len=150000 "$corpus" "$seeds/${part}s"
fi
mkdir -p "$seeds"
find kernels tests/kernels/styles tests/fuzz/regressions assets/buglab -name '*.cu' -print0 |
    while IFS= read -r -d '' file; do cp -- "$file" "$seeds/${file//\//_}"; done

exec "build/fuzz/fuzz_$part" "${options[@]}" -timeout=60 -max_len=12000 -dict=tests/fuzz/cuda.dict "$corpus" "$seeds"
