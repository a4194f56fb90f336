#include "judging/OtherLaunches.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checking/WrongResult.h"
#include "opening/LaunchTrial.h"

namespace haloscope::judging {

namespace {

constexpr std::size_t kMostShapes = 20;
/// Fewer threads hide what they do to each other.
constexpr std::uint64_t kFewestThreads = 64;
/// Rows as long as these, and counts of elements or bytes.
constexpr std::array<std::int64_t, 3> kNumbers{128, 1024, 8};

using Found = std::set<std::pair<faults::FindingKind, int>>;  ///< kinds, with their lines

Found foundIn(const CheckedKernel& row) {
  Found found;
  for (const faults::Finding& one : row.report->findings) { found.emplace(one.kind, one.where.line); }
  return found;
}

bool uses(const Program& program, Builtin builtin) {
  return std::ranges::any_of(program.registers, [&](const Register& one) {
    return one.kind == RegisterKind::Builtin && one.builtin == builtin;
  });
}

/// What the text says of lengths: the extents of arrays that the block shares, without a halo, too, and numbers.
std::vector<std::uint32_t> lengthsIn(const Program& program) {
  constexpr std::int64_t kWidestHalo = 8;
  std::vector<std::uint32_t> lengths;
  const auto add = [&](std::int64_t length) {
    if (length < 2 || length > std::int64_t{kMaxThreadsPerBlock}) { return; }
    const auto one = static_cast<std::uint32_t>(length);
    if (std::ranges::find(lengths, one) == lengths.end()) { lengths.push_back(one); }
  };
  const auto isPower = [](std::int64_t number) { return number > 0 && (number & (number - 1)) == 0; };
  for (const MemoryObject& object : program.objects) {
    if (object.space != MemorySpace::Shared) { continue; }
    for (const std::int64_t extent : object.extents) {
      add(extent);
      for (std::int64_t halo = 1; halo <= kWidestHalo; ++halo) {
        if (isPower(extent - halo)) { add(extent - halo); }
      }
    }
  }
  for (const Register& one : program.registers) {
    const auto number = static_cast<std::int64_t>(static_cast<std::int32_t>(one.bits));
    if (one.kind == RegisterKind::Constant && !isFloating(one.type) && isPower(number)) { add(number); }
  }
  return lengths;
}

/// Blocks like what the text says of lengths, then the usual ones.
std::vector<Dim3> shapesFor(const Program& program, const Dim3& proposed) {
  const int rank = uses(program, Builtin::ThreadIdxZ) ? 3 : uses(program, Builtin::ThreadIdxY) ? 2 : 1;
  const std::uint64_t most = program.maxThreads > 0 ? program.maxThreads : kMaxThreadsPerBlock;
  std::vector<Dim3> shapes;
  const auto add = [&](Dim3 shape) {
    const bool usual =
        shape.count() >= std::min(kFewestThreads, most) && shape.count() <= most && shape.z <= kMaxBlockZ;
    if (usual && shape != proposed && std::ranges::find(shapes, shape) == shapes.end()) { shapes.push_back(shape); }
  };
  const std::vector<std::uint32_t> lengths = lengthsIn(program);
  for (const MemoryObject& object : program.objects) {
    if (object.space != MemorySpace::Shared || static_cast<int>(object.extents.size()) != rank) { continue; }
    Dim3 shape{1, 1, 1};
    std::uint32_t* const axes[] = {&shape.x, &shape.y, &shape.z};
    for (int axis = 0; axis < rank; ++axis) {
      const std::int64_t extent = object.extents[static_cast<std::size_t>(rank - 1 - axis)];
      *axes[axis] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(extent, 1, kMaxThreadsPerBlock));
    }
    add(shape);
  }
  static const std::vector<Dim3> kUsual[] = {{{256, 1, 1}, {128, 1, 1}, {64, 1, 1}, {512, 1, 1}, {1024, 1, 1}},
                                             {{16, 16, 1}, {32, 8, 1}, {8, 8, 1}, {32, 32, 1}},
                                             {{8, 8, 8}, {8, 8, 4}, {32, 4, 2}}};
  const std::size_t own = shapes.size();
  if (rank == 1) {
    for (const std::uint32_t x : lengths) { add({x, 1, 1}); }
  } else if (rank == 2) {
    for (const std::uint32_t x : lengths) {
      for (const std::uint32_t y : lengths) { add({x, y, 1}); }
    }
  }
  std::ranges::stable_sort(
      shapes.begin() + static_cast<std::ptrdiff_t>(own), shapes.end(),
      [&](const Dim3& one, const Dim3& other) { return (one.count() == most) > (other.count() == most); });
  shapes.resize(std::min(shapes.size(), kMostShapes));
  for (const Dim3& shape : kUsual[rank - 1]) { add(shape); }
  return shapes;
}

/// Numbers that the kernel takes and of which the text says nothing.
std::vector<std::string> unknownNumbers(const CheckedKernel& row) {
  std::vector<std::string> names;
  for (const Parameter& parameter : row.report->program->parameters) {
    const auto argument = row.text->arguments.find(parameter.name);
    const bool number = parameter.object == kNone && !isFloating(parameter.type);
    if (number && argument != row.text->arguments.end() && argument->second.text() == "1") {
      names.push_back(parameter.name);
    }
  }
  return names;
}

/// Whether the arrays that the launch passes are left: how large they are follows from the sizes that are assumed.
bool leavesGlobalArrays(const CheckedKernel& row) {
  return std::ranges::any_of(row.report->findings, [&](const faults::Finding& one) {
    return one.kind == faults::FindingKind::OutOfBounds &&
           (one.object == kNone || row.report->program->objects[one.object].space == MemorySpace::Global);
  });
}

/// How many elements of its outputs the kernel changes.
std::int64_t coveredBy(const CheckedKernel& row) {
  const Program& program = *row.report->program;
  const std::vector<bool> all = writtenObjects(program);
  std::set<ObjectId> written;
  for (ObjectId object = 0; object < all.size(); ++object) {
    if (all[object] && program.objects[object].space == MemorySpace::Global) { written.insert(object); }
  }
  return opening::tryLaunch(*row.text, program, written).covered;
}

bool asksForItsBlock(const Program& program) {
  return uses(program, Builtin::BlockIdxX) || uses(program, Builtin::BlockIdxY) || uses(program, Builtin::BlockIdxZ);
}

/// What a launch is tried with in place of what was proposed.
struct Change {
  std::optional<Dim3> block{}, grid{};
  std::map<std::string, std::string> bindings{};
};

/// Elements that the kernel changes for each thread of its launch.
double coveredByAThread(const CheckedKernel& row) {
  const LaunchConfiguration launch = row.text->configuration(row.bindings);
  return static_cast<double>(coveredBy(row)) / static_cast<double>(launch.grid.count() * launch.block.count());
}

/// Threads that do not come to their work find no fault either. Some of the values are there already.
bool worksAsMuch(const CheckedKernel& other, const CheckedKernel& row, const Change& change) {
  const bool asMany = 10 * coveredBy(other) >= 9 * coveredBy(row);
  if (change.bindings.empty()) { return asMany || coveredByAThread(other) >= coveredByAThread(row); }
  return 2 * coveredByAThread(other) >= coveredByAThread(row);
}

}  // namespace

