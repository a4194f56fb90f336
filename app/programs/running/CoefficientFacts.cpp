#include "running/CoefficientFacts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "analysis/ElementName.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "program/AccessedObjects.h"
#include "running/UnsetArrays.h"
#include "simt/Executor.h"

namespace haloscope::running {

namespace {

/// Of one execution, in warp instructions.
constexpr std::uint64_t kFactBudget = 50'000'000;
/// An array of more elements that is only read is no set of coefficients.
constexpr std::int64_t kMostOfFilter = 1024;
/// With fewer elements, reading one twice and leaving one out may be meant.
constexpr std::int64_t kFewestOfFilter = 5;
constexpr std::uint64_t kMostThreads = std::uint64_t{1} << 22;

bool isCoefficients(const ComputedArray& array) {
  return array.reads && !array.writes && isFloating(array.before.element) && array.before.elementCount() > 0 &&
         array.before.elementCount() <= kMostOfFilter;
}

bool isAllZero(const ArrayData& array) {
  for (std::int64_t i = 0; i < array.elementCount(); ++i) {
    if (experiment::valueAt(array, i) != 0) { return false; }
  }
  return true;
}

/// Whether a point is computed from several elements: one that is scaled by zero may be meant to be cleared.
bool combinesElements(const Program& program) {
  std::size_t loads = 0;
  for (const Instruction& one : program.code) {
    if (one.op == Opcode::LoopTest) { return true; }
    const bool global = one.op == Opcode::Load && one.aux != kNone &&
                        program.objects[one.aux].space == MemorySpace::Global && isFloating(one.type);
    loads += global ? 1 : 0;
  }
  return loads > 1;
}

/// The names of the coefficients of a kernel, all zero, that make all zero that it writes; none: they do not.
std::vector<std::string> zeroCoefficients(const ExecutedKernel& kernel, const std::vector<ProgramLaunch>& launches,
                                          const ComparisonLimit& limit) {
  const ProgramLaunch& launch = launches[kernel.launch];
  if (!combinesElements(*kernel.before.program)) { return {}; }
  const Computation computation = computationOf(kernel);
  std::vector<std::string> names;
  std::map<std::size_t, std::uint64_t> numbers;
  std::map<std::size_t, ArrayData> arrays;
  for (std::size_t i = 0; i < computation.numbers.size(); ++i) {
    const ComputedNumber& number = computation.numbers[i];
    if (!number.isCoefficient || !isFloating(number.type)) { continue; }
    if (valueOf(number) != 0) { return {}; }
    const auto same = [&](const ProgramLaunch& one) {
      const auto mine = launch.scalars.find(number.name), its = one.scalars.find(number.name);
      return one.symbol != launch.symbol ||
             (mine != launch.scalars.end() && its != one.scalars.end() && mine->second == its->second);
    };
    if (!std::ranges::all_of(launches, same)) { return {}; }
    ArrayData one{.element = number.type, .extents = {1}, .bytes = std::vector<std::byte>(sizeof(std::uint64_t))};
    experiment::setValue(one, 0, 1);
    std::memcpy(&numbers[i], one.bytes.data(), sizeof(std::uint64_t));
    names.push_back(number.name);
  }
  std::int64_t input = 0, zeros = 0;  // elements of the largest
  for (std::size_t i = 0; i < computation.arrays.size(); ++i) {
    const ComputedArray& array = computation.arrays[i];
    // A small array that is not zero may be the input.
    if (!isCoefficients(array) || !isAllZero(array.before)) {
      const bool reads = array.reads && isFloating(array.before.element);
      if (reads && !isAllZero(array.before)) { input = std::max(input, array.before.elementCount()); }
      continue;
    }
    // Another launch may have other ones.
    if (kernel.launches > 1) { return {}; }
    ArrayData& other = arrays[i] = array.before;
    for (std::int64_t k = 0; k < other.elementCount(); ++k) { experiment::setValue(other, k, 1); }
    zeros = std::max(zeros, other.elementCount());
    names.push_back(array.name);
  }
  // An input that is zero is taken with coefficients that are fewer.
  constexpr std::int64_t kTimesLarger = 4;
  if (names.empty() || input < kTimesLarger * std::max<std::int64_t>(zeros, 1) || limit.isReached()) { return {}; }
  const auto others = executeAgain(kernel, arrays, numbers, limit.stop);
  if (!others) { return {}; }
  std::int64_t points = 0, depending = 0;
  for (std::size_t i = 0; i < computation.arrays.size(); ++i) {
    const ComputedArray& array = computation.arrays[i];
    if (!array.writes) { continue; }
    const ArrayData& other = (*others)[i];
    points += array.after.elementCount();
    for (std::int64_t k = 0; k < array.after.elementCount(); ++k) {
      const double before = experiment::valueAt(array.before, k), after = experiment::valueAt(array.after, k);
      const bool kept = before == after || (std::isnan(before) && std::isnan(after));
      if (!kept && after != 0) { return {}; }
      const double changed = experiment::valueAt(other, k);
      if (after == 0 && changed != 0) { ++depending; }
    }
  }
  return 2 * depending >= points ? names : std::vector<std::string>{};
}

/// What single threads read: how often each small array that is only read, and in the middle of the grid which elements
/// of the others, by which term.
class ThreadReads final : public simt::Observer {
 public:
  struct Term {
    ObjectId object = kNone;
    std::int64_t index = 0;
    std::uint32_t instruction = 0;
  };
  struct Thread {
    std::vector<Term> loads{};
    std::int64_t stored = -1;
    int stores = 0;
  };

