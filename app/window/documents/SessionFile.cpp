#include "documents/SessionFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <map>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "catalogue/Precision.h"
#include "catalogue/YamlReader.h"
#include "files/FileText.h"
#include "inputs/ChosenData.h"
#include "language/Text.h"
#include "parts/FigureList.h"
#include "parts/SceneCamera.h"
#include "program/SourceLocation.h"
#include "simt/WarpOrderNames.h"
#include "state/AppState.h"
#include "text/Printable.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* kVersionKey = "haloscope session";
constexpr std::size_t kMostScenes = 1000;
constexpr std::size_t kMostTexts = 1000;
/// That a session brings along, headers included: they are written to the cache.
constexpr std::size_t kMostFiles = 1000;

class SessionReader {
 public:
  SessionReader(const fs::path& path, const std::string& text) : path_(path), yaml_(path.filename().string(), text) {}

  Session read() {
    const YAML::Node& root = yaml_.root();
    const YAML::Node version = root[kVersionKey];
    if (!version) { yaml_.fail(root, trf("this is not a session: it does not begin with \"{}: 1\"", kVersionKey)); }
    const std::int64_t number = yaml_.integer(version, kVersionKey);
    if (number > kSessionVersion) {
      yaml_.fail(version, trf("this session has version {}, and this Haloscope reads up to version {}: open it with a "
                              "newer one",
                              number, kSessionVersion));
    }
    if (number < 1) { yaml_.fail(version, trf("{}: {} is no version of a session", kVersionKey, number)); }
    yaml_.expectKeys(root, tr("a session"), {kVersionKey, "scenes", "texts"});
    readTexts(root["texts"]);
    Session session;
    session.path = path_;
    const YAML::Node scenes = yaml_.need(root, tr("a session"), "scenes");
    if (scenes.IsNull()) { return session; }
    if (!scenes.IsSequence()) { yaml_.fail(scenes, tr("scenes must be a list of \"- title: …\"")); }
    if (scenes.size() > kMostScenes) { yaml_.fail(scenes, trf("a session has at most {} scenes", kMostScenes)); }
    for (const auto& scene : scenes) { session.scenes.push_back(readScene(scene)); }
    return session;
  }

 private:
  /// Runs something that throws InputError; the error then names the place of `node`.
  template <typename Do>
  auto at(const YAML::Node& node, Do act) {
    try {
      return act();
    } catch (const InputError& error) { yaml_.fail(node, error.message()); }
  }

  std::string text(const YAML::Node& node, const char* what) const { return yaml_.text(node, what); }

  std::vector<std::string> list(const YAML::Node& node, const char* what) const {
    if (!node.IsSequence()) { yaml_.fail(node, trf("{} must be a list [...]", what)); }
    std::vector<std::string> words;
    for (const auto& one : node) { words.push_back(yaml_.text(one, what)); }
    return words;
  }

  void expectMap(const YAML::Node& node, const char* what) const {
    if (!node.IsMap()) { yaml_.fail(node, trf("{} must be a list of \"key: value\"", what)); }
  }

  std::map<std::string, std::string> words(const YAML::Node& node, const char* what) const {
    expectMap(node, what);
    std::map<std::string, std::string> words;
    for (const auto& entry : node) { words[text(entry.first, what)] = text(entry.second, what); }
    return words;
  }

  double within(const YAML::Node& node, const char* what, double least, double most) const {
    const double value = yaml_.number(node, what);
    if (!(value >= least && value <= most)) {
      yaml_.fail(node, trf("{}: a number from {} to {} is needed", what, least, most));
    }
    return value;
  }

  float share(const YAML::Node& node, const char* what, double least, double most) const {
    return static_cast<float>(within(node, what, least, most));
  }

  bool boolean(const YAML::Node& node, const char* what) const {
    const std::string word = text(node, what);
    if (word != "true" && word != "false") { yaml_.fail(node, trf("{}: write true or false", what)); }
    return word == "true";
  }

  std::uint64_t count(const YAML::Node& node, const char* what) const {
    const std::int64_t number = yaml_.integer(node, what);
    if (number < 0) { yaml_.fail(node, trf("{}: a number from 0 on is needed", what)); }
    return static_cast<std::uint64_t>(number);
  }

