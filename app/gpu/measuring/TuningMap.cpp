#include "measuring/TuningMap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "program/SourceLocation.h"

namespace haloscope::measuring {

namespace {

constexpr std::int64_t kShortRange = 12;  // values: all of them are tried
constexpr std::int64_t kLongRange = 32;   // from the first to the last: powers of two alone

bool ofName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether `name` is a whole word of an expression.
bool mentions(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !ofName(text[at - 1])) && (end == text.size() || !ofName(text[end]))) { return true; }
  }
  return false;
}

TuningAxis axisOf(const KernelFile& file, const std::string& name, const Bindings& bindings) {
  return {name, triedValues(*file.findTunable(name), bindings.at(name))};
}

/// The message without the kernel's id, which is shown above the map.
std::string withoutId(const KernelFile& file, std::string message) {
  return message.starts_with(file.id + ": ") ? message.substr(file.id.size() + 2) : message;
}

}  // namespace

std::optional<std::size_t> TuningMap::best() const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].timed() && (!best || cells[i].time.medianMs < cells[*best].time.medianMs)) { best = i; }
  }
  return best;
}

std::optional<std::size_t> TuningMap::chosen(const Bindings& wanted) const {
  const auto same = [&](const TuningAxis& axis, const TuningCell& cell) {
    const auto value = wanted.find(axis.name);
    return axis.ofRegisters() || (value != wanted.end() && cell.bindings.at(axis.name) == value->second);
  };
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].registerLimit == 0 && same(columns, cells[i]) && same(rows, cells[i])) { return i; }
  }
  return std::nullopt;
}

std::vector<std::int64_t> triedValues(const Tunable& tunable, std::int64_t chosen) {
  std::vector<std::int64_t> values{std::clamp(chosen, tunable.minimum, tunable.maximum)};
  if (tunable.maximum - tunable.minimum < kShortRange) {
    for (std::int64_t value = tunable.minimum; value <= tunable.maximum; ++value) { values.push_back(value); }
  } else {
    const bool longRange = tunable.maximum / std::max<std::int64_t>(tunable.minimum, 1) > kLongRange;
    for (std::int64_t power = 1; power <= tunable.maximum; power *= 2) {
      if (power >= tunable.minimum) { values.push_back(power); }
      const std::int64_t between = power * 3;
      const bool in = between >= tunable.minimum && between <= tunable.maximum;
      if (!longRange && in) { values.push_back(between); }
    }
  }
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

std::int64_t withinRanges(const KernelFile& file, std::int64_t size) {
  for (const SizeParameter& one : file.sizes) { size = std::min(size, one.maximum); }
  for (const SizeParameter& one : file.sizes) { size = std::max(size, one.minimum); }
  return size;
}

std::vector<std::string> tuningAxes(const KernelFile& file) {
  std::vector<std::string> names;
  for (const Tunable& tunable : file.tunables) {
    bool ofTheProblem = false;
    for (const ArrayDeclaration& array : file.arrays) {
      for (const Expression& extent : array.shape) { ofTheProblem |= mentions(extent.text(), tunable.name); }
    }
    if (file.computes) {
      for (const Expression& radius : file.computes->window) { ofTheProblem |= mentions(radius.text(), tunable.name); }
      ofTheProblem |= mentions(file.computes->steps.text(), tunable.name);
    }
    if (!ofTheProblem) { names.push_back(tunable.name); }
  }
  return names;
}

TuningMap planTuning(const KernelFile& file, const Bindings& bindings, std::int64_t size, const AxisChoice& axes,
                     const gpu::MultiprocessorLimits& limits) {
  TuningMap map;
  map.kernel = file.id;
  map.bindings = bindings;
  if (size > 0) {
    map.size = withinRanges(file, size);
    for (const SizeParameter& one : file.sizes) { map.bindings[one.name] = map.size; }
  } else {
    for (const SizeParameter& one : file.sizes) { map.size = std::max(map.size, map.bindings.at(one.name)); }
  }
  map.axes = tuningAxes(file);
  const auto take = [&](const std::string& wanted, const std::string& taken) {
    if (wanted != taken && std::ranges::find(map.axes, wanted) != map.axes.end()) { return wanted; }
    const auto first = std::ranges::find_if(map.axes, [&](const std::string& name) { return name != taken; });
    return first == map.axes.end() ? std::string() : *first;
  };
  const std::string columns = take(axes.columns, axes.rows);
  const std::string rows = take(axes.rows, columns);
  const TuningAxis registers{{}, {0, limits.registersAtFullOccupancy()}};
  map.columns = columns.empty() ? TuningAxis{{}, {0}} : axisOf(file, columns, map.bindings);
  map.rows = rows.empty() ? registers : axisOf(file, rows, map.bindings);

  for (const std::int64_t row : map.rows.values) {
    for (const std::int64_t column : map.columns.values) {
      TuningCell cell;
      cell.bindings = map.bindings;
      if (!map.columns.ofRegisters()) { cell.bindings[map.columns.name] = column; }
      if (!map.rows.ofRegisters()) {
        cell.bindings[map.rows.name] = row;
      } else {
        cell.registerLimit = static_cast<int>(row);
      }
      try {
        cell.bindings = file.bind(cell.bindings);
        cell.configuration = file.configuration(cell.bindings);
      } catch (const InputError& broken) { cell.limit = withoutId(file, broken.what()); }
      map.cells.push_back(std::move(cell));
    }
  }
  return map;
}

}  // namespace haloscope::measuring
