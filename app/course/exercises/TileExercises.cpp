#include "exercises/Exercise.h"
#include "language/Text.h"

/// Exercises about convolution tiles: blocks, threads, shared memory, operations per byte.
namespace haloscope::exercises {

namespace {

std::vector<Field> tileFields() {
  return {{"N", trMark("edge of the array"), "60", 1, 1'000'000, 20, 60},
          {"M", trMark("edge of the filter"), "5", 3, 999, 3, 5, true},
          {"T", trMark("edge of the input tile"), "16", 3, 1'000, 8, 18}};
}

const Condition kFilterFits = {"M <= N", trMark("The filter is larger than the array.")};
const Condition kReach = {"(M - 1) / 2 <= T - M + 1", trMark("The filter reaches beyond the neighbouring tile.")};
const Condition kInputBlock = {"T <= 32", trMark("A block has at most 1024 threads: T must not exceed 32.")};
const Condition kOutputBlock = {"T - M + 1 <= 32",
                                trMark("A block has at most 1024 threads: T − M + 1 must not exceed 32.")};
const Condition kSharedTile = {"T ^ 2 * 4 <= 49152",
                               trMark("A block has at most 49,152 bytes of shared memory: the input tile is larger.")};

const Step kInnerEdge = {"O", "T - M + 1", trMark("edge of the output tile: (M − 1) / 2 halo cells on each side")};
const Step kOperations = {"operations", "O ^ 2 * M ^ 2 * 2",
                          trMark("a multiplication and an addition for each element of the filter and each output")};

Part blocks() {
  return {"blocks",
          trMark("How many blocks does the grid have?"),
          "executed.blocks",
          {kInnerEdge,
           {"along_x", "ceil(N / O)", trMark("output tiles along an axis: the last one may be cut")},
           {"blocks", "along_x ^ 2", trMark("the same along y")}}};
}

Part sharedInputTile() {
  return {"shared",
          trMark("How many bytes of shared memory does a block need?"),
          "block.shared_bytes",
          {{"shared", "T ^ 2 * 4", trMark("the input tile, 4 bytes per element")}}};
}

Part loadsOfInputTile() {
  return {"loads",
          trMark("How many elements does a block in the interior load from global memory?"),
          "block.loads",
          {{"loads", "T ^ 2", trMark("each element of the input tile once")}}};
}

Part opPerByteOfInputTile() {
  return {"op-per-byte",
          trMark("How many operations per byte loaded from global memory, for a block in the interior?"),
          "op_per_byte.block",
          {kInnerEdge,
           kOperations,
           {"bytes", "T ^ 2 * 4", trMark("each element of the input tile once, 4 bytes each")},
           {"op_per_byte", "operations / bytes", ""}}};
}

}  // namespace

std::vector<Exercise> tileExercises() {
  std::vector<Exercise> list;

  list.push_back(
      {.id = "input-block",
       .title = trMark("A block as large as the input tile"),
       .lesson = "tiles-and-halos",
       .section = "7.4",
       .task = trMark("An N × N array, an M × M filter, input tiles of T × T. A thread for each element of "
                      "the input tile loads it; the inner ones compute."),
       .fields = tileFields(),
       .conditions = {kFilterFits, kReach, kInputBlock},
       .executors = {{"convolution/tiled_input_block",
                      "",
                      {{"width", "N"}, {"height", "N"}, {"FILTER_RADIUS", "(M - 1) / 2"}, {"IN_TILE_DIM", "T"}}}},
       .parts = {blocks(),
                 {"threads",
                  trMark("How many threads does a block have?"),
                  "threads",
                  {{"threads", "T ^ 2", trMark("one for each element of the input tile")}}},
                 sharedInputTile(),
                 {"idle",
                  trMark("How many threads of an interior block write no output?"),
                  "block.idle",
                  {kInnerEdge, {"idle", "T ^ 2 - O ^ 2", trMark("those that load halo cells")}}},
                 loadsOfInputTile(),
                 opPerByteOfInputTile()},
       .picture = {"idle_threads", trMark("threads that write no output"), ""}});

  list.push_back(
      {.id = "output-block",
       .title = trMark("A block as large as the output tile"),
       .lesson = "thread-organisations",
       .section = "7.4",
       .task = trMark("An N × N array, an M × M filter, input tiles of T × T. A thread for each output; the threads "
                      "load the input tile in several rounds."),
       .fields = tileFields(),
       .conditions = {kFilterFits, kReach, kOutputBlock, kSharedTile},
       .executors =
           {{"convolution/tiled_output_block",
             "",
             {{"width", "N"}, {"height", "N"}, {"FILTER_RADIUS", "(M - 1) / 2"}, {"OUT_TILE_DIM", "T - M + 1"}}}},
       .parts = {blocks(),
                 {"threads",
                  trMark("How many threads does a block have?"),
                  "threads",
                  {kInnerEdge, {"threads", "O ^ 2", trMark("one for each output")}}},
                 sharedInputTile(),
                 {"iterations",
                  trMark("How many elements does thread (0, 0) visit to load the tile?"),
                  "times(int inRow = rowStart + tileRow)",
                  {kInnerEdge,
                   {"along_x", "ceil(T / O)", trMark("iterations of its loop along an axis")},
                   {"iterations", "along_x ^ 2", trMark("the same along y")}}},
                 loadsOfInputTile(),
                 opPerByteOfInputTile()},
       .picture = {"halo_cells", trMark("halo cells of the block"), ""}});

  list.push_back(
      {.id = "cached-halo",
       .title = trMark("The halo through the cache"),
       .lesson = "cached-halo",
       .section = "7.5",
       .task =
           trMark("An N × N array, an M × M filter, tiles of T × T. Only the tile is in shared memory, without a halo; "
                  "each thread "
                  "reads halo cells from global memory, which finds most of them in the cache."),
       .fields = {tileFields()[0],
                  tileFields()[1],
                  {"T", trMark("edge of the tile, input and output alike"), "12", 1, 1'000, 4, 14}},
       .conditions = {kFilterFits, {"(M - 1) / 2 <= T", kReach.otherwise}, kInputBlock},
       .executors = {{"convolution/cached_halo",
                      "",
                      {{"width", "N"}, {"height", "N"}, {"FILTER_RADIUS", "(M - 1) / 2"}, {"TILE_DIM", "T"}}}},
       .parts = {{"blocks",
                  trMark("How many blocks does the grid have?"),
                  "executed.blocks",
                  {{"along_x", "ceil(N / T)", trMark("tiles along an axis: the last one may be cut")},
                   {"blocks", "along_x ^ 2", trMark("the same along y")}}},
                 {"threads",
                  trMark("How many threads does a block have?"),
                  "threads",
                  {{"threads", "T ^ 2", trMark("one for each element of the tile, which is also an output")}}},
                 {"shared",
                  trMark("How many bytes of shared memory does a block need?"),
                  "block.shared_bytes",
                  {{"shared", "T ^ 2 * 4", trMark("the tile without a halo, 4 bytes per element")}}},
                 {"loads",
                  trMark("How many loads from global memory do the threads of an interior block execute, with "
                         "those of the halo?"),
                  "block.loads",
                  {{"R", "(M - 1) / 2", trMark("halo cells on each side")},
                   {"products", "T ^ 2 * M ^ 2", trMark("of all outputs of the block")},
                   {"in_tile", "(T * M - R * (R + 1)) ^ 2", trMark("those whose element is in the tile")},
                   {"halo", "products - in_tile", trMark("the others read global memory")},
                   {"loads", "T ^ 2 + halo", trMark("each element of the tile is loaded once")}},
                  {{"tile_alone", "T ^ 2",
                    trMark("The text counts the tile alone: a halo cell is in the cache already, because "
                           "a neighbouring block has loaded it.")}}},
                 {"op-per-byte",
                  trMark("How many operations per byte loaded from global memory, with the loads of the halo?"),
                  "op_per_byte.block",
                  {{"operations", "T ^ 2 * M ^ 2 * 2", kOperations.why},
                   {"R", "(M - 1) / 2", trMark("halo cells on each side")},
                   {"halo", "T ^ 2 * M ^ 2 - (T * M - R * (R + 1)) ^ 2",
                    trMark("products whose element is outside the tile")},
                   {"bytes", "(T ^ 2 + halo) * 4", trMark("4 bytes each")},
                   {"op_per_byte", "operations / bytes", ""}},
                  {{"tile_alone", "operations / (T ^ 2 * 4)",
                    trMark("The text counts the tile alone: loads served by the cache do not reach DRAM.")}}}},
       .picture = {"halo_cells", trMark("halo cells of the block"), ""}});

  const std::vector<Condition> cube = {kReach,
                                       {"T <= 10", trMark("A block has at most 1024 threads: T must not exceed 10.")}};
  list.push_back(
      {.id = "tile-3d",
       .title = trMark("Tiles in three dimensions"),
       .lesson = "convolution-3d",
       .section = "7.4",
       .task = trMark("An N × N × N array, an M × M × M filter, input tiles of T × T × T and a thread for each element "
                      "of the input tile."),
       .fields = {{"N", trMark("edge of the array"), "16", 1, 100'000, 8, 16},
                  {"M", trMark("edge of the filter"), "3", 3, 99, 3, 5, true},
                  {"T", trMark("edge of the input tile"), "8", 3, 100, 5, 10}},
       .conditions = cube,
       .executors = {{"convolution/3d_tiled",
                      "",
                      {{"width", "N"},
                       {"height", "N"},
                       {"depth", "N"},
                       {"FILTER_RADIUS", "(M - 1) / 2"},
                       {"IN_TILE_DIM", "T"}}}},
       .parts = {{"blocks",
                  trMark("How many blocks does the grid have?"),
                  "executed.blocks",
                  {kInnerEdge,
                   {"along_x", "ceil(N / O)", trMark("output tiles along an axis: the last one may be cut")},
                   {"blocks", "along_x ^ 3", trMark("the same along y and z")}}},
                 {"shared",
                  trMark("How many bytes of shared memory does a block need?"),
                  "block.shared_bytes",
                  {{"shared", "T ^ 3 * 4", trMark("the input tile, 4 bytes per element")}}},
                 {"idle",
                  trMark("How many threads of an interior block write no output?"),
                  "block.idle",
                  {kInnerEdge, {"idle", "T ^ 3 - O ^ 3", trMark("those that load halo cells")}}},
                 {"op-per-byte",
                  trMark("How many operations per byte loaded from global memory, for a block in the interior?"),
                  "op_per_byte.block",
                  {kInnerEdge,
                   {"operations", "O ^ 3 * M ^ 3 * 2",
                    trMark("a multiplication and an addition for each element of the filter and each output")},
                   {"bytes", "T ^ 3 * 4", trMark("each element of the input tile once, 4 bytes each")},
                   {"op_per_byte", "operations / bytes", ""}}}},
       .picture = {"idle_threads", trMark("threads that write no output"), ""}});
  return list;
}

}  // namespace haloscope::exercises
