#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "handout/Handout.h"
#include "handout/RecordingData.h"
#include "program/SourceLocation.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"
#include "text/Html.h"

namespace haloscope::handout {
namespace {

namespace fs = std::filesystem;
using experiment::Experiment;
using recording::Change;
using recording::Cursor;
using testing::HasSubstr;
using testing::Not;

const fs::path kSource = HALOSCOPE_SOURCE_DIR;

KernelFile kernelFile(const std::string& id) {
  static const Catalogue kCatalogue = Catalogue::read(kSource / "kernels");
  return kCatalogue.at(id);
}

std::shared_ptr<const Experiment> execute(const KernelFile& file, Bindings bindings, std::optional<Dim3> block = {},
                                          std::set<int> withoutBarriers = {}) {
  experiment::Choice choice;
  choice.kernel = file.id;
  choice.bindings = std::move(bindings);
  choice.block = block;
  choice.withoutBarriers = std::move(withoutBarriers);
  experiment::RunOptions run;
  run.countGrid = false;
  return experiment::run(file, choice, run);
}

Chapter chapterOf(std::shared_ptr<const Experiment> experiment) {
  Chapter chapter;
  chapter.report = std::make_shared<const checking::CheckReport>(checking::check(*experiment));
  chapter.experiment = std::move(experiment);
  return chapter;
}

/// A browser without a window. Empty: there is none.
std::string browser() {
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
    if (std::system(fmt::format("command -v {} >/dev/null 2>&1", name).c_str()) == 0) { return name; }
  }
  return {};
}

/// A folder that is deleted again.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "haloscope-handout-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) { throw std::runtime_error("no temporary folder"); }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string readText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// What the script says in a page that is opened once, line by line.
std::vector<std::string> openOnce(const std::string& page) {
  const Folder folder;
  std::ofstream(folder.path() / "page.html", std::ios::binary) << page;
  const std::string command = fmt::format(
      "timeout 240 {} --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir='{}' "
      "--window-size=1280,720 --virtual-time-budget=120000 --dump-dom 'file://{}' >'{}' 2>'{}'",
      browser(), (folder.path() / "profile").string(), (folder.path() / "page.html").string(),
      (folder.path() / "dom.html").string(), (folder.path() / "errors.txt").string());
  EXPECT_EQ(std::system(command.c_str()), 0) << command << readText(folder.path() / "errors.txt");
  const std::string dom = readText(folder.path() / "dom.html");
  const std::string open = "<pre id=\"said\">";
  const std::size_t begin = dom.rfind(open);
  if (begin == std::string::npos) { return {}; }
  std::istringstream text(dom.substr(begin + open.size(), dom.find("</pre>", begin) - begin - open.size()));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) { lines.push_back(line); }
  return lines;
}

/// Opens a page, executes a script in it after its own, and returns what the script writes with say(), line by line.
std::vector<std::string> runIn(const std::string& page, const std::string& script) {
  std::string tried = page;
  // The policy of the page lets its own script alone run.
  const std::size_t policy = tried.find("script-src 'sha256-");
  EXPECT_NE(policy, std::string::npos);
  tried.replace(policy, tried.find(';', policy) - policy, "script-src 'unsafe-inline'");
  const std::size_t end = tried.rfind("</body>");
  tried.insert(
      end,
      "<pre id=\"said\"></pre><script>\nconst said = [];\nconst say = (line) => said.push(line);\n"
      "opened.then(async () => {\ntry {\n" +
          script +
          "\n} catch (error) { say(\"error \" + error.stack); }\n"
          "say(\"end\");\ndocument.getElementById(\"said\").textContent = said.join(\"\\n\");\n});\n</script>");
  // The browser's virtual time can pass while a busy machine still unpacks the recording: the page is then written down
  // before the script's end.
  constexpr int kTimes = 4;
  std::vector<std::string> said;
  for (int time = 0; time < kTimes && (said.empty() || said.back() != "end"); ++time) { said = openOnce(tried); }
  EXPECT_TRUE(!said.empty() && said.back() == "end") << "the script did not come to its end";
  return said;
}

