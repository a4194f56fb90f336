#!/usr/bin/env bash
# Makes a folder that runs on a machine with a GPU and without this tree: the program, the GPU tests, the libraries that
# machine may lack, and kernels, shaders, assets
# and programs in the style of students. NVRTC and the driver are expected there.
#   tests/gpu/pack.sh BUILD FOLDER
set -euo pipefail
build=$(realpath "${1:?usage: pack.sh BUILD FOLDER}")
out=${2:?usage: pack.sh BUILD FOLDER}
here=$(realpath "$(dirname "$0")")
mkdir -p "$out/lib"
for program in haloscope tests/test_gpu; do
  cp "$build/$program" "$out/"
  strip "$out/$(basename "$program")"
  # Not the C library, which must be that machine's own.
  ldd "$build/$program" | awk '$3 ~ "^/" { print $3 }' |
    grep -Ev '/(libc|libm|libdl|libpthread|librt|ld-linux.*)\.so' | xargs -r cp -Lt "$out/lib" --update
done
cp -rL "$build/kernels" "$build/shaders" "$build/assets" "$out/"
cp -rL "$here/../kernels/styles" "$out/"
cp "$here/run.sh" "$here/counters.py" "$out/"
du -sh "$out"
