"""What the package's functions say is what the command says."""

import json
import subprocess
from pathlib import Path

import haloscope

RACE = """__global__ void blur(const float* in, float* out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = in[i];
  if (threadIdx.x > 0) out[i] = tile[threadIdx.x - 1] + tile[threadIdx.x];
}
"""


def printed(*command: str) -> object:
    done = subprocess.run([haloscope.program(), *command, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)


def timeless(rows: list) -> list:
    return [{name: value for name, value in row.items() if name not in ("seconds", "file")} for row in rows]


Path("blur.cu").write_text(RACE)
rows = haloscope.check(RACE)
assert rows[0]["verdict"]["kind"] == "fault", rows
assert rows[0]["findings"][0]["kind"] == "race-shared", rows
assert timeless(haloscope.check("blur.cu")) == timeless(printed("check", "blur.cu"))
assert haloscope.count("stencil/tiled", IN_TILE_DIM=8) == printed("count", "stencil/tiled", "-D", "IN_TILE_DIM=8")
assert haloscope.ask("stencil/tiled", "block.loads", IN_TILE_DIM=8) == 512
assert isinstance(haloscope.ask("stencil/tiled", "block.loads / block.outputs"), float)

fields = haloscope.arrays("stencil/tiled", N=24)
assert {field.shape for field in fields.values()} == {(24, 24, 24)}, {name: field.shape for name, field in fields.items()}
assert fields["out"].dtype.name == "float32"
here = haloscope.ask("stencil/tiled", "value(out, 3, 4, 5)", N=24)
assert float(fields["out"][3, 4, 5]) == here, (fields["out"][3, 4, 5], here)

main = RACE + """#include <cstdio>
int main() { float *a, *b; cudaMalloc(&a, 256); cudaMalloc(&b, 256); cudaMemset(a, 0, 256);
  blur<<<1, 64>>>(a, b, 64); cudaDeviceSynchronize(); std::printf("done\\n"); }
"""
assert haloscope.run(main)["output"] == "done\n"

page = haloscope.block("stencil/coarsened", IN_TILE_DIM=8)
assert "Content-Security-Policy" in page.page and len(page.page) > 1_000_000  # the module is in it
assert page._repr_html_().startswith("<iframe ")
page.save("page.html")
assert Path("page.html").read_text() == page.page

for wrong, status in ((lambda: haloscope.ask("stencil/tild", "block.loads"), 2),
                      (lambda: haloscope.check("nowhere.cu"), 2),
                      (lambda: haloscope.count("stencil/tiled", IN_TILE_DIM=0), 2)):
    try:
        said = wrong()
    except haloscope.HaloscopeError as error:
        assert error.status == status and str(error) and "\n" not in str(error), error
    else:
        assert said[0]["verdict"]["kind"] not in ("right", "fault"), said
