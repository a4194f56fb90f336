#!/usr/bin/env bash
# Tests an unpacked bundle as on a machine without anything Haloscope was built with. Needs root: first in a root folder
# that contains only the bundle, the C library and /proc; then with this machine's OpenGL, but without its CUDA toolkit,
# its fonts and the source tree. Prints where each library is loaded from.
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
inside() { # inside COMMAND...: in the bare root folder, with an empty environment
  unshare --mount bash -c 'root=$1; bundle=$2; shift 2
    mount --bind "$bundle" "$root/opt/haloscope"; mount -t proc proc "$root/proc"
    exec env -i HOME=/tmp "$(command -v chroot || echo /usr/sbin/chroot)" "$root" "$@"' inside "$root" "$bundle" "$@"
}
echo "== libraries in a bare root folder"
inside /lib64/ld-linux-x86-64.so.2 --list /opt/haloscope/bin/haloscope
inside /opt/haloscope/bin/haloscope --version
inside /opt/haloscope/bin/haloscope verify stencil/tiled convolution/basic
inside /opt/haloscope/bin/haloscope count stencil/tiled

echo "== the window, with only this machine's OpenGL"
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
