#include "running/GridCoverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <stop_token>
#include <utility>

#include "analysis/ElementName.h"
#include "faults/OutputCoverage.h"
#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "program/SourceLocation.h"
#include "running/LaunchDescription.h"
#include "running/UnsetArrays.h"
#include "simt/Executor.h"

namespace haloscope::running {

namespace {

// Of one execution, in warp instructions.
constexpr std::uint64_t kLayerBudget = 20'000'000;
constexpr std::uint64_t kGridBudget = 250'000'000;
// Launches that differ in a number may each write a part of an array. Those after so many do what the first ones did.
constexpr std::size_t kMostNumbersTried = 8;
constexpr std::size_t kMostArrayBytes = std::size_t{512} << 20;
constexpr std::array<std::uint32_t, 3> kMostBlocks{0x7fffffffU, 65535, 65535};

std::uint32_t& extentOf(Dim3& grid, std::size_t axis) { return axis == 0 ? grid.x : axis == 1 ? grid.y : grid.z; }

bool uses(const Program& program, Builtin builtin) {
  return std::ranges::any_of(program.registers, [&](const Register& one) {
    return one.kind == RegisterKind::Builtin && one.builtin == builtin;
  });
}

Builtin plus(Builtin first, std::size_t axis) { return static_cast<Builtin>(static_cast<std::size_t>(first) + axis); }

/// What some blocks of a launch did in global memory.
struct Accesses {
  bool clean = false;  ///< they came to their end and stayed within all arrays
  bool tooLong = false;
  std::uint64_t loads = 0, stores = 0;
};

class BeyondGrid {
 public:
  BeyondGrid(const Program& program, const Launch& launch, const RunOptions& options)
      : program_(program), launch_(launch), grid_(launch_.configuration.grid), options_(options) {}

  /// The grid that would reach everything; the launch's own if it does.
  Dim3 needed() {
    Dim3 grid = grid_;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!uses(program_, plus(Builtin::BlockIdxX, axis)) || !writes(axis, 0) || !hasBound(axis)) { continue; }
      std::uint32_t reached = 1;  // layers beyond the grid that write
      while (reached < far(axis) && writes(axis, reached)) { reached *= 2; }
      std::uint32_t last = reached / 2, none = reached;
      while (last + 1 < none) {
        const std::uint32_t middle = last + (none - last) / 2;
        (writes(axis, middle) ? last : none) = middle;
      }
      extentOf(grid, axis) += last + 1;
    }
    return grid;
  }

