#include "documents/SessionWriter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#include "documents/SessionFile.h"
#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "simt/WarpOrderNames.h"

namespace haloscope {

namespace {

/// In quotes, as JSON and YAML both read it.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

/// A word that YAML reads as itself, else in quotes.
std::string word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '/' ||
           c == '-' || c == '.';
  };
  const bool begins =
      !text.empty() && ((text.front() >= 'a' && text.front() <= 'z') || (text.front() >= 'A' && text.front() <= 'Z'));
  static const std::set<std::string> kMeaning = {"true", "false", "yes", "no", "on", "off", "null", "y", "n"};
  return begins && std::ranges::all_of(text, plain) && !kMeaning.contains(text) ? text : quoted(text);
}

/// A text of several lines stands as it is, where YAML allows that.
std::string block(const std::string& text, int indent) {
  const bool printable = std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\n' || c == '\t' || (byte >= 0x20 && byte != 0x7f);
  });
  // Beyond ASCII some characters count as line breaks.
  const bool breaks = text.find("\xC2\x85") != std::string::npos || text.find("\xE2\x80\xA8") != std::string::npos ||
                      text.find("\xE2\x80\xA9") != std::string::npos || text.find("\xEF\xBB\xBF") != std::string::npos;
  const std::size_t last = text.find_last_not_of('\n');
  if (!printable || breaks || text.find('\n') == std::string::npos || last == std::string::npos ||
      text.front() == '\n') {
    return quoted(text);
  }
  static_cast<void>(quoted(text));  // throws where it is not UTF-8
  const std::size_t ends = text.size() - last - 1;
  std::string lines = fmt::format("|{}{}\n", 2, ends == 0 ? "-" : ends == 1 ? "" : "+");
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    if (end > from) { lines += std::string(static_cast<std::size_t>(indent), ' ') + text.substr(from, end - from); }
    if (end < text.size() || ends == 0) { lines += '\n'; }
    from = end + 1;
  }
  lines.pop_back();  // the caller ends its line
  return lines;
}

std::string words(const std::vector<std::string>& list) {
  std::vector<std::string> parts;
  for (const std::string& one : list) { parts.push_back(word(one)); }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

template <typename Map>
std::string pairs(const Map& map) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : map) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
      parts.push_back(word(name) + ": " + quoted(value));
    } else {
      parts.push_back(fmt::format("{}: {}", word(name), value));
    }
  }
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::string place(const Dim3& at) { return fmt::format("\"{},{},{}\"", at.x, at.y, at.z); }

std::vector<std::string> names(const std::vector<Tab>& tabs) {
  std::vector<std::string> list;
  for (const Tab tab : tabs) { list.push_back(nameOf(tab)); }
  return list;
}

