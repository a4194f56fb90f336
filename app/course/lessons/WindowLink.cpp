#include "lessons/WindowLink.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "language/Text.h"
#include "parts/FigureList.h"
#include "parts/SceneCamera.h"
#include "program/SourceLocation.h"

namespace haloscope::lessons {

namespace {

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

}  // namespace haloscope::lessons