  /// Blocks of `grid`, observed; those beyond the launch's own, or those of it.
  Accesses run(const Dim3& grid, bool beyond, std::vector<simt::Observer*> observers) {
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t block = 0; beyond && block < grid.count(); ++block) {
      const Dim3 at = unlinear(block, grid);
      if (at.x >= grid_.x || at.y >= grid_.y || at.z >= grid_.z) { blocks.push_back(block); }
    }
    return execute(launch_.arguments, beyond ? grid : grid_, std::move(blocks), kGridBudget, observers);
  }
  /// The launch with the numbers of another.
  Accesses run(const std::vector<std::uint64_t>& arguments, simt::Observer& observer) {
    return execute(arguments, grid_, {}, kLayerBudget, {&observer});
  }

 private:
  /// A block so far beyond the grid that its elements, one for each thread, would be outside any array.
  [[nodiscard]] std::uint32_t far(std::size_t axis) {
    std::int64_t most = 1;
    for (const ArrayData& array : launch_.arrays) { most = std::max(most, array.elementCount()); }
    const std::uint32_t free = kMostBlocks[axis] - extentOf(grid_, axis);
    return static_cast<std::uint32_t>(std::min<std::int64_t>(most, free / 2));
  }
  [[nodiscard]] bool hasBound(std::size_t axis) {
    if (far(axis) == 0) { return false; }
    Dim3 grid = grid_;
    extentOf(grid, axis) += far(axis);
    Dim3 at{0, 0, 0};
    extentOf(at, axis) = extentOf(grid, axis) - 1;
    const Accesses accesses = execute(launch_.arguments, grid, {linear(at, grid)}, kLayerBudget, {});
    return accesses.clean && accesses.stores == 0;
  }
  /// Whether the blocks of a layer beyond the grid write something.
  [[nodiscard]] bool writes(std::size_t axis, std::uint32_t layer) {
    Dim3 grid = grid_;
    extentOf(grid, axis) += layer + 1;
    std::vector<std::uint64_t> blocks;
    Dim3 first{0, 0, 0};
    Dim3 end = grid_;
    extentOf(first, axis) = extentOf(grid, axis) - 1;
    extentOf(end, axis) = extentOf(grid, axis);
    for (std::uint32_t z = first.z; z < end.z; ++z) {
      for (std::uint32_t y = first.y; y < end.y; ++y) {
        for (std::uint32_t x = first.x; x < end.x; ++x) { blocks.push_back(linear({x, y, z}, grid)); }
      }
    }
    // Most layers that leave the arrays leave them in each block.
    const std::uint64_t middle = blocks.at(blocks.size() / 2);
    if (blocks.size() > 1 && !execute(launch_.arguments, grid, {middle}, kLayerBudget, {}).clean) { return false; }
    const Accesses accesses = execute(launch_.arguments, grid, std::move(blocks), kLayerBudget, {});
    return accesses.clean && accesses.stores > 0 && (accesses.loads > 0 || !loads_);
  }

  Accesses execute(const std::vector<std::uint64_t>& arguments, const Dim3& grid, std::vector<std::uint64_t> blocks,
                   std::uint64_t budget, std::vector<simt::Observer*> observers) {
    Launch again = launch_;
    again.arguments = arguments;
    again.configuration.grid = grid;
    simt::ExecuteOptions options;
    options.workers = options_.workers;
    options.stop = options_.stop;
    options.onlyBlocks = std::move(blocks);
    options.launchBudget = budget;
    const simt::ExecuteResult result = simt::execute(program_, again, observers, options);
    Accesses accesses{.clean = result.outcome == simt::Outcome::Finished && result.outOfBounds == 0,
                      .tooLong = result.outcome == simt::Outcome::TooLong};
    for (std::size_t i = 0; i < program_.code.size(); ++i) {
      const Instruction& one = program_.code[i];
      if (!isAccess(one.op) || one.aux == kNone || program_.objects[one.aux].space != MemorySpace::Global) { continue; }
      loads_ = loads_ || one.op == Opcode::Load;
      (writesMemory(one.op) ? accesses.stores : accesses.loads) += result.profile.lanes.at(i);
    }
    return accesses;
  }

  const Program& program_;
  const Launch& launch_;
  Dim3 grid_;
  const RunOptions& options_;
  bool loads_ = false;  ///< the kernel reads global memory
};

/// Kernels of which this can be said: they do not adapt to the grid, and it is known what they write.
bool isSimple(const BoundLaunch& bound) {
  const Program& program = *bound.program;
  std::size_t bytes = 0;
  for (const ArrayData& array : bound.launch.arrays) { bytes += array.bytes.size(); }
  return bytes <= kMostArrayBytes && !synchronisesGrid(program) && !uses(program, Builtin::GridDimX) &&
         !uses(program, Builtin::GridDimY) && !uses(program, Builtin::GridDimZ) &&
         std::ranges::none_of(program.code, [](const Instruction& one) {
           return isAtomic(one.op) || one.isVolatile || (isAccess(one.op) && one.aux == kNone);
         });
}

std::vector<std::uint64_t> numbersOf(const BoundLaunch& bound) {
  std::vector<std::uint64_t> numbers = bound.launch.arguments;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (bound.program->parameters[i].object != kNone) { numbers[i] = 0; }
  }
  return numbers;
}

/// Of `elements`, those that the launch does not write with these numbers either; none if that cannot be said.
void leaveOut(std::vector<std::int64_t>& elements, BeyondGrid launch, faults::OutputCoverage coverage,
              const std::vector<std::uint64_t>& numbers) {
  std::vector<std::int64_t> left;
  if (launch.run(numbers, coverage).clean) {
    std::ranges::set_intersection(elements, coverage.unwritten(), std::back_inserter(left));
  }
  elements = std::move(left);
}

