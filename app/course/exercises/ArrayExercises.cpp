#include "exercises/Exercise.h"
#include "language/Text.h"

/// Exercises about arrays, filters and ghost cells.
namespace haloscope::exercises {

namespace {

const Step kRadius1D = {"r", "(m - 1) / 2", trMark("elements of the filter on each side of its centre")};
const Step kRadius2D = {"R", "(M - 1) / 2", trMark("elements of the filter on each side of its centre")};

Field arrayLength() { return {"n", trMark("elements of the array"), "8", 1, 1'000'000'000, 5, 24}; }
Field filterLength() { return {"m", trMark("elements of the filter"), "5", 1, 9'999, 3, 5, true}; }

}  // namespace

std::vector<Exercise> arrayExercises() {
  std::vector<Exercise> list;

  list.push_back({.id = "output-1d",
                  .title = trMark("One output of a 1D convolution"),
                  .lesson = "sliding-sum",
                  .section = "7.1",
                  .task = trMark("An array x and a filter f are given; the elements outside the array are 0."),
                  .fields = {{"x", trMark("the array"), "8,2,5,4,1,7,3", 1, 64, 5, 9, false, true},
                             {"f", trMark("the filter"), "1,3,5,3,1", 1, 17, 3, 5, true, true},
                             {"i", trMark("index of the output"), "1", 0, 63, 0, 4}},
                  .conditions = {{"i < x.size", trMark("The array has no element with this index.")}},
                  .executors = {{"convolution/1d_basic",
                                 "f.size > 1",
                                 {{"width", "x.size"}, {"FILTER_RADIUS", "(f.size - 1) / 2"}, {"BLOCK_X", "8"}},
                                 {{"in", "x"}, {"filter", "f"}}}},
                  .parts = {{"output",
                             trMark("What is y[i]?"),
                             "value(out, i)",
                             {{"r", "(f.size - 1) / 2", trMark("elements of the filter on each side of its centre")},
                              {"y", "sum(x, f, i)",
                               trMark("Each element of the filter times the element of the array below it, f[0] times "
                                      "x[i − r] first; what lies outside the array counts as 0.")}},
                             {{"flipped", "flipped(x, f, i)",
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
       .executors = {{"convolution/1d_basic",
                      "m > 1",
                      {{"width", "n"}, {"FILTER_RADIUS", "(m - 1) / 2"}, {"BLOCK_X", "32"}}}},
       .parts = {{"ghosts",
                  trMark("How many ghost cells are there?"),
                  "ghost.cells",
                  {kRadius1D, {"ghosts", "2 * r", trMark("r cells before the first element, r after the last")}}},
                 {"products",
                  trMark("How many multiplications are there if ghost cells are not multiplied?"),
                  "multiplications",
                  {kRadius1D,
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
       .executors = {{"convolution/1d_tiled",
                      "m > 1",
                      {{"width", "n"}, {"FILTER_RADIUS", "(m - 1) / 2"}, {"OUT_TILE_DIM", "32"}}}},
       .parts = {{"products",
                  trMark("How many multiplications are there?"),
                  "multiplications",
                  {{"products", "n * m", trMark("every output multiplies every element of the filter")}}},
                 {"with-ghosts",
                  trMark("How many of them have a ghost cell as a factor?"),
                  "ghost.reads",
                  {kRadius1D,
                   {"with_ghosts", "r * (r + 1)",
                    trMark("at each end 1 + 2 + … + r = r (r + 1) / 2 of them are with a ghost cell")}}}},
       .picture = {"ghost_cells", trMark("ghost cells"), ""}});

  const std::map<std::string, const char*> rectangle = {
      {"width", "n2"}, {"height", "n1"}, {"RADIUS_X", "(m2 - 1) / 2"}, {"RADIUS_Y", "(m1 - 1) / 2"}};
  const auto rectangular = [&](const char* ghosts) {
    auto bindings = rectangle;
    bindings["GHOSTS"] = ghosts;
    return Executor{"exercise/rectangular_filter", "", std::move(bindings)};
  };
  const std::vector<Field> rectangleFields = {{"n1", trMark("rows of the array"), "4", 1, 1'000'000, 3, 9},
                                              {"n2", trMark("columns of the array"), "6", 1, 1'000'000, 3, 9},
                                              {"m1", trMark("rows of the filter"), "3", 1, 999, 1, 3, true},
                                              {"m2", trMark("columns of the filter"), "5", 1, 999, 1, 3, true}};
  const std::vector<Condition> fits = {{"m1 <= n1", trMark("The filter has more rows than the array.")},
                                       {"m2 <= n2", trMark("The filter has more columns than the array.")}};
  const Step radius1 = {"r1", "(m1 - 1) / 2", trMark("rows of the filter on each side of its centre")};
  const Step radius2 = {"r2", "(m2 - 1) / 2", trMark("columns of the filter on each side of its centre")};

  list.push_back({.id = "ghost-2d",
                  .title = trMark("Ghost cells in two dimensions"),
                  .lesson = "two-dimensions",
                  .section = "7.1",
                  .task = trMark("A filter of m1 × m2 elements slides over an array of n1 × n2 elements."),
                  .fields = rectangleFields,
                  .conditions = fits,
                  .executors = {rectangular("0")},
                  .parts = {{"ghosts",
                             trMark("How many ghost cells are there?"),
                             "ghost.cells",
                             {{"with_ghosts", "(n1 + m1 - 1) * (n2 + m2 - 1)",
                               trMark("the array grows by (m1 − 1) / 2 rows and (m2 − 1) / 2 columns on each side")},
                              {"ghosts", "with_ghosts - n1 * n2", trMark("without the array itself")}}},
                            {"products",
                             trMark("How many multiplications are there if ghost cells are not multiplied?"),
                             "multiplications",
                             {radius1,
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
       .parts = {{"products",
                  trMark("How many multiplications are there?"),
                  "multiplications",
                  {{"products", "n1 * n2 * m1 * m2", trMark("every output multiplies every element of the filter")}}},
                 {"with-ghosts",
                  trMark("How many of them have a ghost cell as a factor?"),
                  "ghost.reads",
                  {radius1,
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
       .task =
           trMark("One thread computes one output of an array of W columns and H rows with an M × M filter; a block "
                  "has X × Y threads."),
       .fields = {{"W", trMark("columns of the array"), "60", 1, 1'000'000, 8, 48},
                  {"H", trMark("rows of the array"), "40", 1, 1'000'000, 8, 48},
                  {"M", trMark("edge of the filter"), "5", 1, 999, 3, 5, true},
                  {"X", trMark("threads of a block along x"), "16", 1, 32, 4, 16},
                  {"Y", trMark("threads of a block along y"), "8", 1, 32, 4, 16}},
       .conditions = {{"M <= min(W, H)", trMark("The filter is larger than the array.")}},
       .executors =
           {{"convolution/basic",
             "M > 1",
             {{"width", "W"}, {"height", "H"}, {"FILTER_RADIUS", "(M - 1) / 2"}, {"BLOCK_X", "X"}, {"BLOCK_Y", "Y"}},
             {},
             "max(ceil(W / X), ceil(H / Y)) - 1"}},
       .parts = {{"blocks",
                  trMark("How many blocks does the grid have?"),
                  "executed.blocks",
                  {{"along_x", "ceil(W / X)", trMark("blocks along an axis: the last one may be cut")},
                   {"along_y", "ceil(H / Y)", trMark("the same along y")},
                   {"blocks", "along_x * along_y", ""}}},
                 {"idle",
                  trMark("How many threads of the grid write no output?"),
                  "executed.threads - outputs",
                  {{"threads", "ceil(W / X) * X * ceil(H / Y) * Y", trMark("threads of all blocks")},
                   {"idle", "threads - W * H", trMark("those beyond the right and the lower edge")}}},
                 {"products",
                  trMark("How many multiplications are there if ghost cells are not multiplied?"),
                  "multiplications",
                  {kRadius2D,
                   {"along_x", "W * M - R * (R + 1)",
                    trMark("pairs of an output and a filter element along x whose array element exists")},
                   {"along_y", "H * M - R * (R + 1)", trMark("the same along y")},
                   {"products", "along_x * along_y", ""}}},
                 {"op-per-byte",
                  trMark("How many operations per byte loaded from global memory?"),
                  "op_per_byte.grid",
                  {{"operations", "2", trMark("a multiplication and an addition for each product")},
                   {"bytes", "2 * 4", trMark("an element of the array and one of the filter")},
                   {"op_per_byte", "operations / bytes", trMark("whatever the sizes")}}}},
       .picture = {"idle_threads", trMark("threads of the last block that write no output"), ""}});

  return list;
}

}  // namespace haloscope::exercises
