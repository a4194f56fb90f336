#!/usr/bin/env bash
# Installs the program and the GPU tests into a folder that runs on a machine with a GPU and without this tree: the
# bundle of `cpack`, as a folder, and without NVRTC, which a machine with the toolkit has.
#   tests/gpu/pack.sh BUILD FOLDER
set -euo pipefail
build=${1:?usage: pack.sh BUILD FOLDER}
out=${2:?usage: pack.sh BUILD FOLDER}
for component in program fonts libraries gputests; do
  cmake --install "$build" --prefix "$(realpath -m "$out")" --component "$component" --strip >/dev/null
done
ln -sf share/haloscope/gpu-tests/run.sh "$out/run.sh"
du -sh "$out"