/// Two numbers of a launch with which, exchanged, its own grid reaches everything: "w and h". Empty: there are none.
/// `most`: how many elements of the output may be left.
std::string exchangedNumbers(const Program& program, const Launch& launch, ObjectId output, std::size_t most,
                             const RunOptions& options) {
  const auto isNumber = [&](std::size_t i) {
    const Parameter& one = program.parameters[i];
    return one.object == kNone && !isFloating(one.type);
  };
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    for (std::size_t j = i + 1; isNumber(i) && j < program.parameters.size(); ++j) {
      const bool alike = isNumber(j) && program.parameters[i].type == program.parameters[j].type;
      if (!alike || launch.arguments[i] == launch.arguments[j]) { continue; }
      Launch exchanged = launch;
      std::swap(exchanged.arguments[i], exchanged.arguments[j]);
      const Dim3& grid = launch.configuration.grid;
      BeyondGrid beyond(program, exchanged, options);
      faults::OutputCoverage coverage(program, exchanged, output);
      if (beyond.needed() == grid && beyond.run(grid, false, {&coverage}).clean &&
          coverage.unwritten().size() <= most) {
        return trf("{} and {}", program.parameters[i].name, program.parameters[j].name);
      }
    }
  }
  return {};
}

/// Whether both have written an element of an array of so many.
bool haveOneInCommon(const faults::OutputCoverage& one, const faults::OutputCoverage& other, std::int64_t count) {
  std::vector<std::int64_t> unwritten;
  std::ranges::set_union(one.unwritten(), other.unwritten(), std::back_inserter(unwritten));
  return static_cast<std::int64_t>(unwritten.size()) < count;
}

/// An element by the parameter through which it is written, and its index there: where pointers into one array are
/// given, the array has the name of the first.
std::pair<std::string, std::int64_t> writtenAs(const ProgramLaunch& launch, ObjectId object, AllocationId allocation,
                                               std::int64_t element, std::int64_t elementBytes) {
  std::pair<std::string, std::int64_t> found{launch.program->objects[object].name, element};
  std::int64_t most = -1;
  for (const LaunchPointer& one : launch.pointers) {
    if (!one.writes || !one.place || one.place->allocation != allocation) { continue; }
    const std::int64_t begin = one.place->offset / elementBytes;
    if (begin <= most || begin > element) { continue; }
    most = begin;
    found = {one.parameter, element - begin};
  }
  return found;
}

std::string gridText(const Dim3& grid) {
  return grid.z > 1   ? fmt::format("{}×{}×{}", grid.x, grid.y, grid.z)
         : grid.y > 1 ? fmt::format("{}×{}", grid.x, grid.y)
                      : fmt::format("{}", grid.x);
}

}  // namespace

void GridCoverage::launched(std::size_t index, const ProgramLaunch& launch, const BoundLaunch& bound, bool isNew,
                            const RunOptions& options) {
  const std::string shape = shapeOf(launch);
  const std::vector<std::uint64_t> numbers = numbersOf(bound);
  const Program& program = *bound.program;
  const std::vector<bool> written = writtenObjects(program);
  for (const auto& [object, allocation] : bound.allocations) {
    if (!written[object]) { continue; }
    Writers& writers =
        writers_.try_emplace({launch.symbol, allocation}, Writers{.shape = shape, .arguments = {}}).first->second;
    writers.differ = writers.differ || writers.shape != shape;
    const bool known = std::ranges::find(writers.arguments, numbers) != writers.arguments.end();
    if (writers.differ || known || writers.arguments.size() == kMostNumbersTried) { continue; }
    writers.arguments.push_back(numbers);
    for (Gap& gap : gaps_) {
      if (gap.symbol == launch.symbol && gap.allocation == allocation) {
        leaveOut(gap.elements, BeyondGrid(program, bound.launch, options), {program, bound.launch, object}, numbers);
      }
    }
  }
  if (!isNew || !launch.findings.empty() || !isSimple(bound)) { return; }
  try {
    look(index, launch, bound, options);
  } catch (const InputError&) {
    return;  // the larger grid exceeds a limit
  }
}