/// Every value, bit by bit, of a position: the arrays of the block, its variables, what it has written to global
/// memory; and the roles of the carriers' cells.
constexpr const char* kWalk = R"(
const bits = (cells, at) => ((BigInt(cells.high[at]) << 32n) | BigInt(cells.low[at])).toString(16);
const all = (cells) => [...cells.low.keys()].map((at) => bits(cells, at)).join();
function state(recording) {
  const parts = [];
  recording.objects.forEach(({space, extents}, id) => {
    if (space === Space.shared) parts.push(all(recording.arrays[id]));
    if (space !== Space.local) return;
    const {slots, cells} = recording.sparse[id];
    const own = [...Array(product(extents) * recording.threads).keys()].map((at) => slots.get(at));
    parts.push(own.map((slot) => (slot === undefined ? "0" : bits(cells, slot))).join());
  });
  for (const cells of recording.values) parts.push(all(cells));
  for (const [id, {slots, cells}] of recording.sparse.entries()) {
    parts.push(recording.objects[id].space === Space.local ? "" : [...slots.values()].map((at) => (cells.writtenAt[at] === NONE ? "-" : bits(cells, at))).join());
  }
  for (const roles of recording.roleCells) parts.push([...roles].join(""));
  return parts.join(";");
}
for (const chapter of controls.chapters) {
  const player = await controls.playerOf(chapter), {recording} = player;
  player.show(0);
  say(`chapter ${recording.steps}`);
  for (let position = 0; position <= recording.steps; ++position) { recording.goTo(position); say(state(recording)); }
  for (let position = recording.steps; position-- > 0;) { recording.goTo(position); say(state(recording)); }
  recording.goTo(recording.steps);
  for (let id = 0; id < recording.variables.length; ++id) {
    const cells = recording.values[id];
    say([...cells.low.keys()].map((at) => exactText(recording, recording.variables[id].type, cells.low[at], cells.high[at])).join("|"));
  }
}
)";

class ExpectedWalk {
 public:
  explicit ExpectedWalk(const Experiment& experiment)
      : experiment_(experiment), program_(*experiment.program), recording_(*experiment.recording) {
    written_.resize(program_.objects.size());
    for (const Change& change : recording_.changes) {
      if (change.kind != Change::Kind::Global) { continue; }
      std::vector<std::int64_t>& elements = written_[change.id];
      if (std::ranges::find(elements, change.index) == elements.end()) { elements.push_back(change.index); }
    }
  }

  [[nodiscard]] std::string state(const Cursor& cursor) const {
    std::string text;
    const auto add = [&](const std::vector<recording::Cell>& cells) {
      for (const recording::Cell& cell : cells) { text += fmt::format("{:x},", cell.bits); }
      end(text);
    };
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      const MemorySpace space = program_.objects[id].space;
      if (space == MemorySpace::Shared || space == MemorySpace::Local) { add(cursor.shared(id)); }
    }
    for (VariableId id = 0; id < program_.variables.size(); ++id) { add(cursor.variable(id)); }
    for (ObjectId id = 0; id < program_.objects.size(); ++id) {
      for (const std::int64_t element : written_[id]) {
        const recording::Cell* cell = cursor.output(id, element);
        text += cell == nullptr ? "-," : fmt::format("{:x},", cell->bits);
      }
      end(text);
    }
    for (const recording::CarrierView& view : viewBlock(cursor, experiment_.footprint, experiment_.carriers).carriers) {
      for (const recording::CarrierCell& cell : view.cells) { text += std::to_string(static_cast<int>(cell.role)); }
      text += ';';
    }
    text.pop_back();
    return text;
  }

 private:
  static void end(std::string& text) {
    if (text.ends_with(',')) { text.pop_back(); }
    text += ';';
  }

  const Experiment& experiment_;
  const Program& program_;
  const recording::Recording& recording_;
  std::vector<std::vector<std::int64_t>> written_;
};

