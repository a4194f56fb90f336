#include "worksheet/Worksheet.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "experiment/TracedOutput.h"
#include "handout/Handout.h"
#include "program/SourceLocation.h"
#include "recording/Cursor.h"
#include "worksheet/Blanks.h"
#include "worksheet/BlockPicture.h"
#include "worksheet/Ink.h"
#include "worksheet/ThreadTrace.h"

namespace haloscope::worksheet {
namespace {

namespace fs = std::filesystem;
using experiment::Experiment;
using recording::Change;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const fs::path kSource = HALOSCOPE_SOURCE_DIR;

/// A folder that is deleted again.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "haloscope-worksheet-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) { throw std::runtime_error("no temporary folder"); }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string readText(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool hasPoppler() { return std::system("command -v pdftotext >/dev/null 2>&1") == 0; }

/// What a command wrote to its standard output.
std::string outputOf(const std::string& command) {
  const Folder folder;
  EXPECT_EQ(std::system(fmt::format("{} >'{}'", command, (folder / "out").string()).c_str()), 0) << command;
  return readText(folder / "out");
}

struct Outcome {
  int status = 0;
  std::string errors;
};

/// `haloscope ARGUMENTS`.
Outcome haloscope(const std::string& arguments, const std::string& environment = {}) {
  const Folder folder;
  const std::string command = fmt::format("{} HALOSCOPE_NO_GPU=1 LANG=en_GB.UTF-8 {} {} >/dev/null 2>'{}'", environment,
                                          HALOSCOPE_BINARY, arguments, (folder / "errors").string());
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, readText(folder / "errors")};
}

struct Word {
  int page = 0;
  double left = 0, top = 0, right = 0, bottom = 0;
  std::string text;
};

/// The words of a PDF with their places.
std::vector<Word> wordsOf(const fs::path& pdf) {
  std::istringstream lines(outputOf(fmt::format("pdftotext -bbox '{}' -", pdf.string())));
  std::vector<Word> words;
  int page = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("<page ") != std::string::npos) { ++page; }
    const std::size_t begin = line.find("<word ");
    if (begin == std::string::npos) { continue; }
    Word word;
    word.page = page;
    const auto number = [&](const char* name) {
      return std::strtod(line.c_str() + line.find(name) + std::string(name).size() + 2, nullptr);
    };
    word.left = number("xMin");
    word.top = number("yMin");
    word.right = number("xMax");
    word.bottom = number("yMax");
    const std::size_t text = line.find('>', begin) + 1;
    word.text = line.substr(text, line.find("</word>") - text);
    words.push_back(std::move(word));
  }
  return words;
}

/// Whether `words` have this one in its place, alone or with others around it.
bool hasInPlace(const std::vector<Word>& words, const Word& word) {
  const double x = (word.left + word.right) / 2, y = (word.top + word.bottom) / 2;
  return std::ranges::any_of(words, [&](const Word& other) {
    return other.page == word.page && other.left <= x && x <= other.right && other.top <= y && y <= other.bottom &&
           other.text.find(word.text) != std::string::npos;
  });
}

std::size_t pagesOf(const fs::path& pdf) {
  const std::string info = outputOf(fmt::format("pdfinfo '{}'", pdf.string()));
  const std::size_t at = info.find("Pages:");
  return at == std::string::npos ? 0 : std::strtoul(info.c_str() + at + 6, nullptr, 10);
}

std::shared_ptr<const Experiment> execute(const std::string& id, Bindings bindings = {}) {
  static const Catalogue kCatalogue = Catalogue::read(kSource / "kernels");
  const KernelFile& file = kCatalogue.at(id);
  experiment::Choice choice;
  choice.kernel = file.id;
  choice.bindings = std::move(bindings);
  choice.data = withSmallNumbers(file, experiment::compile(file, file.bind(choice.bindings)), {});
  experiment::RunOptions run;
  run.countGrid = false;
  return experiment::run(file, choice, run);
}

std::string sheetsOf(const std::shared_ptr<const Experiment>& experiment, bool solutions) {
  handout::Chapter chapter;
  chapter.experiment = experiment;
  chapter.report = std::make_shared<const checking::CheckReport>(checking::check(*experiment));
  SheetOptions options;
  options.solutions = solutions;
  options.version = "0";
  options.fonts = fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "fonts";
  return sheets("test", {chapter}, options);
}