void GridCoverage::look(std::size_t index, const ProgramLaunch& launch, const BoundLaunch& bound,
                        const RunOptions& options) {
  const Dim3& grid = launch.configuration.grid;
  BeyondGrid beyond(*bound.program, bound.launch, options);
  const Dim3 needed = beyond.needed();
  if (needed == grid) { return; }
  const Program& program = *bound.program;
  const std::vector<bool> written = writtenObjects(program);
  for (const auto& [object, allocation] : bound.allocations) {
    if (!written[object] || program.objects[object].space != MemorySpace::Global) { continue; }
    faults::OutputCoverage own(program, bound.launch, object);
    faults::OutputCoverage others(program, bound.launch, object);
    if (!beyond.run(needed, false, {&own}).clean) { return; }
    const Accesses accesses = beyond.run(needed, true, {&others});
    if (!accesses.clean && !accesses.tooLong) { return; }
    // Without a bounds check along a row, the blocks beyond it are those of the next row.
    if (haveOneInCommon(own, others, bound.launch.arrays[object].elementCount())) { return; }
    // What is changed in place may be changed in part: a region of interest.
    const bool oneLayer = needed.x <= grid.x + 1 && needed.y <= grid.y + 1 && needed.z <= grid.z + 1;
    if (!oneLayer && readObjects(program)[object]) { continue; }
    Gap gap{.launch = index,
            .symbol = launch.symbol,
            .allocation = allocation,
            .object = object,
            .elementBytes = sizeInMemory(program.objects[object].element),
            .needed = needed,
            .more = accesses.tooLong};
    std::ranges::set_difference(own.unwritten(), others.unwritten(), std::back_inserter(gap.elements));
    for (const std::vector<std::uint64_t>& numbers : writers_.at({launch.symbol, allocation}).arguments) {
      if (numbers != numbersOf(bound)) { leaveOut(gap.elements, beyond, {program, bound.launch, object}, numbers); }
    }
    if (gap.elements.empty()) { continue; }
    const std::size_t most = own.unwritten().size() - gap.elements.size();
    gaps_.push_back(std::move(gap));
    gaps_.back().exchanged = exchangedNumbers(program, bound.launch, object, most, options);
  }
}

void GridCoverage::conclude(std::vector<ProgramLaunch>& launches) const {
  std::set<std::string> said;
  for (const Gap& gap : gaps_) {
    ProgramLaunch& launch = launches.at(gap.launch);
    const Program& program = *launch.program;
    if (gap.elements.empty() || writers_.at({gap.symbol, gap.allocation}).differ || !said.insert(gap.symbol).second) {
      continue;
    }
    faults::Finding finding;
    finding.kind = faults::FindingKind::UnwrittenOutput;
    const auto store = std::ranges::find_if(program.code, [&](const Instruction& one) {
      return one.op == Opcode::Store && one.aux == gap.object && one.range.valid();
    });
    finding.where = store == program.code.end() ? program.kernelRange : store->range;
    finding.object = gap.object;
    finding.index = gap.elements.front();
    finding.occurrences = gap.elements.size();
    const auto [array, index] = writtenAs(launch, gap.object, gap.allocation, finding.index, gap.elementBytes);
    const std::string first = index == finding.index ? analysis::elementName(program, gap.object, index)
                                                     : fmt::format("{}[{}]", array, index);
    finding.message = trn(
        "the grid ends too early: {}{} element of {} passes the kernel's own bounds check, and no thread reaches it; "
        "the first is {}. The launch at line {} has {} blocks of {} threads",
        "the grid ends too early: {}{} elements of {} pass the kernel's own bounds check, and no thread reaches them; "
        "the first is {}. The launch at line {} has {} blocks of {} threads",
        gap.elements.size(), gap.more ? tr("at least ") : "", gap.elements.size(), array, first, launch.at.line,
        gridText(launch.configuration.grid), gridText(launch.configuration.block));
    finding.message += trf("; {} blocks reach them all", gridText(gap.needed));
    if (!gap.exchanged.empty()) {
      finding.message += trf(", or this grid does if {} are swapped in the launch", gap.exchanged);
    }
    std::set<AllocationId> spoilt;  // computed from such elements
    const auto comesFrom = [&](const ProgramLaunch& reader) {
      return [&](const faults::Finding& one) {
        const auto allocation = allocationOf(reader, one.object);
        if (one.kind != faults::FindingKind::Uninitialized || !allocation) { return false; }
        if (*allocation != gap.allocation || spoilt.contains(*allocation)) { return spoilt.contains(*allocation); }
        const std::int64_t element =
            one.index * sizeInMemory(reader.program->objects[one.object].element) / gap.elementBytes;
        return std::ranges::binary_search(gap.elements, element);
      };
    };
    bool read = false;
    for (std::size_t i = gap.launch + 1; i < launches.size(); ++i) {
      if (std::erase_if(launches[i].findings, comesFrom(launches[i])) == 0) { continue; }
      spoilt.merge(writtenBy(launches[i]));
      if (!std::exchange(read, true)) {
        finding.message += trf("; {} reads them without a value in launch {}", launches[i].kernel, i + 1);
      }
    }
    launch.findings.push_back(std::move(finding));
  }
}

}  // namespace haloscope::running
