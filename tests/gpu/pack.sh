#!/usr/bin/env bash
# Installs the program and the GPU tests into a folder, and packs it to copy it to a machine with a GPU: the archives of
# `cpack` as one, but without NVRTC, which comes with the CUDA toolkit there. At most 64 MiB.
#   tests/gpu/pack.sh BUILD FOLDER     writes FOLDER and FOLDER.tar.xz
set -euo pipefail
build=${1:?usage: pack.sh BUILD FOLDER}
out=$(realpath -m "${2:?usage: pack.sh BUILD FOLDER}")
for component in program fonts libraries gputests; do
  cmake --install "$build" --prefix "$out" --component "$component" --strip >/dev/null
done
ln -sfn share/haloscope/gpu-tests/run.sh "$out/run.sh"
tar -C "$(dirname "$out")" --owner=0 --group=0 -c "$(basename "$out")" | xz --threads=0 >"$out.tar.xz"
bytes=$(stat -c %s "$out.tar.xz")
limit=$((64 << 20))
echo "$out.tar.xz: $(((bytes * 10 >> 20) / 10)).$(((bytes * 10 >> 20) % 10)) MiB, limit $((limit >> 20)) MiB"
((bytes <= limit)) || { echo "$out.tar.xz is too large" >&2; exit 1; }
