#include "judging/OtherBlocks.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "checking/WrongResult.h"
#include "opening/LaunchTrial.h"

namespace haloscope::judging {

namespace {

constexpr std::size_t kMostTried = 6;

using Found = std::set<std::pair<faults::FindingKind, int>>;  ///< kinds, with their lines

Found foundIn(const CheckedKernel& row) {
  Found found;
  for (const faults::Finding& one : row.report->findings) { found.emplace(one.kind, one.where.line); }
  return found;
}

/// Blocks like the extents of the arrays that the block shares, then the usual ones.
std::vector<Dim3> shapesFor(const Program& program, const Dim3& proposed) {
  const int rank = proposed.z > 1 ? 3 : proposed.y > 1 ? 2 : 1;
  std::vector<Dim3> shapes;
  const auto add = [&](Dim3 shape) {
    const bool usual = shape.count() >= 64 && shape.count() <= kMaxThreadsPerBlock && shape.z <= kMaxBlockZ;
    if (usual && shape != proposed && std::ranges::find(shapes, shape) == shapes.end()) { shapes.push_back(shape); }
  };
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
  for (const Dim3& shape : kUsual[rank - 1]) { add(shape); }
  shapes.resize(std::min(shapes.size(), kMostTried));
  return shapes;
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
  return std::ranges::any_of(program.registers, [](const Register& one) {
    return one.kind == RegisterKind::Builtin &&
           (one.builtin == Builtin::BlockIdxX || one.builtin == Builtin::BlockIdxY ||
            one.builtin == Builtin::BlockIdxZ);
  });
}

}  // namespace

void tryOtherBlocks(CheckedKernel& row, const opening::LaunchOverrides& overrides, bool isWritten,
                    const checking::CheckOptions& options) {
  const auto isEndless = [](const faults::Finding& one) { return one.kind == faults::FindingKind::Endless; };
  if (!row.checked() || !row.text || overrides.block || overrides.grid ||
      std::ranges::any_of(row.report->findings, isEndless) ||
      std::ranges::all_of(row.report->findings, checking::isWrongResult)) {
    return;
  }
  const Dim3 proposed = row.text->configuration(row.bindings).block;
  std::vector<opening::LaunchOverrides> tried;
  const auto add = [&](const Dim3& block) -> opening::LaunchOverrides& {
    opening::LaunchOverrides& one = tried.emplace_back(overrides);
    one.block = block;
    return one;
  };
  if (!asksForItsBlock(*row.report->program)) { add(proposed).grid = Dim3{1, 1, 1}; }
  if (!isWritten) {
    for (const Dim3& shape : shapesFor(*row.report->program, proposed)) { add(shape); }
  }
  for (const opening::LaunchOverrides& changed : tried) {
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
    // Threads that do not come to their work find no fault either.
    if (10 * coveredBy(other) < 9 * coveredBy(row)) { continue; }  // some values are there already
    const Found now = foundIn(row), then = foundIn(other);
    if (then.size() < now.size() && std::ranges::includes(now, then)) { row = std::move(other); }
    if (row.report->findings.empty()) { return; }
  }
}

}  // namespace haloscope::judging
