#!/usr/bin/env bash
# Tests Haloscope on a machine with an NVIDIA GPU and writes a report: the GPU tests, every kernel against the reference,
# the kernels' times compared with the GPU's copy, and pictures of the field. Needs Python without packages. Works in the
# bundle with the GPU tests unpacked over it (as share/haloscope/gpu-tests/run.sh), in a folder made by pack.sh, and on a
# build folder.
#   run.sh REPORT [FOLDER]
set -uo pipefail
report=${1:?usage: run.sh REPORT [FOLDER]}
here=$(dirname "$(realpath "$0")")
folder=$(realpath "${2:-$here/../../..}")
mkdir -p "$report"
report=$(realpath "$report")

first() { for file in "$@"; do [ -x "$file" ] && echo "$file" && return; done; }
haloscope=$(first "$folder/bin/haloscope" "$folder/haloscope")
tests=$(first "$folder/bin/test_gpu" "$folder/tests/test_gpu")
[ -n "$haloscope" ] && [ -n "$tests" ] || { echo "no haloscope or no test_gpu below $folder: build first, or name the folder" >&2; exit 2; }
command -v python3 >/dev/null || { echo "python3 is missing" >&2; exit 2; }
runner=$(first "$here/run_tests.py" "$here/../../app/cmake/run_tests.py")
programs=$here/programs.json # of the archive; a build folder has its own
[ -f "$programs" ] || programs=$folder

# NVRTC from the bundle, the CUDA toolkit, or else a Python package.
nvrtc=$(ls "$folder"/lib/haloscope/libnvrtc.so.1? /usr/local/cuda*/lib64/libnvrtc.so.1? 2>/dev/null | tail -1)
[ -n "$nvrtc" ] || nvrtc=$(python3 -c 'import glob, os, nvidia
for place in nvidia.__path__: print(*glob.glob(os.path.join(place, "*", "lib", "libnvrtc.so.1?")), sep="\n")' 2>/dev/null | tail -1)
export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}${nvrtc:+$(dirname "$nvrtc")}"

failed=0
step() { # step NAME COMMAND...: writes the output to the report and shows its last lines
  local name=$1
  shift
  echo "== $name: $*"
  "$@" >"$report/$name.txt" 2>"$report/$name.err"
  local code=$?
  tail -n "${LINES_SHOWN:-12}" "$report/$name.txt"
  [ $code -eq 0 ] || { echo "   exit code $code"; tail -n 5 "$report/$name.err"; failed=1; }
}

{ nvidia-smi || true; echo "NVRTC: ${nvrtc:-on the search path, if anywhere}"; ldd "$haloscope"; } >"$report/machine.txt" 2>&1
# Pictures first: the last tests cause faults on the GPU, after which some drivers stop drawing.
for kernel in stencil/basic stencil/register_tiled convolution/basic; do
  name=field_${kernel//\//_}
  LINES_SHOWN=2 step "$name" "$haloscope" render "$kernel" --field --sweeps 100 -o "$report/$name.png"
done
LINES_SHOWN=2 step block "$haloscope" render stencil/coarsened -o "$report/block.png"
LINES_SHOWN=2 step on_gpu "$haloscope" render stencil/coarsened --on-gpu --plane 3 -o "$report/on_gpu.png"
LINES_SHOWN=2 step tuning "$haloscope" render stencil/tiled --tuning -o "$report/tuning.png"
for bench in Switching TuningFrames; do
  program=$(first "$folder/bin/bench_$bench" "$folder/tests/bench_$bench")
  [ -z "$program" ] || LINES_SHOWN=9 step "bench_$bench" "$program"
done
# One process at a time, because some tests measure; many cases in each, so that a fault ends few of them.
LINES_SHOWN=40 step tests python3 "$runner" "$programs" --label '^gpu$' --jobs 1 --report "$report/tests.xml"
LINES_SHOWN=40 step verify "$haloscope" verify
styles=$folder/share/haloscope/tests/kernels/styles # CUDA programs by other authors
[ -d "$styles" ] || styles=$here/../kernels/styles
LINES_SHOWN=60 step verify_others "$haloscope" verify --no-host "$styles"/*.cu
# Whole programs, launch by launch, with their own data.
programs_of=$folder/share/haloscope/tests
[ -d "$programs_of/programs" ] || programs_of=$here/..
LINES_SHOWN=80 step verify_programs "$haloscope" verify $(sed "s|^|$programs_of/programs/|" "$programs_of/gpu/whole_programs.txt")
step verify_json "$haloscope" verify --json
LINES_SHOWN=40 step bench "$haloscope" bench
LINES_SHOWN=2 step bench_json "$haloscope" bench --json
# If the driver permits reading counters: OP/B four ways, and the emulator's sectors and bank conflicts compared with the
# hardware's.
LINES_SHOWN=40 step counters python3 "$here/counters.py" "$haloscope"
echo "report in $report; $([ $failed -eq 0 ] && echo "all steps passed" || echo "some steps failed")"
exit $failed