  std::optional<Dim3> extent(const YAML::Node& node, const char* what) {
    return at(node, [&] {
      std::vector<std::int64_t> axes = parseIndices(text(node, what), what);
      if (std::ranges::count(axes, 0) > 0) { throw InputError(trf("{}: each axis has at least 1", what)); }
      axes.resize(3, 1);
      return parsePlace(fmt::format("{}", fmt::join(axes, ",")), what);
    });
  }

  void readTexts(const YAML::Node& node) {
    if (!node || node.IsNull()) { return; }
    expectMap(node, "texts");
    if (node.size() > kMostTexts) { yaml_.fail(node, trf("a session has at most {} texts", kMostTexts)); }
    std::size_t files = 0;
    for (const auto& entry : node) {
      const YAML::Node of = entry.second;
      yaml_.expectKeys(of, tr("a text"), {"of", "file", "kernel", "launch", "arguments", "headers", "source"});
      SceneText one;
      one.source = text(yaml_.need(of, tr("a text"), "source"), "source");
      if (of["of"]) { one.kernel = text(of["of"], "of"); }
      if (of["file"]) { one.file = fileName(of["file"], "file"); }
      if (one.kernel.empty() == one.file.empty()) {
        yaml_.fail(of,
                   tr("a text has one of \"of\", a variant of the catalogue, and \"file\", the name of an own file"));
      }
      for (const char* word : {"kernel", "launch", "arguments", "headers"}) {
        if (of[word] && one.file.empty()) { yaml_.fail(of[word], trf("{} is only for a \"file\"", word)); }
      }
      if (of["kernel"]) { one.entry = text(of["kernel"], "kernel"); }
      if (of["launch"]) { readLaunch(of["launch"], one.launch); }
      if (of["arguments"]) { one.arguments = list(of["arguments"], "arguments"); }
      if (of["headers"]) {
        one.headers = words(of["headers"], "headers");
        for (const auto& header : of["headers"]) { expectInFolder(header.first); }
      }
      if (!one.file.empty()) { files += 1 + one.headers.size(); }
      if (files > kMostFiles) {
        yaml_.fail(
            of, trf("the texts up to this one bring {} files along, and a session has at most {}", files, kMostFiles));
      }
      const std::string name = text(entry.first, "texts");
      if (!one.file.empty()) { one.kernel = '@' + name; }  // until it is unpacked
      texts_[name] = std::make_shared<const SceneText>(std::move(one));
    }
  }

  /// Files are written under no name that cannot be shown.
  static bool isPrintable(const fs::path& name) { return printable(name.string()) == name.string(); }

  /// A name without a folder.
  std::string fileName(const YAML::Node& node, const char* what) const {
    const fs::path name = text(node, what);
    if (name.empty() || name.has_parent_path() || name == "." || name == ".." || !isPrintable(name)) {
      yaml_.fail(node, trf("{}: {} is not the name of a file without its folder", what, name.string()));
    }
    return name.string();
  }

  /// A file of the session is written below the cache and nowhere else.
  void expectInFolder(const YAML::Node& node) const {
    const fs::path name = fs::path(text(node, "headers")).lexically_normal();
    if (!name.empty() && name.is_relative() && *name.begin() != ".." && isPrintable(name)) { return; }
    yaml_.fail(node, trf("headers: {} is not a path below the file's folder", name.string()));
  }

  void readLaunch(const YAML::Node& node, opening::LaunchOverrides& launch) {
    yaml_.expectKeys(node, "launch", {"grid", "block", "shared", "bind", "define"});
    if (node["grid"]) { launch.grid = extent(node["grid"], "grid"); }
    if (node["block"]) { launch.block = extent(node["block"], "block"); }
    if (node["shared"]) { launch.dynamicSharedBytes = yaml_.integer(node["shared"], "shared"); }
    if (node["bind"]) { launch.bindings = words(node["bind"], "bind"); }
    if (node["define"]) { launch.defines = words(node["define"], "define"); }
  }