/// Compares what a page said of a chapter, from its line `at` on, with the recording; returns the line after it.
std::size_t expectChapter(const std::vector<std::string>& said, std::size_t at, const Experiment& experiment) {
  const auto& recording = experiment.recording;
  const std::size_t steps = recording->steps.size();
  const std::string name = experiment.file.id;
  EXPECT_GT(steps, 2U) << name;
  if (said.size() < at + 2 * steps + 2 + experiment.program->variables.size()) {
    ADD_FAILURE() << name << ": the page said too little; last: " << (said.empty() ? "nothing" : said.back());
    return said.size();
  }
  EXPECT_EQ(said[at++], fmt::format("chapter {}", steps)) << name;
  const ExpectedWalk expected(experiment);
  Cursor cursor(recording);
  for (std::size_t position = 0; position <= steps; ++position) {
    cursor.goTo(position);
    EXPECT_EQ(said[at++], expected.state(cursor)) << name << ", forwards at position " << position;
  }
  for (std::size_t position = steps; position-- > 0;) {
    cursor.goTo(position);
    EXPECT_EQ(said[at++], expected.state(cursor)) << name << ", backwards at position " << position;
  }
  cursor.goTo(steps);
  for (VariableId id = 0; id < experiment.program->variables.size(); ++id) {
    const ValueType type = experiment.program->registers[experiment.program->variables[id].reg].type;
    std::istringstream texts(said[at++]);
    for (const recording::Cell& cell : cursor.variable(id)) {
      std::string text;
      std::getline(texts, text, '|');
      if (cell.writtenAt == kNone && !experiment.program->variables[id].parameter) { continue; }
      const std::string right = type == ValueType::Pointer
                                    ? recording::formatValue(*experiment.program, type, cell.bits)
                                    : recording::formatExact(type, cell.bits);
      // The same number may be written in another way, 1e-07.
      const bool number = isFloating(type) && text != "unwritten" && right.find("nan") == std::string::npos;
      if (number) {
        EXPECT_EQ(std::strtod(text.c_str(), nullptr), std::strtod(right.c_str(), nullptr)) << name << ": " << text;
      } else if (right.find("nan") == std::string::npos) {
        EXPECT_EQ(text, right) << name << ": " << experiment.program->variables[id].name;
      }
    }
  }
  return at;
}

class HandoutTest : public testing::Test {
 protected:
  void SetUp() override {
    if (browser().empty()) { GTEST_SKIP() << "no Chromium is installed, in which the page could be opened"; }
  }
};

