#include "lessons/WindowLink.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "language/Text.h"
#include "parts/FigureList.h"
#include "parts/SceneCamera.h"
#include "program/SourceLocation.h"
#include "questions/SourceLines.h"

namespace haloscope::lessons {

namespace {

std::int64_t wholeNumber(const std::string& text, const std::string& key) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(trf("{}={}: a whole number is needed", key, text));
  }
  return number;
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') { return c - '0'; }
  if (c >= 'a' && c <= 'f') { return c - 'a' + 10; }
  if (c >= 'A' && c <= 'F') { return c - 'A' + 10; }
  return -1;
}

std::optional<Moment> momentOf(const std::string& key, const std::string& value) {
  using Kind = Moment::Kind;
  if (key == "at") { return Moment{.kind = Kind::At, .text = value}; }
  if (key == "end") { return Moment{.kind = Kind::End}; }
  const Kind kind = key == "step"      ? Kind::Step
                    : key == "barrier" ? Kind::Barrier
                    : key == "plane"   ? Kind::Plane
                                       : Kind::None;
  if (kind == Kind::None) { return std::nullopt; }
  return Moment{.kind = kind, .number = wholeNumber(value, key)};
}

void expectInside(const Dim3& at, const Dim3& extent, const char* key) {
  if (at.x < extent.x && at.y < extent.y && at.z < extent.z) { return; }
  throw InputError(trf("{}={},{},{}: there are {}×{}×{}", key, at.x, at.y, at.z, extent.x, extent.y, extent.z));
}

/// Throws InputError for what is neither a key of a link nor a name of the kernel.
void expectName(const std::string& key, const KernelFile& file) {
  const std::string name = key.substr(0, key.find('@'));  // of an element: in@3
  const auto names = [&](const ArrayDeclaration& one) { return one.name == name; };
  if (file.findSize(name) != nullptr || file.findTunable(name) != nullptr || file.isPrecision(name) ||
      std::ranges::any_of(file.arrays, names)) {
    return;
  }
  std::vector<std::string> known;
  for (const auto& [one, unused] : file.defaults()) { known.push_back(one); }
  throw InputError(
      trf("\"{}\" is neither a key of a link (kernel, block, thread, step, barrier, plane, at, end, tab, "
          "figure, camera, element, compare) nor a size of {} ({})",
          key, file.id, fmt::join(known, ", ")));
}

}  // namespace

std::vector<std::int64_t> parseIndices(const std::string& text, const std::string& key) {
  std::vector<std::int64_t> list;
  for (const std::string& part : split(text, ',')) { list.push_back(wholeNumber(part, key)); }
  return list;
}

std::string decodedLink(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hexDigit(text[i + 1]) >= 0 && hexDigit(text[i + 2]) >= 0) {
      plain += static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
      i += 2;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

LinkPairs linkPairs(std::string_view query) {
  LinkPairs pairs;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const std::size_t equals = part.find('=');
    if (equals == 0 || part.empty()) { throw InputError(trf("\"{}\": write key=value", part)); }
    const bool bare = equals == std::string_view::npos;  // `end`
    pairs.emplace_back(decodedLink(part.substr(0, equals)),
                       bare ? std::string() : decodedLink(part.substr(equals + 1)));
  }
  return pairs;
}

Dim3 parsePlace(const std::string& text, const char* key) {
  std::vector<std::int64_t> at = parseIndices(text, key);
  if (at.size() > 3 || std::ranges::any_of(at, [](std::int64_t i) { return i < 0 || i > 0x7fffffff; })) {
    throw InputError(trf("{}={}: write X,Y,Z", key, text));
  }
  at.resize(3, 0);
  return {static_cast<std::uint32_t>(at[0]), static_cast<std::uint32_t>(at[1]), static_cast<std::uint32_t>(at[2])};
}

WindowLink parseWindowLink(const LinkPairs& pairs, const Catalogue& catalogue, const Setting& around) {
  WindowLink link;
  std::vector<std::pair<std::string, std::string>> sizes;
  for (const auto& [key, value] : pairs) {
    if (key == "kernel") {
      link.setting.kernel = value;
    } else if (key == "block") {
      link.setting.block = parsePlace(value, "block");
    } else if (key == "thread") {
      link.thread = parsePlace(value, "thread");
    } else if (key == "tab") {
      link.tab = tabNamed(value);
    } else if (key == "figure") {
      const std::vector<std::string> known = figureIds();
      if (std::ranges::find(known, value) == known.end()) {
        throw InputError(trf("figure={}: the figures are {}", value, fmt::join(known, ", ")));
      }
      link.figure = value;
    } else if (key == "camera") {
      static_cast<void>(cameraNamed(value));
      link.camera = value;
    } else if (key == "element") {
      link.element = parseIndices(value, key);
    } else if (key == "compare") {
      link.compare = split(value, ',');
      for (const std::string& id : link.compare) { static_cast<void>(catalogue.at(id)); }
    } else if (const auto moment = momentOf(key, value)) {
      if (link.moment.kind != Moment::Kind::None) {
        throw InputError(trf("{}={}: only one of step, barrier, plane, at and end", key, value));
      }
      link.moment = *moment;
    } else {
      sizes.emplace_back(key, value);
    }
  }
  const KernelFile& file = catalogue.at(link.setting.kernel.empty() ? around.kernel : link.setting.kernel);
  for (const auto& [key, value] : sizes) {
    expectName(key, file);
    assign(link.setting, key, value, file);
  }
  link.setting = within(around, link.setting);
  const LaunchConfiguration launch = file.configuration(file.bind(link.setting.with));
  if (link.setting.block) { expectInside(*link.setting.block, launch.grid, "block"); }
  if (link.thread) { expectInside(*link.thread, launch.block, "thread"); }
  return link;
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

std::optional<std::int64_t> elementOf(const WindowLink& link, const experiment::Experiment& of) {
  if (link.element.empty()) { return std::nullopt; }
  const std::vector<std::int64_t>& extents = of.footprint.outputExtents;
  if (link.element.size() != extents.size()) {
    throw InputError(trf("element={}: the output has {} axes", fmt::join(link.element, ","), extents.size()));
  }
  std::int64_t element = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) {
    if (link.element[axis] < 0 || link.element[axis] >= extents[axis]) {
      throw InputError(
          trf("element={}: axis {} of the output has {} points", fmt::join(link.element, ","), axis, extents[axis]));
    }
    element = element * extents[axis] + link.element[axis];
  }
  if (!of.writes.writer(element)) {
    throw InputError(trf("element={}: block {} does not write it; name the block that does",
                         fmt::join(link.element, ","), text(of.block)));
  }
  return element;
}

std::optional<std::uint32_t> threadOf(const WindowLink& link, const experiment::Experiment& of) {
  if (!link.thread) { return std::nullopt; }
  const Dim3& extent = of.configuration.block;
  expectInside(*link.thread, extent, "thread");
  return static_cast<std::uint32_t>(linear(*link.thread, extent));
}

}  // namespace haloscope::lessons