  Scene readScene(const YAML::Node& node) {
    yaml_.expectKeys(node, tr("a scene"), {"title",
                                           "note",
                                           "kernel",
                                           "text",
                                           "with",
                                           "data",
                                           "numbers",
                                           "block",
                                           "thread",
                                           "place",
                                           "element",
                                           "camera",
                                           "workspace",
                                           "panels",
                                           "hall",
                                           "figure",
                                           "lesson",
                                           "language",
                                           "compare",
                                           "line up",
                                           "speed",
                                           "tempo",
                                           "without barriers",
                                           "order",
                                           "seed",
                                           "play",
                                           "launch"});
    Scene scene;
    scene.title = text(yaml_.need(node, tr("a scene"), "title"), "title");
    if (node["note"]) { scene.note = text(node["note"], "note"); }
    if (node["text"]) {
      for (const std::string& name : list(node["text"], "text")) { addText(scene, node["text"], name); }
    }
    readChoice(node, scene);
    readPlace(node, scene);
    readView(node, scene);
    if (node["play"]) { scene.play = readPlay(node["play"]); }
    if (node["launch"]) {
      const std::uint64_t number = count(node["launch"], "launch");
      if (number == 0) { yaml_.fail(node["launch"], tr("launch: they are counted from 1")); }
      scene.launch = number - 1;
    }
    return scene;
  }

  void addText(Scene& scene, const YAML::Node& node, const std::string& name) {
    const auto found = texts_.find(name);
    if (found == texts_.end() || !found->second->file.empty()) {
      yaml_.fail(node, trf("text: there is no text \"{}\" of a variant", name));
    }
    scene.texts.push_back(found->second);
  }

  /// "@mine" is the file of the text "mine", which the scene then has.
  std::string kernel(const YAML::Node& node, const char* what, const std::string& id, Scene& scene) {
    if (!id.starts_with('@')) { return id; }
    const auto found = texts_.find(id.substr(1));
    if (found == texts_.end() || found->second->file.empty()) {
      yaml_.fail(node, trf("{}: there is no text \"{}\" of a file", what, id.substr(1)));
    }
    scene.texts.push_back(found->second);
    return id;
  }

  void readChoice(const YAML::Node& node, Scene& scene) {
    experiment::Choice& choice = scene.choice;
    const YAML::Node named = yaml_.need(node, tr("a scene"), "kernel");
    choice.kernel = kernel(named, "kernel", text(named, "kernel"), scene);
    if (node["compare"]) {
      for (const std::string& id : list(node["compare"], "compare")) {
        scene.compare.push_back(kernel(node["compare"], "compare", id, scene));
      }
      if (scene.compare.size() >= Comparison::kMost) {
        yaml_.fail(node["compare"], trf("compare: at most {} further variants", Comparison::kMost - 1));
      }
    }
    if (node["with"]) { choice.bindings = bindings(node["with"]); }
    if (node["numbers"]) { readNumbers(node["numbers"], choice.data); }
    if (const YAML::Node data = node["data"]) {
      if (!data.IsSequence()) { yaml_.fail(data, tr("data must be a list of texts, such as [\"in=ramp\"]")); }
      for (const auto& one : data) {
        const std::string spec = text(one, "data");
        const std::size_t equals = spec.find('=');
        if (equals != std::string::npos && spec.substr(equals + 1).starts_with('@')) {
          yaml_.fail(one, tr("data: a session refers to no file; its \"numbers\" hold those of an array"));
        }
        at(one, [&] { inputs::choose(choice.data, spec); });
      }
    }
    if (node["block"]) {
      choice.block = at(node["block"], [&] { return parsePlace(text(node["block"], "block"), "block"); });
    }
    if (const YAML::Node lines = node["without barriers"]) {
      for (const std::string& line : list(lines, "without barriers")) {
        choice.withoutBarriers.insert(
            static_cast<int>(at(lines, [&] { return wholeNumber(line, "without barriers"); })));
      }
    }
    if (node["order"]) {
      const std::string word = text(node["order"], "order");
      const auto* const found =
          std::ranges::find_if(simt::kWarpOrders, [&](const auto& one) { return word == one.name; });
      if (found == simt::kWarpOrders.end()) {
        yaml_.fail(node["order"],
                   trf("order: {}: write side-by-side, in-order, reversed, random or adversarial", word));
      }
      choice.order = found->order;
    }
    if (node["seed"]) { choice.orderSeed = static_cast<std::uint64_t>(yaml_.integer(node["seed"], "seed")); }
  }