/// The sum of "2 · 7 + 1 · 4 − 3".
double summed(const std::string& text) {
  std::istringstream words(text);
  double sum = 0, product = 1, sign = 1;
  for (std::string word; words >> word;) {
    if (word == "·") { continue; }
    if (word == "+" || word == "−") {
      sum += sign * product;
      product = 1;
      sign = word == "+" ? 1 : -1;
      continue;
    }
    if (word.starts_with("−")) {
      sign = -sign;
      word.erase(0, std::string("−").size());
    }
    if (word.starts_with('(')) { word = word.substr(1, word.size() - 2); }
    product *= std::strtod(word.c_str(), nullptr);
  }
  return sum + sign * product;
}

struct Sheet {
  BlockPicture picture;
  ThreadTrace trace;
  std::vector<Blank> blanks;
};

Sheet sheetOf(const Experiment& experiment) {
  Sheet sheet;
  sheet.picture = blockPicture(experiment, 0, {}, {});
  sheet.trace = threadTrace(experiment, sheet.picture.thread);
  sheet.blanks = chooseBlanks(sheet.picture, experiment, sheet.trace);
  return sheet;
}

class WorksheetTest : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Kernels, WorksheetTest,
                         testing::Values("stencil/coarsened", "stencil/register_tiled", "stencil/2d_5_basic",
                                         "convolution/1d_basic", "convolution/tiled_input_block"),
                         [](const auto& kernel) {
                           std::string name = kernel.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST_P(WorksheetTest, BlanksHaveTheValuesOfTheRecordingAndCanBeWorkedOut) {
  const auto experiment = execute(GetParam());
  const Sheet sheet = sheetOf(*experiment);
  EXPECT_GE(sheet.blanks.size(), 5U);
  recording::Cursor cursor(experiment->recording);
  cursor.goTo(sheet.picture.position);
  std::size_t blanks = 0, halo = 0;
  for (const PictureGrid& grid : sheet.picture.grids) {
    EXPECT_EQ(grid.cells.size(), static_cast<std::size_t>(grid.rows * grid.columns)) << grid.title;
    for (const PictureCell& cell : grid.cells) {
      if (!cell.shown) { continue; }
      const recording::Cell* held = nullptr;
      if (cell.key.kind == Change::Kind::Shared) {
        held = &cursor.shared(cell.key.id)[static_cast<std::size_t>(cell.key.index)];
      } else if (cell.key.kind == Change::Kind::Variable) {
        held = &cursor.variable(cell.key.id)[static_cast<std::size_t>(cell.key.index)];
      } else if (cell.output) {
        held = cursor.output(cell.key.id, cell.key.index);
      }
      if (held != nullptr) { EXPECT_EQ(cell.cell.bits, held->bits) << cell.name; }
      halo += cell.role == recording::Role::Halo ? 1 : 0;
      if (cell.blank < 0) { continue; }
      const Blank& blank = sheet.blanks.at(static_cast<std::size_t>(cell.blank));
      ++blanks;
      ASSERT_NE(held, nullptr) << cell.name;
      EXPECT_EQ(blank.value, cellText(cell.type, held->bits)) << cell.name;
      if (blank.copy) {
        EXPECT_EQ(blank.derivation,
                  recording::formatElement(experiment->program->objects[held->origin.object].name,
                                           experiment->recording->extents[held->origin.object], held->origin.element));
      } else if (!blank.derivation.empty()) {
        EXPECT_EQ(summed(blank.derivation), std::strtod(blank.value.c_str(), nullptr)) << blank.derivation;
      }
    }
  }
  EXPECT_EQ(blanks, sheet.blanks.size());
  EXPECT_GT(halo, 0U);
}

TEST_P(WorksheetTest, WhatABlankIsMadeOfIsPrinted) {
  const auto experiment = execute(GetParam());
  const Sheet sheet = sheetOf(*experiment);
  std::set<CellKey> readable;  // inputs
  for (const PictureGrid& grid : sheet.picture.grids) {
    for (const PictureCell& cell : grid.cells) {
      const bool input = !cell.output && cell.key.kind == Change::Kind::Global;
      if (input && cell.shown && cell.blank < 0) { readable.insert(cell.key); }
    }
  }
  std::size_t checked = 0;
  for (const PictureGrid& grid : sheet.picture.grids) {
    for (const PictureCell& cell : grid.cells) {
      if (cell.blank < 0) { continue; }
      if (std::ranges::find(sheet.trace.hidden, cell.key) != sheet.trace.hidden.end()) {
        // Worked out in the trace, from what its row reads.
        EXPECT_TRUE(std::ranges::any_of(sheet.trace.rows, [&](const TraceRow& row) {
          const auto result = std::ranges::find(row.results, cell.key, &TraceResult::key);
          return result != row.results.end() && result->blank;
        })) << cell.name;
      } else if (cell.output) {
        const auto traced = experiment::traceOutput(*experiment, cell.key.index);
        ASSERT_TRUE(traced) << cell.name;
        for (const provenance::Operand& operand : traced->trace.operands) {
          if (operand.kind == provenance::Operand::Kind::Literal) { continue; }
          const CellKey key{Change::Kind::Global, operand.object, operand.element};
          EXPECT_TRUE(readable.contains(key)) << cell.name << " needs element " << operand.element;
        }
      } else {
        const CellKey key{Change::Kind::Global, cell.cell.origin.object, cell.cell.origin.element};
        EXPECT_TRUE(readable.contains(key)) << cell.name << " is a copy of element " << cell.cell.origin.element;
      }
      ++checked;
    }
  }
  EXPECT_EQ(checked, sheet.blanks.size());
}

TEST(WorksheetTraceTest, ValuesFromOtherThreadsAreNoBlanks) {
  const KernelFile file = KernelFile::parse("test/left", "left.cu", R"(/* haloscope
title: Left neighbours by shuffle
book: none
idea: The left neighbour comes from the lane beside.
sizes:
  N: {default: 64, min: 32, max: 1024, meaning: array elements}
arrays:
  in: {shape: [N]}
  out: {shape: [N]}
launch:
  grid: [N / 32, 1, 1]
  block: [32, 1, 1]
*/
__global__ void left(const float* in, float* out, int N) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  const float here = in[i];
  const float left = __shfl_up_sync(0xffffffff, here, 1);
  out[i] = here + left;
}
)");
  experiment::Choice choice;
  choice.kernel = file.id;
  experiment::RunOptions run;
  run.countGrid = false;
  const auto experiment = experiment::run(file, choice, run);
  const ThreadTrace trace = sheetOf(*experiment).trace;
  std::size_t shuffles = 0;
  for (const TraceRow& row : trace.rows) {
    if (row.statement.find("__shfl") == std::string::npos) { continue; }
    ++shuffles;
    for (const TraceResult& result : row.results) { EXPECT_FALSE(result.blank) << row.statement; }
  }
  EXPECT_GT(shuffles, 0U);
}