  ThreadReads(const Program& program, const Launch& launch, std::vector<bool> small)
      : program_(program), launch_(launch), small_(std::move(small)), middle_(launch.configuration.grid.count() / 2) {
    const auto threads =
        static_cast<std::size_t>(launch.configuration.grid.count() * launch.configuration.block.count());
    filters_.resize(small_.size());
    for (ObjectId object = 0; object < small_.size(); ++object) {
      if (!small_[object]) { continue; }
      filters_[object].by.assign(static_cast<std::size_t>(launch.arrays[object].elementCount()), kNone);
      filters_[object].counts.assign(threads, 0);
    }
  }

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override {
    return isAccess(program_.code[instruction].op);
  }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<ThreadReads>(program_, launch_, small_);
  }
  void join(Observer& worker) override {
    auto& other = static_cast<ThreadReads&>(worker);
    for (ObjectId object = 0; object < filters_.size(); ++object) {
      Filter& mine = filters_[object];
      const Filter& its = other.filters_[object];
      for (std::size_t i = 0; i < mine.by.size(); ++i) { mine.by[i] = std::min(mine.by[i], its.by[i]); }
      mine.most = std::max(mine.most, its.most);
    }
    threads_.merge(other.threads_);
  }
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override {
    if (access.object >= small_.size()) { return; }
    const bool counts = small_[access.object] && access.element == launch_.arrays[access.object].element;
    const bool keeps = !counts && context.blockLinear == middle_ && access.space == MemorySpace::Global;
    if (!counts && !keeps) { return; }
    Filter& filter = filters_[access.object];
    const std::uint64_t first =
        context.blockLinear * launch_.configuration.block.count() + std::uint64_t{context.warp} * kWarpSize;
    for (LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      const std::int64_t index = access.index[lane];
      if (counts) {
        std::uint32_t& by = filter.by[static_cast<std::size_t>(index)];
        by = std::min(by, access.instruction);
        filter.most = std::max(filter.most, ++filter.counts[first + lane]);
        continue;
      }
      Thread& one = threads_[first + lane];
      if (access.store) {
        one.stored = index;
        ++one.stores;
      } else {
        one.loads.push_back({access.object, index, access.instruction});
      }
    }
  }

  struct Filter {
    std::vector<std::uint32_t> by;      ///< the first instruction that reads each element, or kNone; empty: no filter
    std::vector<std::uint32_t> counts;  ///< reads by each thread
    std::uint32_t most = 0;             ///< of these
  };
  /// By object.
  [[nodiscard]] const std::vector<Filter>& filters() const { return filters_; }
  [[nodiscard]] const std::map<std::uint64_t, Thread>& threads() const { return threads_; }