  Bindings bindings(const YAML::Node& with) {
    expectMap(with, "with");
    Bindings bindings;
    for (const auto& entry : with) {
      const std::string name = text(entry.first, "with");
      const std::string value = text(entry.second, "with");
      const bool number = !value.empty() && (value.front() == '-' || (value.front() >= '0' && value.front() <= '9'));
      bindings[name] = at(entry.second,
                          [&] { return number ? wholeNumber(value, name) : Precision::valueOf(realTypeNamed(value)); });
    }
    return bindings;
  }

  PlayPlace readPlay(const YAML::Node& node) {
    yaml_.expectKeys(node, "play", {"problem", "sweeps", "runs", "pace", "with", "size", "volume", "axis", "slice"});
    PlayPlace place;
    place.problem = text(yaml_.need(node, "play", "problem"), "problem");
    if (node["sweeps"]) { place.sweeps = count(node["sweeps"], "sweeps"); }
    if (node["runs"]) { place.runs = boolean(node["runs"], "runs"); }
    if (node["pace"]) { place.pace = within(node["pace"], "pace", 0, 1e6); }
    if (node["with"]) { place.coefficients = bindings(node["with"]); }
    if (node["size"]) { place.size = static_cast<std::int64_t>(within(node["size"], "size", 0, 1 << 20)); }
    if (node["volume"]) { place.volume = boolean(node["volume"], "volume"); }
    if (node["axis"]) { place.axis = static_cast<int>(within(node["axis"], "axis", 0, 2)); }
    if (node["slice"]) { place.slice = share(node["slice"], "slice", 0, 1); }
    return place;
  }

  void readNumbers(const YAML::Node& node, inputs::ChosenData& data) {
    expectMap(node, "numbers");
    for (const auto& entry : node) {
      const YAML::Node table = entry.second;
      yaml_.expectKeys(table, tr("numbers"), {"from", "extents", "grey", "values"});
      inputs::NumberTable numbers;
      const YAML::Node extents = yaml_.need(table, tr("numbers"), "extents");
      std::int64_t count = 1;
      for (const std::string& one : list(extents, "extents")) {
        const std::int64_t axis = at(extents, [&] { return wholeNumber(one, "extents"); });
        if (axis < 1 || axis > std::numeric_limits<std::int32_t>::max() || count > (std::int64_t{1} << 31) / axis) {
          yaml_.fail(extents, tr("extents: each axis has at least one number, and all together at most 2^31"));
        }
        count *= axis;
        numbers.extents.push_back(axis);
      }
      const YAML::Node values = yaml_.need(table, tr("numbers"), "values");
      numbers.values =
          at(values, [&] { return inputs::parseRows(path_.filename().string(), text(values, "values")).values; });
      if (numbers.extents.empty() || static_cast<std::int64_t>(numbers.values.size()) != count) {
        yaml_.fail(values, trf("values: there are {} numbers, and the extents say {}", numbers.values.size(), count));
      }
      if (table["grey"]) { numbers.grey = boolean(table["grey"], "grey"); }
      inputs::ArrayChoice& choice = data[text(entry.first, "numbers")];
      choice.pattern = inputs::Pattern::Numbers;
      choice.numbers = std::make_shared<const inputs::NumberTable>(std::move(numbers));
      if (table["from"]) { choice.file = text(table["from"], "from"); }
    }
  }

  void readPlace(const YAML::Node& node, Scene& scene) {
    if (node["thread"]) {
      scene.thread = at(node["thread"], [&] { return parsePlace(text(node["thread"], "thread"), "thread"); });
    }
    if (node["element"]) {
      scene.element = at(node["element"], [&] { return parseIndices(text(node["element"], "element"), "element"); });
    }
    const YAML::Node place = node["place"];
    if (!place) { return; }
    const std::string hint = tr("a place is {step: N}, {barrier: N}, {plane: N}, {at: TEXT} or {end: true}");
    if (!place.IsMap() || place.size() != 1) { yaml_.fail(place, hint); }
    const auto entry = *place.begin();
    const std::optional<Moment> moment =
        at(place, [&] { return momentOf(text(entry.first, "place"), text(entry.second, "place")); });
    if (!moment) { yaml_.fail(place, hint); }
    scene.moment = *moment;
  }

  std::vector<Tab> tabs(const YAML::Node& node, const char* what) {
    std::vector<Tab> tabs;
    for (const std::string& name : list(node, what)) {
      tabs.push_back(at(node, [&] { return tabNamed(name); }));
    }
    return tabs;
  }

