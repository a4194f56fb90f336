#!/usr/bin/env bash
# Installs the program and the GPU tests into a folder that can be copied to a machine with a GPU: the archives of `cpack`
# as a folder, but without NVRTC, which comes with the CUDA toolkit there.
#   tests/gpu/pack.sh BUILD FOLDER
set -euo pipefail
build=${1:?usage: pack.sh BUILD FOLDER}
out=${2:?usage: pack.sh BUILD FOLDER}
for component in program fonts libraries gputests; do
  cmake --install "$build" --prefix "$(realpath -m "$out")" --component "$component" --strip >/dev/null
done
ln -sf share/haloscope/gpu-tests/run.sh "$out/run.sh"
du -sh "$out"