 private:
  const Program& program_;
  const Launch& launch_;
  std::vector<bool> small_;
  std::uint64_t middle_;
  std::vector<Filter> filters_;
  std::map<std::uint64_t, Thread> threads_;
};

std::string elementNames(const Program& program, ObjectId object, const std::vector<std::int64_t>& elements) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kMost, elements.size()); ++i) {
    names.push_back(analysis::elementName(program, object, elements[i]));
  }
  return fmt::format("{}{}", fmt::join(names, ", "), elements.size() > kMost ? ", …" : "");
}

/// A filter of which elements are left out that others take the place of.
std::optional<faults::Finding> unreadCoefficients(const ExecutedKernel& kernel, const ThreadReads& reads) {
  const Program& program = *kernel.before.program;
  for (ObjectId object = 0; object < reads.filters().size(); ++object) {
    const ThreadReads::Filter& filter = reads.filters()[object];
    const ArrayData& array = kernel.before.launch.arrays[object];
    const auto count = static_cast<std::int64_t>(filter.by.size());
    if (count < kFewestOfFilter || std::cmp_not_equal(filter.most, count)) { continue; }
    std::vector<std::int64_t> unread;
    std::uint32_t by = kNone;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t one = filter.by[static_cast<std::size_t>(i)];
      by = std::min(by, one);
      if (one == kNone && experiment::valueAt(array, i) != 0) { unread.push_back(i); }
    }
    if (unread.empty() || by == kNone) { continue; }
    faults::Finding finding;
    finding.kind = faults::FindingKind::WrongResult;
    finding.where = program.code[by].range;
    finding.object = object;
    finding.index = unread.front();
    finding.occurrences = unread.size();
    finding.message = trn(
        "a thread reads {} elements of {}, which has as many, but some of them twice: {} element, which is not zero, "
        "is read by no thread ({})",
        "a thread reads {} elements of {}, which has as many, but some of them twice: {} elements, which are not zero, "
        "are read by no thread ({})",
        unread.size(), count, program.objects[object].name, unread.size(), elementNames(program, object, unread));
    return finding;
  }
  return std::nullopt;
}

/// Of a thread that writes one element: the offset that two terms read, if that is the only one whose opposite none
/// reads.
struct Doubled {
  ThreadReads::Term term;
  std::int64_t opposite = 0;
};
std::optional<Doubled> doubledNeighbour(const ThreadReads::Thread& thread) {
  if (thread.stores != 1) { return std::nullopt; }
  std::map<std::int64_t, std::set<std::uint32_t>> terms;  // by offset
  for (const ThreadReads::Term& one : thread.loads) {
    if (one.object != thread.loads.front().object) { return std::nullopt; }
    terms[one.index - thread.stored].insert(one.instruction);
  }
  constexpr std::size_t kFewest = 3;
  std::optional<std::int64_t> doubled;
  for (const auto& [offset, by] : terms) {
    const bool paired = offset == 0 || terms.contains(-offset);
    if (by.size() == 1 && paired) { continue; }
    if (by.size() != 2 || paired || doubled) { return std::nullopt; }
    doubled = offset;
  }
  if (!doubled || terms.size() < kFewest) { return std::nullopt; }
  const std::uint32_t last = *terms[*doubled].rbegin();
  const auto term = std::ranges::find(thread.loads, last, &ThreadReads::Term::instruction);
  return Doubled{*term, thread.stored - *doubled};
}