  void readView(const YAML::Node& node, Scene& scene) {
    if (const YAML::Node camera = node["camera"]) { scene.camera = readCamera(camera); }
    if (node["workspace"]) {
      scene.workspace = workspaceNamed(text(node["workspace"], "workspace"));
      if (!scene.workspace) {
        yaml_.fail(node["workspace"], trf("workspace: write one of {}", fmt::join(workspaceNames(), ", ")));
      }
    }
    if (node["panels"]) { scene.panels = tabs(node["panels"], "panels"); }
    if (node["hall"]) {
      scene.hall = tabs(node["hall"], "hall");
      if (scene.hall.empty() || scene.hall.size() > 2) { yaml_.fail(node["hall"], tr("hall: one panel, or two")); }
    }
    if (node["figure"]) {
      scene.figure = text(node["figure"], "figure");
      const std::vector<std::string> known = figureIds();
      if (std::ranges::find(known, scene.figure) == known.end()) {
        yaml_.fail(node["figure"], trf("figure={}: the figures are {}", scene.figure, fmt::join(known, ", ")));
      }
    }
    if (const YAML::Node lesson = node["lesson"]) {
      yaml_.expectKeys(lesson, "lesson", {"id", "scroll"});
      scene.lesson = {text(yaml_.need(lesson, "lesson", "id"), "id"),
                      lesson["scroll"] ? share(lesson["scroll"], "scroll", 0, 1) : 0};
    }
    if (node["language"]) {
      scene.language = languageWithCode(text(node["language"], "language"));
      if (!scene.language) { yaml_.fail(node["language"], tr("language: write en or zh")); }
    }
    if (node["line up"]) {
      const std::string word = text(node["line up"], "line up");
      if (word != "interval" && word != "cell") { yaml_.fail(node["line up"], tr("line up: write interval or cell")); }
      scene.lineUp = word == "cell" ? LineUp::Cell : LineUp::Interval;
    }
    if (node["tempo"]) { scene.speed = playable(within(node["tempo"], "tempo", 0.001, 1000)); }
    // Of files before there was a tempo: steps a second, eight as a rule.
    if (node["speed"]) { scene.speed = playable(within(node["speed"], "speed", 0.01, 10000) / 8); }
  }

  [[nodiscard]] static double playable(double speed) { return std::clamp(speed, kSlowest, kFastest); }

  SceneCamera readCamera(const YAML::Node& node) {
    if (node.IsScalar()) {
      return at(node, [&] { return cameraNamed(text(node, "camera")); });
    }
    yaml_.expectKeys(node, "camera", {"yaw", "pitch", "zoom", "pan"});
    SceneCamera camera;
    if (node["yaw"]) { camera.yaw = share(node["yaw"], "yaw", -1000, 1000); }
    if (node["pitch"]) { camera.pitch = share(node["pitch"], "pitch", -10, 10); }
    if (node["zoom"]) { camera.zoom = share(node["zoom"], "zoom", 0.001, 1000); }
    if (const YAML::Node pan = node["pan"]) {
      if (!pan.IsSequence() || pan.size() != 2) { yaml_.fail(pan, tr("pan must be a list of 2 numbers")); }
      camera.panX = share(pan[0], "pan", -1e6, 1e6);
      camera.panY = share(pan[1], "pan", -1e6, 1e6);
    }
    return camera;
  }

  fs::path path_;
  YamlReader yaml_;
  std::map<std::string, std::shared_ptr<const SceneText>> texts_;
};

}  // namespace

std::string tooLargeSession(const fs::path& path, std::uintmax_t bytes) {
  if (bytes <= kMaxSessionBytes) { return {}; }
  return trf("{} is too large for a session: it has {} MB, and at most {} are read", path.string(), bytes >> 20,
             kMaxSessionBytes >> 20);
}

Session readSession(const fs::path& path, const std::string& text) {
  Session session = SessionReader(path, text).read();
  session.fileText = text;
  return session;
}

Session readSession(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  if (const std::string problem = tooLargeSession(path, size); !problem.empty()) { throw InputError(problem); }
  const std::optional<std::string> text = readWhole(path);
  if (!text) { throw InputError(path.string() + tr(" cannot be read as a file")); }
  return readSession(fs::absolute(path).lexically_normal(), *text);
}

}  // namespace haloscope
