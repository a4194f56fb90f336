#include "exercises/Exercise.h"
#include "language/Text.h"

/// Exercises about arrays, filters and ghost cells.
namespace haloscope::exercises {

namespace {

const Step kRadius1D = {"r", "(m - 1) / 2", trMark("elements of the filter on each side of its centre")};
const Step kRadius2D = {"R", "(M - 1) / 2", trMark("elements of the filter on each side of its centre")};

Field arrayLength() { return {"n", trMark("elements of the array"), "8", 1, 1'000'000'000, 5, 24}; }
Field filterLength() {
  return {.name = "m",
          .meaning = trMark("elements of the filter"),
          .value = "5",
          .maximum = 9'999,
          .drawnLow = 3,
          .drawnHigh = 5,
          .odd = true};
}

}  // namespace

std::vector<Exercise> arrayExercises() {
  std::vector<Exercise> list;

  list.push_back(
      {.id = "output-1d",
       .title = trMark("One output of a 1D convolution"),
       .lesson = "sliding-sum",
       .section = "7.1",
       .task = trMark("An array x and a filter f are given; the elements outside the array are 0."),
       .fields = {{.name = "x",
                   .meaning = trMark("the array"),
                   .value = "8,2,5,4,1,7,3",
                   .maximum = 64,
                   .drawnLow = 5,
                   .drawnHigh = 9,
                   .list = true},
                  {.name = "f",
                   .meaning = trMark("the filter"),
                   .value = "1,3,5,3,1",
                   .maximum = 17,
                   .drawnLow = 3,
                   .drawnHigh = 5,
                   .odd = true,
                   .list = true},
                  {.name = "i",
                   .meaning = trMark("index of the output"),
                   .value = "1",
                   .minimum = 0,
                   .maximum = 63,
                   .drawnLow = 0,
                   .drawnHigh = 4}},
       .conditions = {{"i < x.size", trMark("The array has no element with this index.")}},
       .executors = {{.kernel = "convolution/1d_basic",
                      .when = "f.size > 1",
                      .bindings = {{"width", "x.size"}, {"FILTER_RADIUS", "(f.size - 1) / 2"}, {"BLOCK_X", "8"}},
                      .data = {{"in", "x"}, {"filter", "f"}}}},
       .parts = {{.id = "output",
                  .ask = trMark("What is y[i]?"),
                  .query = "value(out, i)",
                  .steps = {{"r", "(f.size - 1) / 2", trMark("elements of the filter on each side of its centre")},
                            {"y", "sum(x, f, i)",
                             trMark("Each element of the filter times the element of the array below it, f[0] times "
                                    "x[i − r] first; what lies outside the array counts as 0.")}},
                  .conventions = {{"flipped", "flipped(x, f, i)",
                                   trMark("Signal processing mirrors the filter before it slides; the book, and the "
                                          "kernels here, do not. The results agree for a symmetric filter.")}}}},
       .picture = {"needed_by(i)", trMark("elements that y[i] is computed from"), "x"}});

  list.push_back(
      {.id = "ghost-1d",
       .title = trMark("Ghost cells of an array"),
       .lesson = "boundaries",
       .section = "7.1",
       .task = trMark("A filter of m elements slides over an array of n elements."),
       .fields = {arrayLength(), filterLength()},
       .conditions = {{"m <= n", trMark("The filter is longer than the array.")}},
       .executors = {{.kernel = "convolution/1d_basic",
                      .when = "m > 1",
                      .bindings = {{"width", "n"}, {"FILTER_RADIUS", "(m - 1) / 2"}, {"BLOCK_X", "32"}}}},
       .parts = {{.id = "ghosts",
                  .ask = trMark("How many ghost cells are there?"),
                  .query = "ghost.cells",
                  .steps = {kRadius1D,
                            {"ghosts", "2 * r", trMark("r cells before the first element, r after the last")}}},
                 {.id = "products",
                  .ask = trMark("How many multiplications are there if ghost cells are not multiplied?"),
                  .query = "multiplications",
                  .steps = {kRadius1D,
                            {"all", "n * m", trMark("every output multiplies every element of the filter")},
                            {"skipped", "r * (r + 1)",
                             trMark("at each end 1 + 2 + … + r = r (r + 1) / 2 of them are with a ghost cell")},
                            {"products", "all - skipped", trMark("the others")}}}},
       .picture = {"ghost_cells", trMark("ghost cells"), ""}});

  list.push_back(
      {.id = "products-1d",
       .title = trMark("Multiplications with ghost cells"),
       .lesson = "boundaries",
       .section = "7.1",
       .task = trMark("A kernel fills ghost cells with 0 and multiplies them like all other elements: an array of n "
                      "elements, a filter of m."),
       .fields = {arrayLength(), filterLength()},
       .conditions = {{"m <= n", trMark("The filter is longer than the array.")}},
       .executors = {{.kernel = "convolution/1d_tiled",
                      .when = "m > 1",
                      .bindings = {{"width", "n"}, {"FILTER_RADIUS", "(m - 1) / 2"}, {"OUT_TILE_DIM", "32"}}}},
       .parts = {{.id = "products",
                  .ask = trMark("How many multiplications are there?"),
                  .query = "multiplications",
                  .steps = {{"products", "n * m", trMark("every output multiplies every element of the filter")}}},
                 {.id = "with-ghosts",
                  .ask = trMark("How many of them have a ghost cell as a factor?"),
                  .query = "ghost.reads",
                  .steps = {kRadius1D,
                            {"with_ghosts", "r * (r + 1)",
                             trMark("at each end 1 + 2 + … + r = r (r + 1) / 2 of them are with a ghost cell")}}}},
       .picture = {"ghost_cells", trMark("ghost cells"), ""}});

  const std::map<std::string, const char*> rectangle = {
      {"width", "n2"}, {"height", "n1"}, {"RADIUS_X", "(m2 - 1) / 2"}, {"RADIUS_Y", "(m1 - 1) / 2"}};
  const auto rectangular = [&](const char* ghosts) {
    auto bindings = rectangle;
    bindings["GHOSTS"] = ghosts;
    return Executor{.kernel = "exercise/rectangular_filter", .when = "", .bindings = std::move(bindings)};
  };
  const std::vector<Field> rectangleFields = {{"n1", trMark("rows of the array"), "4", 1, 1'000'000, 3, 9},
                                              {"n2", trMark("columns of the array"), "6", 1, 1'000'000, 3, 9},
                                              {.name = "m1",
                                               .meaning = trMark("rows of the filter"),
                                               .value = "3",
                                               .maximum = 999,
                                               .drawnLow = 1,
                                               .drawnHigh = 3,
                                               .odd = true},
                                              {.name = "m2",
                                               .meaning = trMark("columns of the filter"),
                                               .value = "5",
                                               .maximum = 999,
                                               .drawnLow = 1,
                                               .drawnHigh = 3,
                                               .odd = true}};
  const std::vector<Condition> fits = {{"m1 <= n1", trMark("The filter has more rows than the array.")},
                                       {"m2 <= n2", trMark("The filter has more columns than the array.")}};
  const Step radius1 = {"r1", "(m1 - 1) / 2", trMark("rows of the filter on each side of its centre")};
  const Step radius2 = {"r2", "(m2 - 1) / 2", trMark("columns of the filter on each side of its centre")};

  list.push_back(
      {.id = "ghost-2d",
       .title = trMark("Ghost cells in two dimensions"),
       .lesson = "two-dimensions",
       .section = "7.1",
       .task = trMark("A filter of m1 × m2 elements slides over an array of n1 × n2 elements."),
       .fields = rectangleFields,
       .conditions = fits,
       .executors = {rectangular("0")},
       .parts = {{.id = "ghosts",
                  .ask = trMark("How many ghost cells are there?"),
                  .query = "ghost.cells",
                  .steps = {{"with_ghosts", "(n1 + m1 - 1) * (n2 + m2 - 1)",
                             trMark("the array grows by (m1 − 1) / 2 rows and (m2 − 1) / 2 columns on each side")},
                            {"ghosts", "with_ghosts - n1 * n2", trMark("without the array itself")}}},
                 {.id = "products",
                  .ask = trMark("How many multiplications are there if ghost cells are not multiplied?"),
                  .query = "multiplications",
                  .steps = {radius1,
                            radius2,
                            {"rows", "n1 * m1 - r1 * (r1 + 1)",
                             trMark("pairs of an output row and a filter row whose array row exists")},
                            {"columns", "n2 * m2 - r2 * (r2 + 1)", trMark("the same for columns")},
                            {"products", "rows * columns", trMark("each of one goes with each of the other")}}}},
       .picture = {"ghost_cells", trMark("ghost cells"), ""}});

  list.push_back(
      {.id = "products-2d",
       .title = trMark("Multiplications with ghost cells in two dimensions"),
       .lesson = "two-dimensions",
       .section = "7.1",
       .task = trMark("A kernel multiplies ghost cells like all other elements: an array of n1 × n2 elements, a filter "
                      "of m1 × m2."),
       .fields = rectangleFields,
       .conditions = fits,
       .executors = {rectangular("1")},
       .parts = {{.id = "products",
                  .ask = trMark("How many multiplications are there?"),
                  .query = "multiplications",
                  .steps = {{"products", "n1 * n2 * m1 * m2",
                             trMark("every output multiplies every element of the filter")}}},
                 {.id = "with-ghosts",
                  .ask = trMark("How many of them have a ghost cell as a factor?"),
                  .query = "ghost.reads",
                  .steps = {radius1,
                            radius2,
                            {"inside", "(n1 * m1 - r1 * (r1 + 1)) * (n2 * m2 - r2 * (r2 + 1))",
                             trMark("those with an element of the array")},
                            {"with_ghosts", "n1 * n2 * m1 * m2 - inside", trMark("the others")}}}},
       .picture = {"ghost_cells", trMark("ghost cells"), ""}});

  list.push_back(
      {.id = "basic-2d",
       .title = trMark("The basic kernel"),
       .lesson = "one-thread-per-output",
       .section = "7.2",
       .task = trMark("One thread computes one output of an N × N array with an M × M filter; a block has B × B "
                      "threads."),
       .fields = {{"N", trMark("edge of the array"), "60", 1, 1'000'000, 8, 48},
                  {.name = "M",
                   .meaning = trMark("edge of the filter"),
                   .value = "5",
                   .maximum = 999,
                   .drawnLow = 3,
                   .drawnHigh = 5,
                   .odd = true},
                  {"B", trMark("edge of a block"), "16", 1, 32, 4, 16}},
       .conditions = {{"M <= N", trMark("The filter is larger than the array.")}},
       .executors = {{.kernel = "convolution/basic",
                      .when = "M > 1",
                      .bindings = {{"width", "N"},
                                   {"height", "N"},
                                   {"FILTER_RADIUS", "(M - 1) / 2"},
                                   {"BLOCK_X", "B"},
                                   {"BLOCK_Y", "B"}},
                      .block = "ceil(N / B) - 1"}},
       .parts = {{.id = "blocks",
                  .ask = trMark("How many blocks does the grid have?"),
                  .query = "executed.blocks",
                  .steps = {{"along_x", "ceil(N / B)", trMark("blocks along an axis: the last one may be cut")},
                            {"blocks", "along_x ^ 2", trMark("the same along y")}}},
                 {.id = "idle",
                  .ask = trMark("How many threads of the grid write no output?"),
                  .query = "executed.threads - outputs",
                  .steps = {{"threads", "(ceil(N / B) * B) ^ 2", trMark("threads of all blocks")},
                            {"idle", "threads - N ^ 2", trMark("those beyond the right and the lower edge")}}},
                 {.id = "products",
                  .ask = trMark("How many multiplications are there if ghost cells are not multiplied?"),
                  .query = "multiplications",
                  .steps = {kRadius2D,
                            {"along_x", "N * M - R * (R + 1)",
                             trMark("pairs of an output and a filter element along x whose array element exists")},
                            {"products", "along_x ^ 2", trMark("the same along y")}}},
                 {.id = "op-per-byte",
                  .ask = trMark("How many operations per byte loaded from global memory?"),
                  .query = "op_per_byte.grid",
                  .steps = {{"operations", "2", trMark("a multiplication and an addition for each product")},
                            {"bytes", "2 * 4", trMark("an element of the array and one of the filter")},
                            {"op_per_byte", "operations / bytes", trMark("whatever the sizes")}}}},
       .picture = {"idle_threads", trMark("threads of the last block that write no output"), ""}});

  return list;
}

}  // namespace haloscope::exercises