TEST_F(HandoutTest, EveryStepHasTheValuesOfTheRecording) {
  std::vector<std::shared_ptr<const Experiment>> executed = {
      execute(kernelFile("convolution/1d_basic"), {{"width", 7}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 8}}),
      execute(kernelFile("convolution/tiled_input_block"),
              {{"width", 9}, {"height", 9}, {"FILTER_RADIUS", 1}, {"IN_TILE_DIM", 5}}, Dim3{0, 0, 0}),
      execute(kernelFile("stencil/coarsened"), {{"N", 9}, {"IN_TILE_DIM", 5}, {"REAL", 8}}),
      execute(kernelFile("stencil/register_tiled"), {{"N", 8}, {"IN_TILE_DIM", 4}}),
      execute(kernelFile("stencil/vector_loads"), {{"N", 16}, {"BLOCK_X", 2}, {"BLOCK_Y", 4}, {"BLOCK_Z", 2}}),
      execute(kernelFile("stencil/finite_difference_5"), {{"N", 40}, {"BLOCK_X", 16}, {"REAL", 2}}),
      execute(kernelFile("playground/life"), {{"N", 12}, {"BLOCK_X", 4}, {"BLOCK_Y", 4}}),
  };
  KernelFile own = kernelFile("convolution/1d_basic");  // with an array of each thread's own
  const std::string sum = "sum += filter[f] * in[inIndex];";
  own.text.replace(own.text.find(sum), sum.size(), "own[f] = in[inIndex]; sum += filter[f] * own[2 * radius - f];");
  own.text.insert(own.text.find("float sum"), "float own[3] = {1, 2}; ");
  executed.push_back(execute(own, {{"width", 7}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 8}}));
  const KernelFile bare = kernelFile("convolution/tiled_output_block");
  executed.push_back(execute(bare, {{"width", 9}, {"height", 9}, {"FILTER_RADIUS", 1}, {"OUT_TILE_DIM", 4}}, {},
                             execute(bare, {})->barriers));
  std::vector<Chapter> chapters;
  for (const auto& one : executed) { chapters.push_back(chapterOf(one)); }
  const std::vector<std::string> said = runIn(page("all", chapters, kSource / "assets"), kWalk);
  std::size_t at = 0;
  for (const auto& one : executed) { at = expectChapter(said, at, *one); }
  ASSERT_LT(at, said.size());
  EXPECT_EQ(said[at], "end");
}

TEST_F(HandoutTest, KeysAndButtonsStep) {
  const Chapter chapter = chapterOf(execute(kernelFile("stencil/coarsened"), {{"N", 9}, {"IN_TILE_DIM", 5}}));
  const std::vector<std::string> said = runIn(page("keys", {chapter}, kSource / "assets"), R"(
const at = () => say(`${controls.player.recording.position} ${controls.where.textContent}`);
const press = (key, shiftKey = false) => { document.body.dispatchEvent(new KeyboardEvent("keydown", {key, shiftKey, bubbles: true})); at(); };
press("ArrowRight"); press("ArrowRight"); press("ArrowLeft"); press("End"); press("ArrowLeft", true); press("Home");
press("ArrowRight", true); press("ArrowRight", true);
controls.buttons.next.click(); at();
controls.slider.value = 3; controls.slider.dispatchEvent(new Event("input")); at();
const line = document.querySelector("[aria-current=step]");
say(line ? line.dataset.line : "none");
const swipe = (from, to) => {
  const target = document.querySelector(".picture");
  for (const [type, x] of [["touchstart", from], ["touchend", to]]) {
    const touch = new Touch({identifier: 1, target, clientX: x, clientY: 200});
    target.dispatchEvent(new TouchEvent(type, {touches: type === "touchstart" ? [touch] : [], changedTouches: [touch], bubbles: true}));
  }
  at();
};
swipe(300, 200); swipe(200, 210); swipe(200, 320);
say(controls.status.getAttribute("aria-live"));
)");
  Cursor cursor(chapter.experiment->recording);
  const auto expectAt = [&](std::size_t line) {
    ASSERT_LT(line, said.size());
    EXPECT_TRUE(said[line].starts_with(std::to_string(cursor.position()) + " ")) << said[line];
  };
  std::size_t line = 0;
  cursor.step(1), expectAt(line++);
  cursor.step(1), expectAt(line++);
  cursor.step(-1), expectAt(line++);
  cursor.goTo(cursor.end()), expectAt(line++);
  cursor.previousInterval(), expectAt(line++);
  cursor.goTo(0), expectAt(line++);
  cursor.nextInterval(), expectAt(line++);
  cursor.nextInterval(), expectAt(line++);
  cursor.step(1), expectAt(line++);
  cursor.goTo(3), expectAt(line++);
  ASSERT_LT(line + 1, said.size());
  EXPECT_EQ(said[line++],
            std::to_string(chapter.experiment->program->statements[cursor.current()->statement].range.line));
  cursor.step(1), expectAt(line++);  // to the left
  expectAt(line++);                  // hardly moved
  cursor.step(-1), expectAt(line++);
  EXPECT_EQ(said[line], "polite");
}

