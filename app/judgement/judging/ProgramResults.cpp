#include "judging/ProgramResults.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "language/Text.h"
#include "running/Arrivals.h"
#include "running/OtherResults.h"

namespace haloscope::judging {

namespace {

using running::CopiedBytes;

/// Constants and counters say little of a result.
constexpr std::int64_t kFewestElements = 8;

/// With zeros nothing is given: cudaMemset() may have written them.
std::set<CopiedBytes::Contents> withoutZeros(std::set<CopiedBytes::Contents> given) {
  std::erase_if(given, [](const CopiedBytes::Contents& one) {
    return std::ranges::all_of(one, [](std::byte byte) { return byte == std::byte{0}; });
  });
  return given;
}

}  // namespace

std::optional<ProgramResults> ProgramResults::of(const ExecutedProgram& program) {
  const running::ProgramRun& run = program.run;
  if (!run.isWhole() || !run.sizes.empty() || leavesOut(run.excess) || !running::Repetitions::isQuick(run)) {
    return std::nullopt;
  }
  const auto [again, copied] = running::Repetitions(run, program.files.program, program.options).recorded();
  if (again.end != running::ProgramEnd::Exited || !copied.whole) { return std::nullopt; }
  ProgramResults results;
  results.given_ = withoutZeros(copied.toDevice);
  results.status_ = again.status;
  results.launches_ = again.launches.size();
  std::map<running::AllocationId, ArrayData> last;
  for (const running::Arrival& arrival : running::arrivalsIn(again)) {
    const auto bytes = copied.toHost.find({arrival.event, arrival.from});
    const std::optional<ValueType> element = running::elementOf(again, arrival.from);
    results.any_ = results.any_ || !arrival.kernels.empty();
    if (bytes == copied.toHost.end() || arrival.kernels.empty() || !element) { continue; }
    ArrayData array = running::arrayOf(*element, bytes->second);
    results.all_.push_back(array);
    last[arrival.from] = std::move(array);
  }
  for (auto& [from, array] : last) {
    if (array.elementCount() >= kFewestElements && !running::holdsNan(array)) {
      results.last_.push_back(std::move(array));
    }
  }
  return results;
}

std::optional<std::string> ProgramResults::differenceFrom(const ProgramResults& reference,
                                                          const std::string& name) const {
  if (!given_.empty() && given_ == reference.given_) {
    for (const ArrayData& expected : reference.last_) {
      std::optional<running::RejectedResult> nearest;
      std::int64_t most = 0;
      for (const ArrayData& own : all_) {
        if (own.element == expected.element) { most = std::max(most, own.elementCount()); }
        if (own.element != expected.element || own.bytes.size() != expected.bytes.size()) { continue; }
        const running::RejectedResult how = running::differenceOf(own, expected);
        if (!nearest || how.differing < nearest->differing) { nearest = how; }
      }
      if (!any_) {
        return trf("nothing that a kernel computes reaches the host of its program, as it does in {}", name);
      }
      if (!nearest && most > 0 && most < expected.elementCount()) {
        return trf("its program copies {} elements of its result to the host, and {} copies {}", most, name,
                   expected.elementCount());
      }
      if (!nearest || nearest->differing == 0) { continue; }
      std::string text =
          trf("with the data of {} its program copies another result to the host: element {} is {:.6g}, not {:.6g} ({} "
              "of {} "
              "differ)",
              name, nearest->first, nearest->found, nearest->expected, nearest->differing, nearest->points);
      if (launches_ != reference.launches_) {
        text += trf("; it launches {} kernels, and {} {}", launches_, name, reference.launches_);
      }
      return text;
    }
  }
  if (status_ != 0 && reference.status_ == 0) {
    return trf("its program ends with status {}, that of {} with 0: it may reject its result", status_, name);
  }
  return std::nullopt;
}

bool ProgramResults::endsLike(const ProgramResults& reference) const {
  return !given_.empty() && given_ == reference.given_ && !reference.last_.empty() && !differenceFrom(reference, {});
}

}  // namespace haloscope::judging
