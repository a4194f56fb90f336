#include "state/ProgramTimeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

namespace haloscope {

namespace {

using running::DevicePlace;
using running::ProgramEvent;
using running::ProgramLaunch;
using running::ProgramRun;
using CallKind = ProgramColumn::Kind;

constexpr std::size_t kLongestPeriod = 8;
constexpr std::size_t kFewestRepeats = 5;
constexpr std::size_t kShownRepeats = 2;  ///< before what is folded; one is shown after it

std::optional<CallKind> kindOf(ProgramEvent::Kind kind) {
  switch (kind) {
    case ProgramEvent::Kind::Allocate:
      return CallKind::Allocate;
    case ProgramEvent::Kind::Free:
      return CallKind::Free;
    case ProgramEvent::Kind::Copy:
    case ProgramEvent::Kind::Symbol:
      return CallKind::Copy;
    case ProgramEvent::Kind::Fill:
      return CallKind::Fill;
    case ProgramEvent::Kind::Launch:
      return CallKind::Launch;
    case ProgramEvent::Kind::Synchronize:
      return CallKind::Synchronize;
    case ProgramEvent::Kind::Record:
      return CallKind::Record;
    case ProgramEvent::Kind::Error:
      break;
  }
  return std::nullopt;
}

void mix(std::size_t& hash, std::size_t value) { hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6) + (hash >> 2); }

/// Equal for columns that do the same: the same call at the same place, with the same arrays and the same success.
std::size_t signatureOf(const ProgramRun& run, const ProgramTimeline& timeline, std::size_t column) {
  const ProgramColumn& one = timeline.columns[column];
  std::size_t hash = static_cast<std::size_t>(one.kind);
  if (one.kind == CallKind::Print) { return hash; }
  const ProgramEvent& event = run.events[one.event];
  mix(hash, std::hash<std::string>()(event.at.file));
  mix(hash, static_cast<std::size_t>(event.at.line));
  mix(hash, event.bytes);
  mix(hash, static_cast<std::size_t>(event.error));
  for (const ArrayUse& use : timeline.uses(run, column)) {
    mix(hash, use.row * 4 + (use.reads ? 2 : 0) + (use.writes ? 1 : 0));
  }
  if (one.kind == CallKind::Launch) {
    const ProgramLaunch& launch = run.launches[event.launch];
    mix(hash, std::hash<std::string>()(launch.symbol));
    for (const Dim3& extent : {launch.configuration.grid, launch.configuration.block}) {
      for (const std::uint32_t value : {extent.x, extent.y, extent.z}) { mix(hash, value); }
    }
    mix(hash, launch.executed ? 1 : 0);
    mix(hash, launch.findings.size());
    mix(hash, std::hash<std::string>()(launch.problem));
  }
  return hash;
}

std::vector<RepeatedColumns> repeatsOf(const std::vector<std::size_t>& signatures) {
  std::vector<RepeatedColumns> all;
  for (std::size_t i = 0; i < signatures.size();) {
    RepeatedColumns best;
    for (std::size_t period = 1; period <= kLongestPeriod && i + period < signatures.size(); ++period) {
      std::size_t same = 0;
      while (i + period + same < signatures.size() && signatures[i + same] == signatures[i + period + same]) { ++same; }
      const RepeatedColumns one{i, period, 1 + same / period};
      if (one.times >= kFewestRepeats && one.end() > best.end()) { best = one; }
    }
    if (best.times < kFewestRepeats) {
      ++i;
    } else {
      all.push_back(best);
      i = best.end();
    }
  }
  return all;
}

void use(std::vector<ArrayUse>& uses, std::optional<std::size_t> row, bool reads, bool writes) {
  if (!row || (!reads && !writes)) { return; }
  const auto known = std::ranges::find(uses, *row, &ArrayUse::row);
  if (known == uses.end()) {
    uses.push_back({*row, reads, writes});
  } else {
    known->reads |= reads;
    known->writes |= writes;
  }
}

}  // namespace