TEST_F(HandoutTest, ChaptersOpenWhereTheySayAndShareARecording) {
  Chapter first = chapterOf(execute(kernelFile("stencil/coarsened"), {{"N", 9}, {"IN_TILE_DIM", 5}}));
  Chapter second = first;
  first.title = "The first";
  second.title = "The second";
  first.position = 3;
  second.position = 7;
  second.thread = 6;
  const std::string text = page("two", {first, second}, kSource / "assets");
  EXPECT_THAT(text, HasSubstr("id=\"recording-1\""));
  EXPECT_THAT(text, Not(HasSubstr("id=\"recording-2\"")));
  const std::vector<std::string> said = runIn(text, R"(
const shown = () => controls.chapters.filter((chapter) => !chapter.hidden).map((chapter) => chapter.id).join();
say(`${shown()} ${controls.player.recording.position}`);
location.hash = "#chapter-2";
await new Promise((done) => setTimeout(done, 500));
say(`${shown()} ${controls.player.recording.position} ${controls.player.thread}`);
)");
  ASSERT_GE(said.size(), 2U);
  EXPECT_EQ(said[0], "chapter-1 3");
  EXPECT_EQ(said[1], "chapter-2 7 6");
}

TEST_F(HandoutTest, TheAddressNamesAStep) {
  const Chapter chapter = chapterOf(execute(kernelFile("stencil/tiled"), {{"N", 16}}));
  EXPECT_THAT(runIn(page("step", {chapter}, kSource / "assets"), R"(
for (const address of ["#step=3", "#step=1000000", "#step=no"]) {
  history.replaceState(null, "", address);
  await controls.openFromAddress(true);
  say(controls.player.recording.position);
}
)"),
              testing::ElementsAre("3", std::to_string(chapter.experiment->recording->steps.size()),
                                   std::to_string(chapter.experiment->recording->steps.size()), "end"));
}

TEST(HandoutPageTest, OfASiteSharesWhatPagesHaveInCommon) {
  const Chapter chapter = chapterOf(execute(kernelFile("stencil/tiled"), {{"N", 16}}));
  const std::string html = page("site", {chapter}, kSource / "assets", {}, {}, SiteAround{"../common/", "<nav></nav>"});
  EXPECT_THAT(html, HasSubstr("<script src=\"../common/page.js\">"));
  EXPECT_THAT(html, HasSubstr("<link rel=\"stylesheet\" href=\"../common/page.css\">"));
  EXPECT_THAT(html, HasSubstr("script-src 'self';"));
  EXPECT_THAT(html, HasSubstr("<nav></nav>"));
  EXPECT_THAT(html, Not(HasSubstr("class Recording")));
  EXPECT_THAT(commonFiles(kSource / "assets").at("page.js"), HasSubstr("class Recording"));
}

TEST_F(HandoutTest, ElementsMayBeBeyond32Bits) {
  const auto executed =
      execute(kernelFile("convolution/1d_basic"), {{"width", 7}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 8}});
  recording::Recording recording = *executed->recording;
  const ObjectId input = executed->footprint.input;
  constexpr std::int64_t kFar = std::int64_t{1} << 32;
  for (const recording::AccessGroup& group : recording.accesses) {
    if (group.object == input && !group.store) { recording.elements[group.first] = kFar - 1; }
  }
  for (Change& change : recording.changes) {
    if (change.kind == Change::Kind::Global) { change.index += 2 * kFar; }
    if (change.originAfter.object == input) { change.originAfter.element += kFar; }
  }
  const auto changed = std::make_shared<Experiment>(*executed);
  changed->recording = std::make_shared<const recording::Recording>(std::move(recording));
  Chapter chapter;
  chapter.experiment = changed;
  const std::vector<std::string> said = runIn(page("far", {chapter}, kSource / "assets"), R"(
const {recording} = controls.player, read = new Set();
for (let position = 1; position <= recording.steps; ++position) {
  recording.goTo(position);
  for (const element of recording.readsOf(recording.input).keys()) read.add(element);
}
say(`${read.has(2 ** 32 - 1)} ${read.has(-1)}`);
const {slots, cells} = recording.sparse[recording.output];
say([...slots.keys()].map((element) => element - 2 ** 33).join());
say([...slots.values()].every((slot) => cells.writtenAt[slot] !== NONE));
)");
  ASSERT_GE(said.size(), 3U);
  EXPECT_EQ(said[0], "true false");
  EXPECT_EQ(said[1], "0,1,2,3,4,5,6");
  EXPECT_EQ(said[2], "true");
}

