#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "checking/Siblings.h"
#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::checking {

/// A kernel whose arrays are known by the position of their parameters.
struct SiblingRunner {
  const Sibling* sibling = nullptr;  ///< null: a launch of its program, see runnerOf()
  std::shared_ptr<const Program> kernel;
  Launch launch;                     ///< with random data, or its program's
  std::vector<ObjectId> arrays;      ///< of the pointer parameters, then of variables in constant memory, by name
  std::vector<bool> written;         ///< of these arrays
  std::vector<std::size_t> scalars;  ///< indices of scalar parameters

  [[nodiscard]] const Program& program() const { return *kernel; }
};

/// None if the kernel has no result. `launch` must have all arrays.
[[nodiscard]] std::optional<SiblingRunner> runnerOf(std::shared_ptr<const Program> kernel, Launch launch);

/// The same with random data. None if it cannot be launched at these sizes, or has no result.
[[nodiscard]] std::optional<SiblingRunner> runnerOf(const Sibling& sibling, const Bindings& bindings);
/// The same at the sizes of another one.
[[nodiscard]] std::optional<SiblingRunner> atSizesOf(const SiblingRunner& other, const Sibling& sibling);

/// Integers may be flags, or indices: those of `data`, one array for each of a kernel's, become some that its program
/// has there. Bytes of many values are those of a picture, and may have any. False if the program's data are not known.
bool takeOwnIntegers(const Sibling& sibling, std::vector<ArrayData>& data);

/// "float*, float*, int nx, int ny": scalars by their names, too, as (nx, ny) is not (ny, nx).
[[nodiscard]] std::string parametersOf(const Program& program);
/// What two kernels must have in common to be compared: types and roles of the parameters, and the sizes of the arrays.
[[nodiscard]] std::string shapeOf(const SiblingRunner& runner);

/// The arrays after a launch on given data; none if it does not end or leaves its arrays.
[[nodiscard]] std::optional<std::vector<ArrayData>> executed(const SiblingRunner& runner,
                                                             const std::vector<ArrayData>& data,
                                                             const std::vector<std::uint64_t>& scalars,
                                                             const std::stop_token& stop);

/// Relative to the largest magnitude of a result: what a different order of summation explains.
[[nodiscard]] double toleranceOf(ValueType type);

struct ResultDifference {
  std::int64_t count = 0;            ///< of points that differ, in all arrays
  std::size_t array = 0;             ///< the first one that differs
  std::vector<std::int64_t> points;  ///< of it, ascending; the first ones
  double expected = 0, found = 0;    ///< at the first of them
};

/// How many elements of the written arrays have become others: points at which a result that differs would show it.
[[nodiscard]] std::int64_t changedPoints(const SiblingRunner& runner, const std::vector<ArrayData>& before,
                                         const std::vector<ArrayData>& after);

/// Where the written arrays of two results differ; count 0: nowhere.
[[nodiscard]] ResultDifference differenceOf(const SiblingRunner& runner, const std::vector<ArrayData>& expected,
                                            const std::vector<ArrayData>& found);

}  // namespace haloscope::checking
