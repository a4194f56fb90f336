#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "analysis/ElementName.h"
#include "faults/MarkedElements.h"
#include "faults/Races.h"
#include "language/Text.h"

// What has raced, as findings.

namespace haloscope::faults {

namespace {

/// Whether two accesses can only meet because a loop goes back from the later to the earlier: in between, in the text,
/// is a barrier.
bool meetInNextTurn(const Program& program, std::uint32_t earlier, std::uint32_t later) {
  const auto begin = program.code.begin();
  const bool barrier = std::any_of(begin + earlier, begin + later, [](const Instruction& one) {
    return one.op == Opcode::Barrier && barrierKind(one) != BarrierKind::Grid;
  });
  return barrier && std::any_of(begin + later, program.code.end(), [&](const Instruction& one) {
           return one.op == Opcode::LoopBack && one.target <= earlier;
         });
}

}  // namespace

std::vector<Race> Races::races() const {
  std::vector<Race> all;
  for (ObjectId object = 0; object < watched_.size(); ++object) {
    const auto slots = static_cast<std::uint32_t>(watched_[object].uses.size());
    for (std::uint32_t a = 0; a < slots; ++a) {
      for (const std::uint32_t b : concurrent_->partners(object, a)) {
        if (b < a) { continue; }
        Race race = raceOf(object, a, b);
        if (race.finding.occurrences != 0) { all.push_back(std::move(race)); }
      }
    }
  }
  return all;
}

Race Races::raceOf(ObjectId object, std::uint32_t a, std::uint32_t b) const {
  const Watched& watched = watched_[object];
  const auto known = watched.pairs.find({a, b});
  const Pair pair = known == watched.pairs.end() ? Pair{} : known->second;
  // The writer is named first; of two, the one that comes first in the text.
  const bool swapped = !writes(object, a);
  Race race;
  const std::uint32_t writer = swapped ? b : a;
  const std::uint32_t other = swapped ? a : b;
  race.writer = concurrent_->instructions(object, writer).front();
  race.other = concurrent_->instructions(object, other).front();
  listOpen(race, object, writer, other);
  Finding& finding = race.finding;
  finding.kind = watched.global ? FindingKind::RaceGlobal : FindingKind::RaceShared;
  finding.where = program_.code[race.writer].range;
  finding.other = program_.code[race.other].range;
  finding.otherReads = program_.code[race.other].op == Opcode::Load;
  finding.object = object;
  finding.occurrences = pair.occurrences;
  if (pair.occurrences != 0) {
    finding.index = granules_.element(object, watched.first + pair.index);
    finding.interval = pair.interval;
    finding.threads = {placeOf(pair.block, swapped ? pair.threadB : pair.threadA),
                       placeOf(pair.block, swapped ? pair.threadA : pair.threadB)};
  }
  if (watched.global) {
    race.elements.push_back({0, RacingElements::kAnyInterval, watched.first, pair.marks});
    const bool onlyBetweenBlocks = pair.occurrences == 0;
    if (order_) {
      addOrderedPair(race, object, a, b, swapped);
      if (finding.occurrences != 0) { describe(race, onlyBetweenBlocks); }
      return race;
    }
    const std::int64_t first = addBetweenBlocks(race, object, a, b);
    if (onlyBetweenBlocks && first >= 0) {
      finding.index = granules_.element(object, watched.first + first);
      const GridUse& useA = *watched.gridUses[swapped ? b : a].find(static_cast<std::size_t>(first));
      const GridUse& useB = *watched.gridUses[swapped ? a : b].find(static_cast<std::size_t>(first));
      const std::uint64_t threads = launch_.configuration.threadsPerBlock();
      const bool lowFirst = (useA.least - 1) / threads != (useB.most - 1) / threads;
      const std::uint64_t threadA = lowFirst ? useA.least - 1 : useA.most - 1;
      const std::uint64_t threadB = lowFirst ? useB.most - 1 : useB.least - 1;
      finding.threads = {placeOf(threadA / threads, threadA % threads), placeOf(threadB / threads, threadB % threads)};
    }
    if (finding.occurrences != 0) { describe(race, onlyBetweenBlocks); }
    return race;
  }
  if (pair.occurrences == 0) { return race; }
  if (const auto marks = marks_.find({object, {a, b}}); marks != marks_.end()) { race.elements = marks->second; }
  std::sort(race.elements.begin(), race.elements.end(), [](const RacingElements& one, const RacingElements& two) {
    return std::tie(one.block, one.interval) < std::tie(two.block, two.interval);
  });
  describe(race, false);
  return race;
}

void Races::listOpen(Race& race, ObjectId object, std::uint32_t writer, std::uint32_t other) const {
  const auto add = [&](std::uint32_t slot) {
    const auto instructions = concurrent_->instructions(object, slot);
    race.open.insert(race.open.end(), instructions.begin(), instructions.end());
  };
  add(other);
  // Of two writers, either may have the last word. Where one reads, what it reads is open, not what is written.
  if (writer != other && writes(object, other)) { add(writer); }
}

std::int64_t Races::addBetweenBlocks(Race& race, ObjectId object, std::uint32_t a, std::uint32_t b) const {
  const Watched& watched = watched_[object];
  const provenance::PagedArray<GridUse>& usesA = watched.gridUses[a];
  const provenance::PagedArray<GridUse>& usesB = watched.gridUses[b];
  std::int64_t first = -1;
  for (std::size_t number = 0; number < usesA.pageCount(); ++number) {
    const auto* const pageA = usesA.page(number);
    const auto* const pageB = usesB.page(number);
    if (pageA == nullptr || pageB == nullptr) { continue; }
    for (std::size_t at = 0; at < pageA->size(); ++at) {
      if (!betweenBlocks(object, a, b, (*pageA)[at], (*pageB)[at])) { continue; }
      const auto index = static_cast<std::int64_t>(number * provenance::PagedArray<GridUse>::kPage + at);
      if (first < 0) { first = index; }
      ++race.finding.occurrences;
      mark(race.elements.front().set, index, watched.count);
    }
  }
  return first;
}

ThreadPlace Races::placeOf(std::uint64_t block, std::uint64_t thread) const {
  return {unlinear(block, launch_.configuration.grid), unlinear(thread, launch_.configuration.block)};
}

void Races::describe(Race& race, bool betweenBlocks) const {
  Finding& finding = race.finding;
  const auto who = [&](const ThreadPlace& place, const SourceRange& where) {
    std::string thread = tr("thread ") + text(place.thread);
    if (betweenBlocks) { thread += tr(" of block ") + text(place.block); }
    return trf("{} at line {}", thread, where.line);
  };
  const std::uint32_t earlier = std::min(race.writer, race.other), later = std::max(race.writer, race.other);
  if (!betweenBlocks && meetInNextTurn(program_, earlier, later)) {
    const bool writerIsLater = race.writer == later;
    const auto verb = [&](bool writer) { return writer || !finding.otherReads ? tr("written") : tr("read"); };
    const auto at = [&](bool writer) {
      return who(finding.threads[writer ? 0 : 1], writer ? finding.where : finding.other);
    };
    finding.message = trf("{} is {} by {} and, in the next turn of the loop, {} by {} with no barrier between",
                          analysis::elementName(program_, finding.object, finding.index), verb(writerIsLater),
                          at(writerIsLater), verb(!writerIsLater), at(!writerIsLater));
    return;
  }
  const std::string element = analysis::elementName(program_, finding.object, finding.index);
  const std::string writer = who(finding.threads[0], finding.where), other = who(finding.threads[1], finding.other);
  const char* const order = !betweenBlocks ? tr(" with no barrier between")
                            : order_
                                ? tr("; no fence and atomic, and no barrier of the grid, orders the two blocks here")
                                : tr("; the order of the blocks is undefined");
  const bool readFirst = finding.otherReads && !betweenBlocks && race.other < race.writer;
  finding.message = readFirst            ? trf("{} is read by {} and written by {}{}", element, other, writer, order)
                    : finding.otherReads ? trf("{} is written by {} and read by {}{}", element, writer, other, order)
                                         : trf("{} is written by {} and by {}{}", element, writer, other, order);
}

void Races::addOrderedPair(Race& race, ObjectId object, std::uint32_t a, std::uint32_t b, bool swapped) const {
  const auto known = gridUses_->pairs[object].find({a, b});
  if (known == gridUses_->pairs[object].end()) { return; }
  const GridPair& pair = known->second;
  if (race.finding.occurrences == 0) {
    const OrderedUse::One& first = swapped ? pair.b : pair.a;
    const OrderedUse::One& second = swapped ? pair.a : pair.b;
    race.finding.threads = {placeOf(first.block, first.thread), placeOf(second.block, second.thread)};
    race.finding.index = granules_.element(object, watched_[object].first + pair.index);
  }
  race.finding.occurrences += pair.occurrences;
  unite(race.elements.front().set, pair.marks);
}

}  // namespace haloscope::faults