TEST_F(HandoutTest, LargeArraysTakeNoMoreRoomThanWhatIsDoneWithThem) {
  KernelFile file = kernelFile("convolution/1d_basic");
  const auto replace = [&](const std::string& part, const std::string& by) {
    const std::size_t at = file.text.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    file.text.replace(at, part.size(), by);
  };
  // 3.2 million elements of the threads' own arrays, and reads at both ends of a long one.
  replace("float sum = 0.0f;", "float own[100000]; float sum = in[width - 1 - outIndex];");
  replace("sum += filter[f] * in[inIndex];", "own[inIndex * 9] = in[inIndex]; sum += filter[f] * own[inIndex * 9];");
  const auto executed = execute(file, {{"width", 400000}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 32}}, Dim3{0, 0, 0});
  Chapter chapter;
  chapter.experiment = executed;
  const std::vector<std::string> said = runIn(page("large", {chapter}, kSource / "assets"), R"(
const {recording, views} = controls.player;
say(recording.arrays.concat(recording.sparse.map(({cells}) => cells)).reduce((all, cells) => all + (cells?.length ?? 0), 0));
say(Math.max(...views.map(({grid}) => grid.count)));
const {grid} = views.find(({grid}) => grid.title === "in");
say(grid.count);
say([0, grid.count - 1].map((index) => grid.name(index)).join());
controls.player.choose(5);
controls.go(recording.steps - 4);
const own = [...controls.player.rows.children].map((row) => row.textContent);
say(own.filter((text) => text.startsWith("own[45]")).length);
say(own.find((text) => text.startsWith("own[36]")) === "own[36]" + exactText(recording, Type.f32, recording.inputs.low[4], 0));
)");
  ASSERT_GE(said.size(), 6U);
  EXPECT_LT(std::stoul(said[0]), executed->recording->changes.size());
  EXPECT_LT(std::stoul(said[1]), 200U);
  EXPECT_EQ(said[2], std::to_string(executed->footprint.loads.size()));
  EXPECT_EQ(said[3], "in[0],in[399999]");
  EXPECT_EQ(said[4], "1");
  EXPECT_EQ(said[5], "true");
}

TEST_F(HandoutTest, TextsAreNoMarkup) {
  const std::string hostile =
      "</script></title></style><script>document.documentElement.dataset.broken = 1</script><!--";
  KernelFile file = kernelFile("convolution/1d_basic");
  file.text += "\n// " + hostile + "\n";
  Chapter chapter = chapterOf(execute(file, {{"width", 7}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 8}}));
  chapter.title = chapter.note = hostile;
  const std::vector<std::string> said = runIn(page(hostile, {chapter}, kSource / "assets"), R"(
say(document.documentElement.dataset.broken ?? "whole");
say(document.title);
say([...document.querySelectorAll(".code li")].at(-1).textContent.trim());
)");
  ASSERT_GE(said.size(), 3U);
  EXPECT_EQ(said[0], "whole");
  EXPECT_THAT(said[1], HasSubstr("dataset.broken"));
  EXPECT_THAT(said[2], HasSubstr("dataset.broken"));
}