TEST_P(WorksheetTest, TheTraceHidesNothingThatAnotherRowOfItNeedsToShow) {
  const auto experiment = execute(GetParam());
  const Sheet sheet = sheetOf(*experiment);
  ASSERT_FALSE(sheet.trace.rows.empty());
  EXPECT_FALSE(sheet.trace.hidden.empty());
  const TraceRow& last = sheet.trace.rows.back();
  ASSERT_FALSE(last.results.empty());
  EXPECT_EQ(last.results.front().name, experiment->program->objects[experiment->footprint.output].name);
  EXPECT_TRUE(last.results.front().blank);
  // The output of the thread is hidden in the picture, too.
  for (const PictureGrid& grid : sheet.picture.grids) {
    for (const PictureCell& cell : grid.cells) {
      if (cell.shown && cell.key == last.results.front().key) { EXPECT_GE(cell.blank, 0) << cell.name; }
      const auto& printed = sheet.trace.printed;
      const auto& hidden = sheet.trace.hidden;
      if (cell.blank >= 0 && std::ranges::find(hidden, cell.key) == hidden.end()) {
        EXPECT_EQ(std::ranges::find(printed, cell.key), printed.end()) << cell.name;
      }
    }
  }
}

TEST_P(WorksheetTest, SolutionsAreTheSamePagesFilledIn) {
  if (!hasPoppler()) { GTEST_SKIP() << "no pdftotext (Debian: poppler-utils)"; }
  const auto experiment = execute(GetParam());
  const Sheet sheet = sheetOf(*experiment);
  const Folder folder;
  std::ofstream(folder / "blank.pdf", std::ios::binary) << sheetsOf(experiment, false);
  std::ofstream(folder / "solved.pdf", std::ios::binary) << sheetsOf(experiment, true);
  EXPECT_EQ(pagesOf(folder / "blank.pdf"), pagesOf(folder / "solved.pdf"));
  const std::vector<Word> blank = wordsOf(folder / "blank.pdf"), solved = wordsOf(folder / "solved.pdf");
  ASSERT_GT(blank.size(), 200U);
  for (const Word& word : blank) { EXPECT_TRUE(hasInPlace(solved, word)) << "page " << word.page << ": " << word.text; }
  // What is in the solutions alone.
  std::string answers;
  for (const Word& word : solved) {
    if (!hasInPlace(blank, word)) { answers += word.text + " "; }
  }
  EXPECT_THAT(answers, HasSubstr("Solutions"));
  for (const Blank& one : sheet.blanks) {
    EXPECT_THAT(answers, HasSubstr(one.derivation)) << one.name;
    EXPECT_THAT(answers, HasSubstr(one.value)) << one.name;
  }
  for (const TraceRow& row : sheet.trace.rows) {
    for (const TraceResult& result : row.results) {
      if (result.blank) { EXPECT_THAT(answers, HasSubstr(result.value)) << result.name; }
    }
  }
}

