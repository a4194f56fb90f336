#!/usr/bin/env bash
# Tries an unpacked bundle as on a machine that has nothing of what Haloscope was built with: as root, in a root folder
# that holds the bundle, the C library and /proc, and nothing else; then with this machine's OpenGL, but without its
# CUDA toolkit, its fonts, and the tree. Says which libraries come from where.
#   tests/gpu/try-bundle.sh FOLDER
set -euo pipefail
bundle=$(realpath "${1:?usage: try-bundle.sh FOLDER}")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

mkdir -p "$root"/{lib64,lib/x86_64-linux-gnu,proc,tmp,dev,opt/haloscope}
cp -L /lib64/ld-linux-x86-64.so.2 "$root/lib64/"
for library in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1; do
  cp -L "/lib/x86_64-linux-gnu/$library" "$root/lib/x86_64-linux-gnu/"
done
inside() { # inside COMMAND...: in the bare root folder, without any variable of the calling shell
  unshare --mount bash -c 'root=$1; bundle=$2; shift 2
    mount --bind "$bundle" "$root/opt/haloscope"; mount -t proc proc "$root/proc"
    exec env -i HOME=/tmp "$(command -v chroot || echo /usr/sbin/chroot)" "$root" "$@"' inside "$root" "$bundle" "$@"
}
echo "== libraries in a bare root folder"
inside /lib64/ld-linux-x86-64.so.2 --list /opt/haloscope/bin/haloscope
inside /opt/haloscope/bin/haloscope --version
inside /opt/haloscope/bin/haloscope verify stencil/tiled convolution/basic
inside /opt/haloscope/bin/haloscope count stencil/tiled

echo "== the window, with this machine's OpenGL alone"
picture=$root/tmp/window.png
unshare --mount bash -c 'bundle=$1; picture=$2; copy=$(mktemp -d)
  mount --bind "$bundle" "$copy"
  for hidden in /usr/local/cuda* /usr/share/fonts /usr/lib/llvm-* /work; do
    [ -d "$hidden" ] && [ ! -L "$hidden" ] && mount -t tmpfs none "$hidden"
  done
  env -i HOME=/tmp LD_DEBUG=libs LD_DEBUG_OUTPUT="$picture.libs" "$copy/bin/haloscope" render stencil/tiled --end -o "$picture"
  ' outside "$bundle" "$picture"
echo "fonts and picture: $(stat -c %s "$picture") bytes"
cat "$picture".libs* | sed -n 's/.*calling init: //p' | sort -u
[ -z "${2:-}" ] || cp "$picture" "$2"