std::optional<HostFinding> neighbourTwice(const ExecutedKernel& kernel, const ThreadReads& reads,
                                          const ProgramLaunch& launch) {
  const Program& program = *kernel.before.program;
  std::optional<Doubled> found;
  std::size_t with = 0, without = 0;
  for (const auto& [thread, one] : reads.threads()) {
    if (one.stores == 0 || one.loads.empty()) { continue; }
    if (auto doubled = doubledNeighbour(one)) {
      ++with;
      if (!found) { found = std::move(doubled); }
    } else {
      ++without;
    }
  }
  // At a border a thread may use the point beside it twice.
  if (!found || without > with) { return std::nullopt; }
  return HostFinding{
      .kind = HostFindingKind::NeighbourTwice,
      .at = {.file = launch.file, .line = program.code[found->term.instruction].range.line},
      .message = trf("Two terms of {} read the same neighbour, {}, and none reads the opposite one, {}, although all "
                     "others are read in pairs: is that meant?",
                     launch.kernel, analysis::elementName(program, found->term.object, found->term.index),
                     analysis::elementName(program, found->term.object, found->opposite))};
}

std::optional<ThreadReads> readsOf(const ExecutedKernel& kernel, const ComparisonLimit& limit) {
  const Program& program = *kernel.before.program;
  Launch launch = kernel.before.launch;
  if (launch.configuration.grid.count() > kMostThreads / launch.configuration.block.count()) { return std::nullopt; }
  const std::vector<bool> written = writtenObjects(program);
  std::vector<bool> small(program.objects.size(), false);
  for (const ObjectId object : kernel.before.arrays) {
    const ArrayData& array = launch.arrays[object];
    small[object] = !written[object] && isFloating(array.element) && array.elementCount() <= kMostOfFilter;
  }
  ThreadReads reads(program, kernel.before.launch, small);
  simt::ExecuteOptions options;
  options.workers = 1;
  options.launchBudget = kFactBudget;
  options.stop = limit.stop;
  const simt::ExecuteResult result = simt::execute(program, launch, std::array<simt::Observer*, 1>{&reads}, options);
  if (result.outcome != simt::Outcome::Finished || result.outOfBounds > 0) { return std::nullopt; }
  return reads;
}

/// Whether other launches, too, have what a kernel only reads: they may read the rest of it.
bool sharesCoefficients(const ProgramLaunch& launch, const std::vector<ProgramLaunch>& launches, ObjectId object) {
  const auto mine = allocationOf(launch, object);
  if (!mine) { return true; }
  return std::ranges::any_of(launches, [&](const ProgramLaunch& one) {
    if (&one == &launch) { return false; }
    for (const auto* const all : {&one.pointers, &one.variables}) {
      for (const LaunchPointer& pointer : *all) {
        if (pointer.place && pointer.place->allocation == *mine) { return true; }
      }
    }
    return false;
  });
}

}  // namespace

std::vector<CoefficientFact> coefficientFacts(const std::vector<ExecutedKernel>& kernels,
                                              const std::vector<ProgramLaunch>& launches,
                                              const ComparisonLimit& limit) {
  std::vector<CoefficientFact> facts;
  std::set<std::string> known;
  for (const ExecutedKernel& kernel : kernels) {
    const ProgramLaunch& launch = launches[kernel.launch];
    if (limit.isReached() || !launch.findings.empty() || !known.insert(launch.symbol).second) { continue; }
    if (const auto names = zeroCoefficients(kernel, launches, limit); !names.empty()) {
      facts.push_back(
          {.launch = kernel.launch,
           .host = HostFinding{.kind = HostFindingKind::ZeroCoefficients,
                               .at = launch.at,
                               .message = trf("The coefficients of {} are zero ({}), and with them all that it "
                                              "computes, although its input is not. An integer division such as 1 / 3 "
                                              "is zero.",
                                              launch.kernel, fmt::join(names, ", "))}});
      continue;
    }
    const std::optional<ThreadReads> reads = readsOf(kernel, limit);
    if (!reads) { continue; }
    CoefficientFact fact{.launch = kernel.launch, .host = neighbourTwice(kernel, *reads, launch)};
    fact.kernel = unreadCoefficients(kernel, *reads);
    if (fact.kernel && sharesCoefficients(launch, launches, fact.kernel->object)) { fact.kernel.reset(); }
    if (fact.host || fact.kernel) { facts.push_back(std::move(fact)); }
  }
  return facts;
}

}  // namespace haloscope::running