ProgramTimeline::ProgramTimeline(const ProgramRun& run, const std::vector<std::string>& names) {
  std::vector<bool> used(run.allocations.size(), false);
  const auto note = [&](const std::optional<DevicePlace>& place) {
    if (place && place->allocation < used.size()) { used[place->allocation] = true; }
  };
  std::size_t printed = 0;
  const auto printUpTo = [&](std::size_t end, std::size_t event) {
    if (end <= printed) { return; }
    printed = end;
    columns.push_back({.kind = CallKind::Print, .event = event, .printed = printed});
  };
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    const ProgramEvent& event = run.events[i];
    printUpTo(std::min(event.printed, run.output.size()), i);
    const std::optional<CallKind> kind = kindOf(event.kind);
    if (!kind) { continue; }
    if (kind == CallKind::Launch) {
      launches.push_back(columns.size());
      for (const auto* list : {&run.launches[event.launch].pointers, &run.launches[event.launch].variables}) {
        for (const running::LaunchPointer& pointer : *list) { note(pointer.place); }
      }
    }
    note(event.destination);
    note(event.source);
    columns.push_back({.kind = *kind, .event = i, .printed = printed});
  }
  printUpTo(run.output.size(), run.events.size());

  rowOf.resize(run.allocations.size());
  // Of several GPUs, each has its rows together, behind those of the host.
  const bool several =
      std::ranges::any_of(run.allocations, [](const running::Allocation& one) { return one.device != 0; });
  const auto ofHost = [](const running::Allocation& one) { return one.hostAddress != 0; };
  std::vector<std::size_t> order(run.allocations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (several) {
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return ofHost(run.allocations[i]) ? 0U : run.allocations[i].device + 1; });
  }
  for (const std::size_t i : order) {
    // A variable of the device that nothing uses says nothing.
    if (!used[i] && !run.allocations[i].name.empty()) { continue; }
    rowOf[i] = rows.size();
    const std::string name = i < names.size() ? names[i] : std::string();
    rows.push_back({.allocation = static_cast<running::AllocationId>(i),
                    .name = several && !ofHost(run.allocations[i])
                                ? fmt::format("GPU {} {}", run.allocations[i].device, name)
                                : name,
                    .begin = 0,
                    .end = columns.size(),
                    .firstWrite = std::nullopt});
  }
  std::vector<std::size_t> signatures;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const ProgramColumn& one = columns[column];
    signatures.push_back(signatureOf(run, *this, column));
    for (const ArrayUse& use : uses(run, column)) {
      ProgramRow& row = rows[use.row];
      if (use.writes && !row.firstWrite) { row.firstWrite = column; }
    }
    if (one.kind != CallKind::Allocate && one.kind != CallKind::Free) { continue; }
    const ProgramEvent& event = run.events[one.event];
    const std::optional<DevicePlace>& place = one.kind == CallKind::Allocate ? event.destination : event.source;
    if (!place || event.error != 0 || place->allocation >= rowOf.size() || !rowOf[place->allocation]) { continue; }
    ProgramRow& row = rows[*rowOf[place->allocation]];
    (one.kind == CallKind::Allocate ? row.begin : row.end) = one.kind == CallKind::Allocate ? column : column + 1;
  }
  repeats = repeatsOf(signatures);
}

std::vector<ArrayUse> ProgramTimeline::uses(const ProgramRun& run, std::size_t column) const {
  std::vector<ArrayUse> all;
  const ProgramColumn& one = columns.at(column);
  const auto row = [&](const std::optional<DevicePlace>& place) -> std::optional<std::size_t> {
    if (!place || place->allocation >= rowOf.size()) { return std::nullopt; }
    return rowOf[place->allocation];
  };
  if (one.kind == CallKind::Print) { return all; }
  const ProgramEvent& event = run.events[one.event];
  if (one.kind == CallKind::Launch) {
    const ProgramLaunch& launch = run.launches[event.launch];
    for (const auto* list : {&launch.pointers, &launch.variables}) {
      for (const running::LaunchPointer& pointer : *list) {
        use(all, row(pointer.place), pointer.reads, pointer.writes);
      }
    }
  } else if (one.kind == CallKind::Copy || one.kind == CallKind::Fill) {
    use(all, row(event.source), true, false);
    use(all, row(event.destination), false, true);
  }
  std::ranges::sort(all, {}, &ArrayUse::row);
  return all;
}

std::optional<std::size_t> ProgramTimeline::launchAt(const ProgramRun& run, std::size_t column) const {
  if (column >= columns.size() || columns[column].kind != CallKind::Launch) { return std::nullopt; }
  return run.events[columns[column].event].launch;
}

FoldedColumns::FoldedColumns(const ProgramTimeline& timeline, std::optional<std::size_t> opened, bool fold) {
  if (fold) {
    for (const RepeatedColumns& one : timeline.repeats) {
      std::size_t from = one.begin + kShownRepeats * one.period;
      const std::size_t to = one.end() - one.period;
      if (opened && *opened >= from && *opened < to) {
        const std::size_t repeat = from + (*opened - from) / one.period * one.period;
        add(from);
        addFolded(repeat, one.period);
        from = repeat + one.period;
      }
      add(from);
      addFolded(to, one.period);
    }
  }
  add(timeline.columns.size());
}

void FoldedColumns::add(std::size_t end) {
  if (end <= column_) { return; }
  parts_.push_back({.place = width_, .column = column_, .count = end - column_});
  width_ += end - column_;
  column_ = end;
}

void FoldedColumns::addFolded(std::size_t end, std::size_t period) {
  if (end <= column_ + kFoldWidth) { return add(end); }  // there is as much room for the columns themselves
  parts_.push_back({.place = width_, .column = column_, .count = end - column_, .period = period, .folded = true});
  width_ += kFoldWidth;
  column_ = end;
  foldsAny_ = true;
}

FoldedColumns::Item FoldedColumns::at(std::size_t place) const {
  const auto after = std::ranges::upper_bound(parts_, place, {}, &Part::place);
  if (after == parts_.begin()) { return {}; }
  const Part& part = *std::prev(after);
  if (part.folded) { return {part.place, part.column, part.count, part.period}; }
  return {place, part.column + (place - part.place), 1, 1};
}

FoldedColumns::Item FoldedColumns::itemOf(std::size_t column) const {
  const auto after = std::ranges::upper_bound(parts_, column, {}, &Part::column);
  if (after == parts_.begin()) { return {}; }
  const Part& part = *std::prev(after);
  return at(part.folded ? part.place : part.place + (column - part.column));
}

}  // namespace haloscope