TEST(WorksheetFileTest, HasTheSameBytesEachTimeAndIsSmall) {
  const Folder folder;
  const std::string first = (folder / "a.pdf").string(), second = (folder / "b.pdf").string();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(haloscope("export stencil/coarsened --pdf '" + first + "'").status, 0);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_EQ(haloscope("export stencil/coarsened --pdf '" + second + "'").status, 0);
  const std::string bytes = readText(first);
  EXPECT_TRUE(bytes.starts_with("%PDF"));
  EXPECT_EQ(bytes, readText(second));
  EXPECT_LT(bytes.size(), std::size_t{1} << 20);
  RecordProperty("milliseconds", static_cast<int>(seconds * 1000));
  EXPECT_EQ(haloscope("export stencil/coarsened --pdf '" + second + "'", "SOURCE_DATE_EPOCH=86400").status, 0);
  EXPECT_NE(bytes, readText(second));
  EXPECT_EQ(haloscope("export stencil/coarsened --pdf '" + second + "'", "SOURCE_DATE_EPOCH=soon").status, 2);
  // A page for a browser has no date.
  const std::string page = (folder / "a.html").string();
  EXPECT_EQ(haloscope("export stencil/coarsened --html '" + page + "'", "SOURCE_DATE_EPOCH=soon").status, 0);
}

TEST(WorksheetFontsTest, NameTheMissingOneAndItsPackage) {
  const fs::path all = fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "fonts";
  const Folder folder;
  fs::create_directory(folder / "system");  // an empty one
  fs::create_directory(folder / "fonts");
  const auto problem = [](const auto& made) -> std::string {
    try {
      made();
    } catch (const MissingError& error) { return error.what(); }
    return {};
  };
  for (const char* name : {"Inter-Regular.otf", "Inter-SemiBold.otf", "Inter-Italic.otf", "JetBrainsMono-Regular.ttf",
                           "JetBrainsMono-Bold.ttf"}) {
    const char* package = std::string(name).starts_with("Inter") ? "fonts-inter" : "fonts-jetbrains-mono";
    EXPECT_THAT(problem([&] { const Fonts some(folder / "fonts", folder / "system"); }),
                AllOf(HasSubstr(name), HasSubstr(package)));
    fs::create_symlink(all / name, folder / "fonts" / name);
  }
  // English needs no more, but a comment in Chinese does.
  const Fonts english(folder / "fonts", folder / "system");
  EXPECT_GT(Text(english, "halo").width(), 0);
  EXPECT_THAT(problem([&] { Text(english, "光环"); }), AllOf(HasSubstr("NotoSansCJK"), HasSubstr("fonts-noto-cjk")));
  for (const char* name : {"NotoSansCJKsc-Regular.otf", "NotoSansCJKsc-Bold.otf"}) {
    fs::create_symlink(all / name, folder / "fonts" / name);
  }
  EXPECT_GT(Text(Fonts(folder / "fonts", folder / "system"), "光环").width(), 0);
}

TEST(WorksheetFileTest, SpeaksChinese) {
  if (!hasPoppler()) { GTEST_SKIP() << "no pdftotext (Debian: poppler-utils)"; }
  const Folder folder;
  const std::string path = (folder / "zh.pdf").string();
  ASSERT_EQ(haloscope("export convolution/1d_basic --solutions --language zh --pdf '" + path + "'").status, 0);
  const std::string text = outputOf("pdftotext '" + path + "' -");
  for (const char* word : {"姓名", "答案", "源代码", "逐句执行", "光环"}) { EXPECT_THAT(text, HasSubstr(word)); }
  EXPECT_THAT(outputOf("pdffonts '" + path + "'"), HasSubstr("NotoSansCJKsc"));
}

