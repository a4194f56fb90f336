#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "ManualPages.h"
#include "ProgramTest.h"
#include "commands/Command.h"
#include "language/Language.h"
#include "language/LineBreaks.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "lessons/LessonText.h"
#include "render/Image.h"
#include "ui/window/PanelList.h"

/// The manual and README.md: that what they say is there, that their commands do what they say, and that both languages
/// say the same.
namespace haloscope::test {
namespace {

using ::testing::HasSubstr;

const fs::path kSource = HALOSCOPE_SOURCE_DIR;
const fs::path kReadme = kSource / "README.md";
const fs::path kManual = kSource / "assets/manual";

lessons::Course manualIn(const std::string& language) { return lessons::Course::readManual(kManual, language); }

std::string words(const std::vector<lessons::Span>& spans) {
  std::string text;
  for (const lessons::Span& span : spans) {
    if (span.kind == lessons::Span::Kind::Text) { text += span.text; }
  }
  return text;
}

class ManualPage : public ::testing::TestWithParam<const char*> {};

TEST_P(ManualPage, IsWhole) {
  const lessons::Course manual = manualIn(GetParam());
  ASSERT_FALSE(manual.lessons.empty());
  for (const lessons::Lesson& page : manual.lessons) {
    EXPECT_EQ(page.language, GetParam()) << page.id;
    for (const SourceError& problem : page.problems) { ADD_FAILURE() << problem.what(); }
    for (const lessons::Block& block : page.blocks) {
      EXPECT_EQ(words(block.spans).find_first_of("*`"), std::string::npos) << page.path << ":" << block.line;
      if (block.kind == lessons::Block::Kind::Picture) { EXPECT_TRUE(fs::exists(block.text)) << block.text; }
      if (block.kind != lessons::Block::Kind::Code) { continue; }
      std::istringstream lines(block.text);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(terminalColumns(line), 108U) << page.path << ":" << block.line << ": " << line;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Language, ManualPage, ::testing::Values("en", "zh"));

TEST(Manual, HasTheSamePagesCommandsAndLinksInBothLanguages) {
  const std::vector<fs::path> english = manualPages("en"), chinese = manualPages("zh");
  ASSERT_EQ(english.size(), chinese.size());
  for (std::size_t i = 0; i < english.size(); ++i) {
    ASSERT_EQ(english[i].filename(), chinese[i].filename());
    std::vector<std::string> here, there;
    for (const PageCommand& one : commandsOf(english[i])) { here.push_back(one.mark + ": " + one.text); }
    for (const PageCommand& one : commandsOf(chinese[i])) { there.push_back(one.mark + ": " + one.text); }
    EXPECT_EQ(here, there) << chinese[i];
    std::vector<std::string> links = pathsOf(english[i]), theirs = pathsOf(chinese[i]);
    for (std::string& path : theirs) { path = std::regex_replace(path, std::regex("-zh\\.png"), ".png"); }
    std::ranges::sort(links);
    std::ranges::sort(theirs);
    EXPECT_EQ(links, theirs) << chinese[i];
  }
}

TEST(Manual, LinksAndPicturesOfReadmeAreThere) {
  for (const std::string& path : pathsOf(kReadme)) { EXPECT_TRUE(fs::exists(kSource / path)) << path; }
  std::ifstream readme(kReadme);
  EXPECT_LE(std::count(std::istreambuf_iterator<char>(readme), {}, '\n'), 150);
}

TEST(Manual, ExplainsEachCommandOnOnePage) {
  std::vector<std::string> explained, all;
  for (const lessons::Lesson& page : manualIn("en").lessons) {
    explained.insert(explained.end(), page.commands.begin(), page.commands.end());
  }
  for (const Command* command : commands()) { all.emplace_back(command->name); }
  EXPECT_THAT(explained, ::testing::UnorderedElementsAreArray(all));
}

class ManualOfProgram : public ProgramTest {};

TEST_F(ManualOfProgram, NamesOnlyCommandsAndOptionsThatExist) {
  std::string help = run("--help").out;
  std::set<std::string> names = {"FILE", "COMMAND"};
  for (const Command* command : commands()) {
    names.insert(command->name);
    help += run(std::string(command->name) + " --help").out;
  }
  for (const char* figure : {"layout", "opb", "registers", "tail", "discretise"}) {
    help += run(std::string("figure ") + figure + " --help").out;
  }
  static const std::regex kOption("(?:^| )(--[a-z][a-z-]*)"), kNamed("^haloscope ([A-Za-z]+)(?: |$)");
  std::vector<fs::path> pages = manualPages("en");
  for (const fs::path& page : manualPages("zh")) { pages.push_back(page); }
  pages.push_back(kReadme);
  for (const fs::path& page : pages) {
    std::vector<std::string> said = codeWordsOf(page);
    for (const PageCommand& command : commandsOf(page)) {
      if (command.text.starts_with("haloscope ")) { said.push_back(command.text); }
    }
    for (const std::string& word : said) {
      const std::string known = word.starts_with("./") ? read(kSource / word.substr(0, word.find(' '))) + help : help;
      for (std::sregex_iterator it(word.begin(), word.end(), kOption), end; it != end; ++it) {
        EXPECT_THAT(known, HasSubstr((*it)[1].str())) << page << ": " << word;
      }
      std::smatch named;
      if (std::regex_search(word, named, kNamed)) { EXPECT_TRUE(names.contains(named[1])) << page << ": " << word; }
    }
  }
}

/// What a page's commands find in their folder: what a reader has.
class ManualCommands : public ManualOfProgram, public ::testing::WithParamInterface<fs::path> {
 protected:
  ManualCommands() {
    const fs::path programs = kSource / "tests/programs";
    take(programs / "conv1d_checked.cu", "mine.cu");
    take(programs / "cpu_conv1d_right_end_wrong.cu", "faulty.cu");
    take(programs / "slabs_over_gpus.cu", "slabs.cu");
    const std::string blur =
        "__global__ void blur(const float* in, float* out, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];\n"
        "}\n";
    fs::create_directories(folder_ / "hand-ins");
    for (const char* name : {"kernel.cu", "solution.cu", "hand-ins/ann.cu", "hand-ins/ben.cu"}) {
      std::ofstream(folder_ / name) << blur;
    }
    std::ofstream(folder_ / "heat.cu")
        << "#include <cstdio>\n#include <cstdlib>\n"
        << blur
        << "int main(int argc, char** argv) {\n"
           "  if (argc != 3) return 2;\n"
           "  const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);\n"
           "  float *a, *b;\n"
           "  cudaMalloc(&a, n * sizeof(float));\n  cudaMalloc(&b, n * sizeof(float));\n"
           "  cudaMemset(a, 0, n * sizeof(float));\n  cudaMemset(b, 0, n * sizeof(float));\n"
           "  for (int s = 0; s < steps; ++s) {\n    blur<<<(n + 63) / 64, 64>>>(a, b, n);\n"
           "    float* old = a;\n    a = b;\n    b = old;\n  }\n"
           "  float first;\n  cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);\n"
           "  std::printf(\"%g\\n\", first);\n  cudaFree(a);\n  cudaFree(b);\n}\n";
    fs::copy_file(kSource / "assets/sessions/chapters-7-and-8.halo", folder_ / "lecture.halo");
    std::ofstream(folder_ / "photo.png") << render::Image(40, 30).png();
    fs::create_symlink(kSource / "assets", folder_ / "assets");  // README.md's commands name files in it
    fs::create_directories(folder_ / "bin");
    fs::create_symlink(HALOSCOPE_BINARY, folder_ / "bin/haloscope");
  }

  /// Without what it says to the tests of programs.
  void take(const fs::path& program, const char* name) const {
    std::ofstream(folder_ / name) << std::regex_replace(read(program), std::regex(" *// finds: .*"), "");
  }

  /// Through a shell, as a reader types it.
  [[nodiscard]] Reply type(const std::string& command) const {
    const std::string script = (folder_ / "typed.sh").string();
    std::ofstream(script) << "cd " << folder_.string() << "\nPATH=" << (folder_ / "bin").string() << ":$PATH\n"
                          << command << "\n";
    const fs::path out = folder_ / "out", err = folder_ / "err";
    const std::string line = "env -u DISPLAY -u WAYLAND_DISPLAY HALOSCOPE_NO_GPU=1 LANG=en_GB.UTF-8 XDG_CACHE_HOME=" +
                             (folder_ / "cache").string() + " XDG_CONFIG_HOME=" + (folder_ / "config").string() +
                             " bash " + script + " >" + out.string() + " 2>" + err.string();
    const int status = std::system(line.c_str());  // NOLINT(cert-env33-c): the manual's own words
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, read(out), read(err)};
  }
};

TEST_P(ManualCommands, DoWhatThePageSays) {
  std::map<std::string, int> leftOut;
  int executed = 0;
  for (const PageCommand& command : commandsOf(GetParam())) {
    const bool fails = command.mark == "exit 1", compiles = command.mark == "nvrtc";
    if (!command.mark.empty() && !fails && !compiles) {
      const std::set<std::string> known = {"gpu", "display", "minutes"};
      EXPECT_TRUE(known.contains(command.mark)) << GetParam() << ":" << command.line << ": <!-- run: " << command.mark;
      ++leftOut[command.mark];
      continue;
    }
    const Reply reply = type(command.text);
    if (compiles && reply.status == 3) {  // NVIDIA's compiler is not here
      ++leftOut[command.mark];
      continue;
    }
    ++executed;
    EXPECT_EQ(reply.status, fails ? 1 : 0) << GetParam() << ":" << command.line << ": " << command.text << "\n"
                                           << reply.out << reply.err;
    if (command.prints) { EXPECT_EQ(reply.out, *command.prints) << GetParam() << ":" << command.line; }
  }
  std::string said = GetParam().filename().string() + ": " + std::to_string(executed) + " commands executed";
  for (const auto& [why, count] : leftOut) { said += ", " + std::to_string(count) + " left out (" + why + ")"; }
  if (executed + static_cast<int>(leftOut.size()) > 0) { std::cout << said << "\n"; }
}

std::vector<fs::path> pagesWithCommands() {
  std::vector<fs::path> pages = manualPages("en");
  pages.push_back(kReadme);
  std::erase_if(pages, [](const fs::path& page) { return commandsOf(page).empty(); });
  return pages;
}

INSTANTIATE_TEST_SUITE_P(Of, ManualCommands, ::testing::ValuesIn(pagesWithCommands()),
                         [](const ::testing::TestParamInfo<fs::path>& page) {
                           return std::regex_replace(page.param.stem().string(), std::regex("[^A-Za-z]+"), "");
                         });

TEST_P(ManualPage, FitsATerminal) {
  for (const lessons::Lesson& page : manualIn(GetParam()).lessons) {
    std::istringstream lines(lessons::plainPage(page));
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with("    ")) { EXPECT_LE(terminalColumns(line), 80U) << page.id << ": " << line; }
    }
  }
}

TEST_F(ManualOfProgram, HelpListsAndPrintsPages) {
  EXPECT_THAT(run("help --language en").out, HasSubstr("\n  check "));
  EXPECT_THAT(run("help check --language en").out, HasSubstr("Find what is wrong\n====="));
  EXPECT_THAT(run("help check --language zh").out, HasSubstr("找出错误\n========\n"));
}

TEST_F(ManualOfProgram, ACommandLeadsToItsPage) {
  EXPECT_EQ(run("help verify --language en").out, run("help gpu --language en").out);
  EXPECT_THAT(run("verify --help --language en").out, HasSubstr("\nhaloscope help gpu says more: "));
}

TEST_F(ManualOfProgram, AnUnknownTopicNamesTheNearest) {
  const Reply reply = run("help chekc --language en");
  EXPECT_EQ(reply.status, 2);
  EXPECT_EQ(reply.out, "");
  EXPECT_THAT(reply.err, HasSubstr("the manual has no page \"chekc\"; the nearest are check, "));
  EXPECT_EQ(std::ranges::count(reply.err, '\n'), 1);
  EXPECT_EQ(run("render --manual chekc -o " + (folder_ / "none.png").string()).status, 2);
}

class KeyboardPage : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    setLanguageFolder(fs::path(HALOSCOPE_BINARY).parent_path() / "assets/languages");
    setLanguage(*languageWithCode(GetParam()));
  }
  void TearDown() override { setLanguage(Language::English); }
};

TEST_P(KeyboardPage, HasEveryShortcutInItsGroup) {
  const lessons::Course manual = manualIn(GetParam());
  const lessons::Lesson* const page = manual.find("keyboard");
  ASSERT_NE(page, nullptr);
  std::string group;
  std::set<std::string> written, known;
  for (const lessons::Block& block : page->blocks) {
    if (block.kind == lessons::Block::Kind::Heading) { group = words(block.spans); }
    for (const auto& row : block.rows) {
      if (&row != &block.rows.front()) {
        written.insert(group + " | " + row.at(0).at(0).text + " | " + words(row.at(1)));
      }
    }
  }
  for (const ui::Shortcut& one : ui::shortcuts()) {
    const std::string row = std::string(ui::name(one.group)) + " | " + ui::keyText(one) + " | " + tr(one.text);
    known.insert(row);
    EXPECT_TRUE(written.contains(row)) << row;
  }
  for (const std::string& row : written) { EXPECT_TRUE(known.contains(row)) << row << ": there is no such shortcut"; }
}

INSTANTIATE_TEST_SUITE_P(Language, KeyboardPage, ::testing::Values("en", "zh"));

}  // namespace
}  // namespace haloscope::test