class SessionWriter {
 public:
  explicit SessionWriter(const Session& session) {
    text_ = fmt::format("# Written by Haloscope: open it with `haloscope FILE.halo`.\n{}: {}\n", "haloscope session",
                        kSessionVersion);
    text_ += session.scenes.empty() ? "scenes: []\n" : "scenes:\n";
    for (const Scene& scene : session.scenes) { write(scene); }
    if (!texts_.empty()) { text_ += "texts:\n"; }
    for (const auto& [name, text] : texts_) { write(name, *text); }
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  /// The scenes as they are read again: without what a file does not hold, and with names for own files.
  [[nodiscard]] const std::vector<Scene>& scenes() const { return scenes_; }

 private:
  void line(int indent, const std::string& key, const std::string& value) {
    text_ += fmt::format("{:{}}{}: {}\n", "", indent, key, value);
  }

  /// The name of a text: the same for the same text.
  std::string name(const SharedText& text) {
    for (const auto& [name, known] : texts_) {
      if (sameText(*known, *text)) { return name; }
    }
    const std::filesystem::path path = text->file.empty() ? text->kernel : text->file;
    std::string base;
    for (const char c : path.stem().string()) {
      const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      base += plain ? c : '-';
    }
    std::string unique = base;
    const auto taken = [&] {
      return std::ranges::any_of(texts_, [&](const auto& one) { return one.first == unique; });
    };
    for (int i = 2; taken(); ++i) { unique = fmt::format("{}-{}", base, i); }
    texts_.emplace_back(unique, text);
    return unique;
  }

  void write(const Scene& scene) {
    const experiment::Choice& choice = scene.choice;
    text_ += "  - title: " + quoted(scene.title) + "\n";
    if (!scene.note.empty()) { line(4, "note", block(scene.note, 6)); }
    std::map<std::string, std::string> own;  // of the scene's files, by variant
    std::vector<std::string> edited;
    for (const auto& text : scene.texts) {
      const std::string known = name(text);
      if (text->file.empty()) {
        edited.push_back(known);
      } else {
        own[text->kernel] = "@" + known;
      }
    }
    const auto variant = [&](const std::string& id) { return own.contains(id) ? own.at(id) : id; };
    scenes_.push_back(asRead(scene, own));
    line(4, "kernel", word(variant(choice.kernel)));
    if (!edited.empty()) { line(4, "text", words(edited)); }
    if (!choice.bindings.empty()) { line(4, "with", pairs(choice.bindings)); }
    writeData(choice.data);
    if (choice.block) { line(4, "block", place(*choice.block)); }
    if (scene.thread) { line(4, "thread", place(*scene.thread)); }
    if (const auto [key, value] = momentText(scene.moment); !key.empty()) {
      line(4, "place", fmt::format("{{{}: {}}}", key, scene.moment.kind == Moment::Kind::At ? quoted(value) : value));
    }
    if (!scene.element.empty()) { line(4, "element", fmt::format("\"{}\"", fmt::join(scene.element, ","))); }
    if (!choice.withoutBarriers.empty()) {
      line(4, "without barriers", fmt::format("[{}]", fmt::join(choice.withoutBarriers, ", ")));
    }
    if (choice.order != simt::WarpOrder::SideBySide) {
      const auto* const order = std::ranges::find(simt::kWarpOrders, choice.order, &simt::NamedWarpOrder::order);
      line(4, "order", order->name);
      line(4, "seed", std::to_string(choice.orderSeed));
    }
    if (scene.workspace) { line(4, "workspace", workspaceNames().at(static_cast<std::size_t>(*scene.workspace))); }
    if (!scene.panels.empty()) { line(4, "panels", words(names(scene.panels))); }
    if (!scene.hall.empty()) { line(4, "hall", words(names(scene.hall))); }
    if (const auto& camera = scene.camera) {
      line(4, "camera",
           fmt::format("{{yaw: {}, pitch: {}, zoom: {}, pan: [{}, {}]}}", camera->yaw, camera->pitch, camera->zoom,
                       camera->panX, camera->panY));
    }
    if (!scene.figure.empty()) { line(4, "figure", word(scene.figure)); }
    if (scene.lesson) {
      line(4, "lesson", fmt::format("{{id: {}, scroll: {}}}", word(scene.lesson->id), scene.lesson->scroll));
    }
    if (!scene.compare.empty()) {
      std::vector<std::string> ids;
      for (const std::string& id : scene.compare) { ids.push_back(variant(id)); }
      line(4, "compare", words(ids));
    }
    if (scene.lineUp) { line(4, "line up", *scene.lineUp == LineUp::Cell ? "cell" : "interval"); }
    if (scene.speed) { line(4, "tempo", fmt::format("{}", *scene.speed)); }
    if (scene.language) { line(4, "language", languageCode(*scene.language)); }
    if (scene.play) { write(*scene.play); }
    if (scene.launch) { line(4, "launch", std::to_string(*scene.launch + 1)); }
  }

  void write(const PlayPlace& place) {
    std::string keys = fmt::format("problem: {}, sweeps: {}, runs: {}", word(place.problem), place.sweeps, place.runs);
    if (place.pace) { keys += fmt::format(", pace: {}", *place.pace); }
    if (!place.coefficients.empty()) { keys += ", with: " + pairs(place.coefficients); }
    if (place.size != 0) { keys += fmt::format(", size: {}", place.size); }
    if (place.volume) { keys += fmt::format(", volume: {}", *place.volume); }
    if (place.axis != 0) { keys += fmt::format(", axis: {}", place.axis); }
    keys += fmt::format(", slice: {}", place.slice);
    line(4, "play", "{" + keys + "}");
  }

  /// `own`: the names of its files, by variant.
  static Scene asRead(Scene scene, const std::map<std::string, std::string>& own) {
    experiment::Choice& choice = scene.choice;
    std::vector<std::string*> variants = {&choice.kernel};
    for (std::string& id : scene.compare) { variants.push_back(&id); }
    std::vector<SharedText> texts;
    for (const SharedText& text : scene.texts) {
      if (text->file.empty()) { texts.push_back(text); }
    }
    for (std::string* const variant : variants) {
      const auto text = std::ranges::find_if(
          scene.texts, [&](const SharedText& one) { return !one->file.empty() && one->kernel == *variant; });
      if (text == scene.texts.end()) { continue; }
      *variant = own.at(*variant);
      SceneText named = **text;
      named.kernel = *variant;
      texts.emplace_back(std::make_shared<const SceneText>(std::move(named)));
    }
    scene.texts = std::move(texts);
    std::erase_if(choice.data, [](const auto& one) { return one.second.isDefault(); });
    for (auto& [array, data] : choice.data) { data.file = std::filesystem::path(data.file).filename().string(); }
    if (choice.order == simt::WarpOrder::SideBySide) { choice.orderSeed = 0; }
    return scene;
  }

  /// The numbers of files are written out: the session is opened elsewhere.
  void writeData(const inputs::ChosenData& data) {
    inputs::ChosenData others = data;
    bool begun = false;
    for (auto& [array, choice] : others) {
      if (choice.pattern != inputs::Pattern::Numbers || choice.numbers == nullptr || choice.file.empty()) { continue; }
      if (!std::exchange(begun, true)) { text_ += "    numbers:\n"; }
      const inputs::NumberTable& table = *choice.numbers;
      text_ += fmt::format("      {}:\n", word(array));
      line(8, "from", quoted(std::filesystem::path(choice.file).filename().string()));
      line(8, "extents", fmt::format("[{}]", fmt::join(table.extents, ", ")));
      if (table.grey) { line(8, "grey", "true"); }
      std::string values;
      const auto columns = static_cast<std::size_t>(std::max<std::int64_t>(table.extents.back(), 1));
      for (std::size_t i = 0; i < table.values.size(); ++i) {
        values += inputs::typed(table.values[i]) + ((i + 1) % columns == 0 ? "\n" : ", ");
      }
      line(8, "values", block(values, 10));
      choice.pattern = inputs::Pattern::Default;
      choice.numbers.reset();
      choice.file.clear();
    }
    std::erase_if(others, [](const auto& one) { return one.second.isDefault(); });
    std::vector<std::string> specs;
    for (const std::string& spec : inputs::texts(others)) { specs.push_back(quoted(spec)); }
    if (!specs.empty()) { line(4, "data", fmt::format("[{}]", fmt::join(specs, ", "))); }
  }

  void write(const std::string& name, const SceneText& text) {
    text_ += fmt::format("  {}:\n", word(name));
    if (text.file.empty()) {
      line(4, "of", word(text.kernel));
    } else {
      line(4, "file", word(text.file));
      if (!text.entry.empty()) { line(4, "kernel", word(text.entry)); }
      const opening::LaunchOverrides& launch = text.launch;
      if (!text.arguments.empty()) {
        std::vector<std::string> quotes;
        for (const std::string& argument : text.arguments) { quotes.push_back(quoted(argument)); }
        line(4, "arguments", fmt::format("[{}]", fmt::join(quotes, ", ")));
      }
      if (!launch.empty()) { text_ += "    launch:\n"; }
      if (launch.grid) { line(6, "grid", place(*launch.grid)); }
      if (launch.block) { line(6, "block", place(*launch.block)); }
      if (launch.dynamicSharedBytes) { line(6, "shared", std::to_string(*launch.dynamicSharedBytes)); }
      if (!launch.bindings.empty()) { line(6, "bind", pairs(launch.bindings)); }
      if (!launch.defines.empty()) { line(6, "define", pairs(launch.defines)); }
      if (!text.headers.empty()) { text_ += "    headers:\n"; }
      for (const auto& [header, content] : text.headers) { line(6, word(header), block(content, 8)); }
    }
    line(4, "source", block(text.source, 6));
  }

  std::string text_;
  std::vector<std::pair<std::string, SharedText>> texts_;
  std::vector<Scene> scenes_;
};

}  // namespace

std::string sessionText(const Session& session) {
  std::string text;
  std::vector<Scene> meant;
  try {
    const SessionWriter written(session);
    text = written.text();
    meant = written.scenes();
  } catch (const nlohmann::json::exception&) {
    throw InputError(tr("the session cannot be written: one of its texts is not UTF-8; save that text as UTF-8 first"));
  }
  if (text.size() > kMaxSessionBytes) {
    throw InputError(trf("the session cannot be written: it would have {} MB, and at most {} are read",
                         text.size() >> 20, kMaxSessionBytes >> 20));
  }
  // Rather no file than one that says something else.
  const std::vector<Scene> read = readSession(session.path, text).scenes;
  const auto differs = std::ranges::mismatch(read, meant).in2;
  if (read.size() != meant.size() || differs != meant.end()) {
    throw InputError(trf("the session cannot be written: scene {}, \"{}\", would be read as another one",
                         differs - meant.begin() + 1, differs != meant.end() ? differs->title : std::string()));
  }
  return text;
}

}  // namespace haloscope
