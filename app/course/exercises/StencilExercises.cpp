#include "exercises/Exercise.h"
#include "language/Text.h"

/// Exercises about stencils: points, blocks, tiles, planes, registers.
namespace haloscope::exercises {

namespace {

Field gridEdge(const char* value) {
  return {"N", trMark("edge of the grid, with its boundary"), value, 3, 1'000'000, 8, 24};
}
Field tileEdge(const char* value, std::int64_t largest) {
  return {"T", trMark("edge of the input tile, which is that of a block"), value, 3, 1'000, 4, largest};
}

constexpr const char* kInteriorOnly = trMark(
    "Counted over the N − 2 points of the interior alone. The kernel's tiles begin at the boundary, which it does "
    "not compute, so that it may need one block more along an axis.");

const Step kOutputEdge = {"O", "T - 2", trMark("edge of the output tile: one halo cell on each side")};

}  // namespace

std::vector<Exercise> stencilExercises() {
  std::vector<Exercise> list;

  list.push_back(
      {.id = "stencil-basic",
       .title = trMark("A sweep of the basic stencil"),
       .lesson = "basic-stencil",
       .section = "8.2",
       .task = trMark("A 7-point stencil on a grid of N × N × N points, boundary included; a block has B × B × B "
                      "threads, one for each point."),
       .fields = {gridEdge("120"), {"B", trMark("edge of a block"), "8", 1, 10, 4, 8}},
       .conditions = {},
       .executors = {{"stencil/basic", "", {{"N", "N"}, {"BLOCK_X", "B"}, {"BLOCK_Y", "B"}, {"BLOCK_Z", "B"}}}},
       .parts = {{"points",
                  trMark("How many output points does a sweep compute?"),
                  "outputs",
                  {{"edge", "N - 2", trMark("the boundary keeps its value")}, {"points", "edge ^ 3", ""}}},
                 {"blocks",
                  trMark("How many blocks does the grid have?"),
                  "executed.blocks",
                  {{"along_x", "ceil(N / B)", trMark("blocks along an axis: the last one may be cut")},
                   {"blocks", "along_x ^ 3", trMark("the same along y and z")}}},
                 {"idle",
                  trMark("How many threads of the grid write no output?"),
                  "executed.threads - outputs",
                  {{"threads", "(ceil(N / B) * B) ^ 3", trMark("threads of all blocks")},
                   {"idle", "threads - (N - 2) ^ 3", trMark("those on the boundary and those beyond the grid")}}},
                 {"op-per-byte",
                  trMark("How many operations per byte loaded from global memory?"),
                  "op_per_byte.grid",
                  {{"operations", "7 + 6", trMark("7 multiplications and 6 additions per point")},
                   {"bytes", "7 * 4", trMark("7 loads of 4 bytes")},
                   {"op_per_byte", "operations / bytes", trMark("whatever the sizes")}}}},
       .picture = {"kept_points", trMark("points that keep their value"), ""}});

  list.push_back(
      {.id = "stencil-tiled",
       .title = trMark("A stencil's tile in shared memory"),
       .lesson = "stencil-tile",
       .section = "8.3",
       .task = trMark("A 7-point stencil on a grid of N × N × N points; a block loads an input tile of T × T × T and "
                      "computes the points inside it."),
       .fields = {gridEdge("120"), tileEdge("8", 10)},
       .conditions = {{"T <= 10", trMark("A block has at most 1024 threads: T must not exceed 10.")}},
       .executors = {{"stencil/tiled", "", {{"N", "N"}, {"IN_TILE_DIM", "T"}}}},
       .parts = {{"blocks",
                  trMark("How many blocks does the grid have?"),
                  "executed.blocks",
                  {kOutputEdge,
                   {"along_x", "ceil(N / O)", trMark("output tiles along an axis")},
                   {"blocks", "along_x ^ 3", trMark("the same along y and z")}},
                  {{"of_interior", "ceil((N - 2) / (T - 2)) ^ 3", kInteriorOnly}}},
                 {"shared",
                  trMark("How many bytes of shared memory does a block need?"),
                  "block.shared_bytes",
                  {{"shared", "T ^ 3 * 4", trMark("the input tile, 4 bytes per point")}}},
                 {"idle",
                  trMark("How many threads of an interior block write no output?"),
                  "block.idle",
                  {kOutputEdge, {"idle", "T ^ 3 - O ^ 3", trMark("those that load halo cells")}}},
                 {"unused",
                  trMark("How many points of its input tile does an interior block load without using them?"),
                  "block.unused",
                  {kOutputEdge,
                   {"needed", "O ^ 3 + 6 * O ^ 2", trMark("the output tile and a layer on each of 6 faces")},
                   {"unused", "T ^ 3 - needed", trMark("edges and corners, which a star does not reach")}}},
                 {"op-per-byte",
                  trMark("How many operations per byte loaded from global memory, for a block in the interior?"),
                  "op_per_byte.block",
                  {kOutputEdge,
                   {"operations", "O ^ 3 * 13", trMark("7 multiplications and 6 additions per output")},
                   {"bytes", "T ^ 3 * 4", trMark("each point of the input tile once, 4 bytes each")},
                   {"op_per_byte", "operations / bytes", ""}}}},
       .picture = {"idle_threads", trMark("threads that write no output"), ""}});

  list.push_back(
      {.id = "stencil-coarsened",
       .title = trMark("Coarsening by any number of planes"),
       .lesson = "coarsening",
       .section = "8.4",
       .task = trMark("A 7-point stencil on a grid of N × N × N points; a block of T × T threads computes Z planes one "
                      "after another, with three planes of its input tile in shared memory."),
       .fields = {gridEdge("120"),
                  tileEdge("32", 12),
                  {"Z", trMark("coarsening factor: output planes of a block"), "16", 1, 1'000, 2, 12}},
       .conditions = {{"T <= 32", trMark("A block has at most 1024 threads: T must not exceed 32.")}},
       .executors = {{"exercise/coarsened", "", {{"N", "N"}, {"IN_TILE_DIM", "T"}, {"PLANES", "Z"}}}},
       .parts = {{"blocks",
                  trMark("How many blocks does the grid have?"),
                  "executed.blocks",
                  {kOutputEdge,
                   {"along_x", "ceil(N / O)", trMark("output tiles along x, and along y")},
                   {"along_z", "ceil(N / Z)", trMark("each block computes Z planes")},
                   {"blocks", "along_x ^ 2 * along_z", ""}},
                  {{"of_interior", "ceil((N - 2) / (T - 2)) ^ 2 * ceil((N - 2) / Z)", kInteriorOnly},
                   {"figure_8_10", "ceil(N / (T - 2)) ^ 3",
                    trMark("The kernel of figure 8.10 has no factor of its own: a block computes T − 2 "
                           "planes.")}}},
                 {"input-tile",
                  trMark("How many points does an interior block load in its lifetime?"),
                  "block.loads",
                  {{"planes", "Z + 2", trMark("its output planes, one before and one after")},
                   {"loads", "T ^ 2 * planes", trMark("each plane of the input tile once")}}},
                 {"output-tile",
                  trMark("How many outputs does an interior block compute in its lifetime?"),
                  "block.outputs",
                  {kOutputEdge, {"outputs", "O ^ 2 * Z", trMark("the inner threads, in each plane")}}},
                 {"iterations",
                  trMark("How many times does a thread go through the loop over the planes?"),
                  "block.planes",
                  {{"iterations", "Z", trMark("once for each plane")}}},
                 {"shared",
                  trMark("How many bytes of shared memory does a block need?"),
                  "block.shared_bytes",
                  {{"plane", "T ^ 2 * 4", trMark("a plane of the input tile, 4 bytes per point")},
                   {"shared", "3 * plane", trMark("the previous, the current and the next one")}}},
                 {"op-per-byte",
                  trMark("How many operations per byte loaded from global memory, for a block in the interior?"),
                  "op_per_byte.block",
                  {kOutputEdge,
                   {"operations", "O ^ 2 * Z * 13", trMark("7 multiplications and 6 additions per output")},
                   {"bytes", "T ^ 2 * (Z + 2) * 4", trMark("each point of the input tile once, 4 bytes each")},
                   {"op_per_byte", "operations / bytes", ""}}}},
       .picture = {"idle_threads", trMark("threads that write no output"), ""}});

  const auto registerTiled = [](const char* kernel, const char* when) {
    return Executor{kernel, when, {{"N", "2 * T"}, {"IN_TILE_DIM", "T"}}};
  };
  list.push_back(
      {.id = "register-tiling",
       .title = trMark("Planes in registers"),
       .lesson = "register-tiling",
       .section = "8.5",
       .task =
           trMark("A star stencil of order R, R points on each side along each axis. A block of T × T threads moves "
                  "through the planes; a thread keeps the points before and after its own in registers, and only "
                  "the current plane is in shared memory."),
       .fields = {{"R", trMark("order of the stencil"), "1", 1, 99, 1, 3}, tileEdge("12", 14)},
       .conditions = {{"T > 2 * R", trMark("The tile has no room for an output: T must exceed 2 R.")},
                      {"T <= 32", trMark("A block has at most 1024 threads: T must not exceed 32.")}},
       .executors = {registerTiled("stencil/register_tiled", "R == 1"),
                     registerTiled("stencil/3d_13_register_tiled", "R == 2"),
                     registerTiled("stencil/3d_19_register_tiled", "R == 3")},
       .parts = {{"registers",
                  trMark("How many grid points does a thread keep in registers?"),
                  "registers.points",
                  {{"registers", "2 * R + 1", trMark("R before, its own, and R after")}}},
                 {"shared",
                  trMark("How many bytes of shared memory does a block need?"),
                  "block.shared_bytes",
                  {{"coarsened", "(2 * R + 1) * T ^ 2 * 4",
                    trMark("with all planes in shared memory, 4 bytes per point")},
                   {"shared", "coarsened / (2 * R + 1)", trMark("the current plane alone")}}},
                 {"loads",
                  trMark("How many points does an interior block that computes T − 2 R planes load?"),
                  "block.loads",
                  {{"planes", "T - 2 * R + 2 * R", trMark("its output planes, R before and R after")},
                   {"loads", "T ^ 2 * planes", trMark("each plane of the input tile once")}}}},
       .picture = {"halo_cells", trMark("halo cells of the block"), ""}});

  const auto shaped = [](const char* kernel, const char* when) { return Executor{kernel, when, {{"N", "4 * R + 4"}}}; };
  const auto flat = [&](const char* kernel, const char* when) {
    Executor executor = shaped(kernel, when);
    executor.picture = "needed_by(2 * R + 2, 2 * R + 2)";
    return executor;
  };
  list.push_back(
      {.id = "star-points",
       .title = trMark("Points of a star"),
       .lesson = "reuse-bounds",
       .section = "8.3",
       .task =
           trMark("A star stencil of order R in D dimensions: the point itself and R points on each side along each "
                  "axis."),
       .fields = {{"D", trMark("dimensions"), "3", 2, 3, 2, 3},
                  {"R", trMark("order of the stencil"), "2", 1, 99, 1, 3}},
       .conditions = {},
       .executors = {flat("stencil/2d_5_basic", "D == 2 && R == 1"), flat("stencil/2d_9_basic", "D == 2 && R == 2"),
                     flat("stencil/2d_13_basic", "D == 2 && R == 3"), shaped("stencil/basic", "D == 3 && R == 1"),
                     shaped("stencil/3d_13_basic", "D == 3 && R == 2"),
                     shaped("stencil/3d_19_basic", "D == 3 && R == 3"),
                     shaped("beyond/3d_25_basic", "D == 3 && R == 4")},
       .parts = {{"points",
                  trMark("How many points does an output need?"),
                  "taps",
                  {{"points", "1 + 2 * D * R", trMark("the point itself and two arms per axis")}},
                  {{"of_a_box", "(2 * R + 1) ^ D", trMark("A filter of a convolution has all points of the box.")}}},
                 {"bound",
                  trMark("How many operations per byte can a tile reach at most, however large it is?"),
                  "op_per_byte.bound",
                  {{"points", "1 + 2 * D * R", trMark("the point itself and two arms per axis")},
                   {"operations", "2 * points - 1",
                    trMark("one multiplication and one addition per point; the 7-point kernel's sum begins "
                           "with a product instead of 0 and has one addition less"),
                    "D == 3 && R == 1"},
                   {"operations", "2 * points", trMark("one multiplication and one addition per point"),
                    "D != 3 || R != 1"},
                   {"bound", "operations / 4", trMark("each point is loaded once, 4 bytes")}},
                  {{"from_zero", "2 * points / 4", trMark("Of a sum that begins with 0.")},
                   {"from_a_product", "(2 * points - 1) / 4",
                    trMark("A sum that begins with a product, and not with 0, has one addition less.")}}}},
       .picture = {"needed_by(2 * R + 2, 2 * R + 2, 2 * R + 2)", trMark("points that one output is computed from"),
                   ""}});
  return list;
}

}  // namespace haloscope::exercises