TEST_F(HandoutTest, AStepIsMarkedBehindWhatWasMadeVisible) {
  KernelFile file = kernelFile("convolution/1d_basic");
  // Each of these bytes is four characters in the page; a column counts bytes of the source.
  const std::string statement = "sum += filter";
  file.text.insert(file.text.find(statement), "/* \xff\xfe \x1b \u202e */ ");
  const Chapter chapter = chapterOf(execute(file, {{"width", 7}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 8}}));
  const std::vector<std::string> said = runIn(page("marked", {chapter}, kSource / "assets"), R"(
const {recording} = controls.player, texts = new Set();
for (let position = 1; position <= recording.steps; ++position) {
  controls.go(position);
  const [line, column, last, end] = recording.statement.range;
  const now = [...document.querySelectorAll(".code .now")].map((token) => token.textContent).join("");
  if (line === last) texts.add(`${line} ${column} ${end} ${now}`);
}
for (const text of texts) say(text);
)");
  std::istringstream source(file.text);
  std::vector<std::string> lines{""};
  for (std::string one; std::getline(source, one);) { lines.push_back(one); }
  bool behind = false;
  for (const std::string& text : said) {
    std::istringstream words(text);
    std::size_t number = 0, column = 0, end = 0;
    if (!(words >> number >> column >> end)) { continue; }
    std::string marked;
    std::getline(words >> std::ws, marked);
    ASSERT_LT(number, lines.size());
    EXPECT_EQ(marked, escaped(lines[number].substr(column - 1, end - column)));
    behind = behind || lines[number].substr(0, column).find('\xff') != std::string::npos;
  }
  EXPECT_TRUE(behind) << "no step is on such a line";
}

TEST(HandoutPageTest, WhatCannotBeSeenIsMadeVisible) {
  const std::string hostile = "a\x1b[31m\xff\u202e";
  KernelFile file = kernelFile("convolution/1d_basic");
  file.text += "// " + hostile + " λ\n";
  Chapter chapter = chapterOf(execute(file, {{"width", 7}, {"FILTER_RADIUS", 1}, {"BLOCK_X", 8}}));
  chapter.title = chapter.note = hostile;
  const std::string text = page(hostile, {chapter}, kSource / "assets");
  EXPECT_THAT(text, HasSubstr("<title>a\\x1b[31m\\xff\\xe2\\x80\\xae</title>"));
  EXPECT_THAT(text, HasSubstr(">// a\\x1b[31m\\xff\\xe2\\x80\\xae λ</span>"));
  for (const char* unseen : {"\x1b", "\xff", "\u202e"}) { EXPECT_THAT(text, Not(HasSubstr(unseen))); }
}

TEST(HandoutPageTest, IsSmallAndNeedsNothingElse) {
  const Chapter chapter = chapterOf(execute(kernelFile("stencil/coarsened"), {}));
  const std::string text = page("coarsened", {chapter}, kSource / "assets");
  EXPECT_LT(text.size(), std::size_t{3} << 20);
  for (const char* outside : {"http://", "https://", " src=", "@import", "url("}) {
    EXPECT_THAT(text, Not(HasSubstr(outside)));
  }
}

TEST(HandoutPageTest, ABlockThatIsTooLargeIsCutAndSaidToBe) {
  const auto experiment = execute(kernelFile("stencil/coarsened"), {{"N", 9}, {"IN_TILE_DIM", 5}});
  const RecordingData whole = recordingData(*experiment, {});
  EXPECT_EQ(whole.steps, whole.all);
  const RecordingData part = recordingData(*experiment, {}, 500);
  EXPECT_GT(part.steps, 0U);
  EXPECT_LT(part.steps, whole.steps);
  EXPECT_EQ(part.all, whole.steps);
  EXPECT_LT(part.bytes.size(), whole.bytes.size());
  EXPECT_THROW(static_cast<void>(recordingData(*experiment, {}, 1)), InputError);
}

}  // namespace
}  // namespace haloscope::handout