TEST(WorksheetFileTest, HasAChapterForEachSceneAndAsksNothingTwice) {
  if (!hasPoppler()) { GTEST_SKIP() << "no pdftotext (Debian: poppler-utils)"; }
  const Folder folder;
  const std::string path = (folder / "lecture.pdf").string();
  const std::string session = (kSource / "assets/sessions/chapters-7-and-8.halo").string();
  ASSERT_EQ(haloscope("export '" + session + "' --pdf '" + path + "'").status, 0);
  const std::string text = outputOf("pdftotext '" + path + "' -");
  std::size_t names = 0;
  for (std::size_t at = text.find("Name\n"); at != std::string::npos; at = text.find("Name\n", at + 1)) { ++names; }
  EXPECT_EQ(names, 8U);
  const std::string asked = "With tiles of 16 × 16, OP/B rises with the radius";
  EXPECT_THAT(text, HasSubstr(asked));
  EXPECT_EQ(text.find(asked), text.rfind(asked));
}

TEST(WorksheetFileTest, AsksForTheMistakeAndNamesItInTheSolutions) {
  if (!hasPoppler()) { GTEST_SKIP() << "no pdftotext (Debian: poppler-utils)"; }
  const Folder folder;
  const std::string path = (folder / "f.pdf").string();
  const std::string kernel = (kSource / "assets/buglab/torn_planes/faulty.cu").string();
  ASSERT_EQ(haloscope("export '" + kernel + "' --pdf '" + path + "'").status, 0);
  const std::string blank = outputOf("pdftotext '" + path + "' -");
  EXPECT_THAT(blank, HasSubstr("There is a mistake in this kernel"));
  EXPECT_THAT(blank, Not(HasSubstr("race in shared memory")));
  ASSERT_EQ(haloscope("export '" + kernel + "' --solutions --pdf '" + path + "'").status, 0);
  const std::string solved = outputOf("pdftotext '" + path + "' -");
  EXPECT_THAT(solved, HasSubstr("race in shared memory"));
  EXPECT_THAT(solved, HasSubstr("inCurr_s[2][1] is read by thread"));
}

TEST(WorksheetFileTest, CutsALongSourceAndSaysSo) {
  if (!hasPoppler()) { GTEST_SKIP() << "no pdftotext (Debian: poppler-utils)"; }
  const Folder folder;
  {
    std::ofstream file(folder / "long.cu");
    for (int i = 0; i < 2500; ++i) { file << "// remark " << i << '\n'; }
    file << "__global__ void twice(const float* in, float* out, int n) {\n"
            "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "  if (i < n) { out[i] = 2 * in[i]; }\n}\n";
    for (int i = 0; i < 2500; ++i) { file << "// more " << i << '\n'; }
  }
  const std::string path = (folder / "long.pdf").string();
  const Outcome made = haloscope("export '" + (folder / "long.cu").string() + "' --pdf '" + path + "'");
  ASSERT_EQ(made.status, 0) << made.errors;
  EXPECT_LE(pagesOf(path), 8U);
  const std::string text = outputOf("pdftotext '" + path + "' -");
  EXPECT_THAT(text, HasSubstr("are left out"));
  EXPECT_THAT(text, HasSubstr("2 * in[i]"));
}

TEST(WorksheetFileTest, RefusesWhatItCannotDo) {
  const Folder folder;
  const std::string path = (folder / "x.pdf").string();
  const auto expectRefused = [&](const std::string& arguments, const char* why) {
    const Outcome outcome = haloscope("export " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.errors, HasSubstr(why)) << arguments;
    EXPECT_FALSE(fs::exists(path)) << arguments;
  };
  expectRefused("stencil/coarsened --solutions -o '" + (folder / "x.png").string() + "'", "--pdf");
  expectRefused("stencil/coarsened --pdf /proc/nowhere/x.pdf", "/proc/nowhere");
  expectRefused("stencil/coarsened --pdf '" + (folder / "x.txt").string() + "'", ".pdf");
  expectRefused("stencil/coarsened --paper a5 --pdf '" + path + "'", "a5");
  expectRefused("stencil/coarsened --notes --pdf '" + path + "'", "--notes");
  expectRefused("stencil/coarsened --light --pdf '" + path + "'", "--light");
  expectRefused("stencil/coarsened --pdf '" + path + "' --html '" + (folder / "x.html").string() + "'", "--html");
  expectRefused("nothing/there --pdf '" + path + "'", "nothing/there");
}

}  // namespace
}  // namespace haloscope::worksheet