void tryOtherLaunches(CheckedKernel& row, const opening::LaunchOverrides& overrides, bool isWritten,
                      const checking::CheckOptions& options) {
  const auto isEndless = [](const faults::Finding& one) { return one.kind == faults::FindingKind::Endless; };
  if (!row.checked() || !row.text || overrides.block || overrides.grid ||
      std::ranges::any_of(row.report->findings, isEndless) ||
      std::ranges::all_of(row.report->findings, checking::isWrongResult)) {
    return;
  }
  const Dim3 proposed = row.text->configuration(row.bindings).block;
  std::vector<Change> changes;
  for (const std::int64_t number : kNumbers) {
    Change one;
    for (const std::string& name : unknownNumbers(row)) { one.bindings[name] = std::to_string(number); }
    if (!one.bindings.empty()) { changes.push_back(std::move(one)); }
  }
  if (!isWritten && !leavesGlobalArrays(row)) {
    // Twice the threads: each of two elements, as in a scan. Then few, and as many as there are threads.
    for (const std::uint64_t number : {2 * proposed.count(), std::uint64_t{8}, proposed.count()}) {
      Change one;
      for (const SizeParameter& size : row.text->sizes) { one.bindings[size.name] = std::to_string(number); }
      changes.push_back(std::move(one));
    }
  }
  if (!asksForItsBlock(*row.report->program)) {
    changes.push_back({.block = proposed, .grid = Dim3{1, 1, 1}, .bindings = {}});
  }
  if (!isWritten) {
    for (const Dim3& shape : shapesFor(*row.report->program, proposed)) {
      changes.push_back({.block = shape, .grid = {}, .bindings = {}});
    }
  }
  opening::LaunchOverrides best = overrides;
  for (const Change& change : changes) {
    opening::LaunchOverrides changed = best;
    if (change.block) { changed.block = change.block; }
    if (change.grid) { changed.grid = change.grid; }
    for (const auto& [name, value] : change.bindings) { changed.bindings[name] = value; }
    CheckedKernel other = row;
    other.report.reset();
    const opening::OpenedFile opened = opening::openText(row.text->path, row.text->text, changed);
    const auto same = std::ranges::find_if(
        opened.kernels, [&](const opening::ProposedKernel& one) { return one.file.kernel == row.kernel; });
    if (same == opened.kernels.end()) { continue; }
    other.assumptions = same->assumptions;
    other.errors.clear();
    checkKernel(same->file, {}, other, options);
    if (!other.checked() || !other.errors.empty()) { continue; }
    const Found now = foundIn(row), then = foundIn(other);
    const bool isPart = then.size() < now.size() && std::ranges::includes(now, then);
    if (!isPart || !worksAsMuch(other, row, change)) { continue; }
    row = std::move(other);
    best = std::move(changed);
    if (row.report->findings.empty()) { return; }
  }
}

}  // namespace haloscope::judging
