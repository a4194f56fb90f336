#include "questions/NamedPlaces.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "language/Text.h"
#include "program/SourceLocation.h"
#include "questions/SourceLines.h"

namespace haloscope {

std::int64_t wholeNumber(const std::string& text, const std::string& key) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(trf("{}={}: a whole number is needed", key, text));
  }
  return number;
}

std::vector<std::int64_t> parseIndices(const std::string& text, const std::string& key) {
  std::vector<std::int64_t> list;
  std::size_t from = 0;
  while (true) {
    const std::size_t comma = text.find(',', from);
    list.push_back(wholeNumber(text.substr(from, comma == std::string::npos ? comma : comma - from), key));
    if (comma == std::string::npos) { return list; }
    from = comma + 1;
  }
}

Dim3 parsePlace(const std::string& text, const char* key) {
  std::vector<std::int64_t> at = parseIndices(text, key);
  if (at.size() > 3 || std::ranges::any_of(at, [](std::int64_t i) { return i < 0 || i > 0x7fffffff; })) {
    throw InputError(trf("{}={}: write X,Y,Z", key, text));
  }
  at.resize(3, 0);
  return {static_cast<std::uint32_t>(at[0]), static_cast<std::uint32_t>(at[1]), static_cast<std::uint32_t>(at[2])};
}

void expectInside(const Dim3& at, const Dim3& extent, const char* key) {
  if (at.x < extent.x && at.y < extent.y && at.z < extent.z) { return; }
  throw InputError(trf("{}={},{},{}: there are {}×{}×{}", key, at.x, at.y, at.z, extent.x, extent.y, extent.z));
}

std::optional<Moment> momentOf(const std::string& key, const std::string& value) {
  using Kind = Moment::Kind;
  if (key == "at") { return Moment{.kind = Kind::At, .text = value}; }
  if (key == "end") {
    if (value != "true") { throw InputError(trf("end={}: write end=true", value)); }
    return Moment{.kind = Kind::End};
  }
  const Kind kind = key == "step"      ? Kind::Step
                    : key == "barrier" ? Kind::Barrier
                    : key == "plane"   ? Kind::Plane
                                       : Kind::None;
  if (kind == Kind::None) { return std::nullopt; }
  return Moment{.kind = kind, .number = wholeNumber(value, key)};
}

std::pair<std::string, std::string> momentText(const Moment& moment) {
  switch (moment.kind) {
    case Moment::Kind::None:
      return {};
    case Moment::Kind::Step:
      return {"step", std::to_string(moment.number)};
    case Moment::Kind::Barrier:
      return {"barrier", std::to_string(moment.number)};
    case Moment::Kind::Plane:
      return {"plane", std::to_string(moment.number)};
    case Moment::Kind::At:
      return {"at", moment.text};
    case Moment::Kind::End:
      return {"end", "true"};
  }
  return {};
}

std::size_t positionOf(const Moment& moment, std::optional<std::uint32_t> thread, const experiment::Experiment& of) {
  const recording::Recording& recording = *of.recording;
  const auto expect = [&](const char* what, std::size_t count) {
    if (moment.number >= 0 && static_cast<std::size_t>(moment.number) < count) { return; }
    throw InputError(count == 0 ? trf("{}={}: the block has none", what, moment.number)
                                : trf("{}={}: the block has 0 to {}", what, moment.number, count - 1));
  };
  const auto number = static_cast<std::size_t>(std::max<std::int64_t>(moment.number, 0));
  switch (moment.kind) {
    case Moment::Kind::None:
      return 0;
    case Moment::Kind::Step:
      expect("step", recording.steps.size() + 1);
      return number;
    case Moment::Kind::Barrier:
      expect("barrier", recording.intervals.size());
      return recording.intervals[number].firstStep + 1;
    case Moment::Kind::Plane:
      expect("plane", recording.planes.size());
      return recording.planes[number].firstStep + 1;
    case Moment::Kind::At:
      return questions::stepAt(of, moment.text, thread) + 1;
    case Moment::Kind::End:
      return recording.steps.size();
  }
  return 0;
}

std::optional<std::int64_t> elementAt(const std::vector<std::int64_t>& indices, const experiment::Experiment& of) {
  if (indices.empty()) { return std::nullopt; }
  const std::vector<std::int64_t>& extents = of.footprint.outputExtents;
  if (indices.size() != extents.size()) {
    throw InputError(trf("element={}: the output has {} axes", fmt::join(indices, ","), extents.size()));
  }
  std::int64_t element = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (indices[axis] < 0 || indices[axis] >= extents[axis]) {
      throw InputError(
          trf("element={}: axis {} of the output has {} points", fmt::join(indices, ","), axis, extents[axis]));
    }
    element = element * extents[axis] + indices[axis];
  }
  if (!of.writes.writer(element)) {
    throw InputError(trf("element={}: block {} does not write it; name the block that does", fmt::join(indices, ","),
                         text(of.block)));
  }
  return element;
}

std::optional<std::uint32_t> threadAt(const std::optional<Dim3>& thread, const experiment::Experiment& of) {
  if (!thread) { return std::nullopt; }
  const Dim3& extent = of.configuration.block;
  expectInside(*thread, extent, "thread");
  return static_cast<std::uint32_t>(linear(*thread, extent));
}

}  // namespace haloscope
