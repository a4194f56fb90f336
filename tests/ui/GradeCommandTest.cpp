#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "CommandLineSupport.h"
#include "grading/Html.h"
#include "grading/Lists.h"
#include "opening/NamedKernel.h"
#include "text/Html.h"

/// `haloscope grade`: right and wrong hand-ins, hostile ones, and a grading that is resumed.
namespace haloscope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::CommandLineTest;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kLab = HALOSCOPE_SOURCE_DIR "/assets/buglab/";

constexpr const char* kScale =
    "__global__ void scale(const float* in, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = 2 * in[i];\n"
    "}\n";
constexpr const char* kScaleBeyond =
    "__global__ void scale(const float* in, float* out, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = 3 * in[i];\n"
    "}\n";
constexpr const char* kEndless =
    "#include <cstdio>\n__global__ void k(float* a) { a[threadIdx.x] = 1; }\n"
    "int main() { volatile int x = 0; for (;;) { x = x + 1; } }\n";

class GradeTest : public CommandLineTest {
 protected:
  GradeTest() { fs::create_directories(hand_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((hand_ / name).parent_path());
    std::ofstream(hand_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] Reply grade(const std::string& options = "") const {
    return run("grade " + hand_.string() + " " + options);
  }
  /// By hand-in.
  [[nodiscard]] static std::map<std::string, json> rows(const Reply& reply) {
    std::map<std::string, json> all;
    const json whole = json::parse(reply.out);
    for (const json& row : whole.at("hand_ins")) { all[row.at("hand_in")] = row; }
    return all;
  }
  [[nodiscard]] std::string pageOf(const json& row) const {
    return read(results_ / "students" / row.at("page").get<std::string>());
  }
  [[nodiscard]] std::size_t records() const {
    const fs::directory_iterator all(results_ / "records");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

  const fs::path hand_ = folder_ / "hand-ins";
  const fs::path results_ = folder_ / "hand-ins.graded";
};

TEST_F(GradeTest, ARowAndAPageForEachHandIn) {
  fs::copy_file(kLab + "flicker/faulty.cu", hand_ / "ada.cu");
  fs::copy_file(kLab + "flicker/fixed.cu", hand_ / "grace.cu");
  write("linus/broken.cu", "__global__ void k(float* out) { out[0] = ; }\n");
  write("notes.txt", "for myself\n");
  const Reply graded = grade("--json --reference " + kLab + "flicker/fixed.cu");
  EXPECT_EQ(graded.status, 1) << graded.err;
  std::map<std::string, json> all = rows(graded);
  ASSERT_EQ(all.size(), 3U) << graded.out;
  EXPECT_EQ(all["ada.cu"].at("verdict"), "findings");
  EXPECT_EQ(all["grace.cu"].at("verdict"), "passed");
  EXPECT_EQ(all["linus"].at("verdict"), "does-not-compile");
  const json& race = all["ada.cu"].at("kernels").at(0).at("findings").at(0);
  EXPECT_EQ(race.at("kind"), "race-shared");
  EXPECT_GT(race.at("line"), 0);
  EXPECT_THAT(json::parse(graded.out).at("remarks").at(0).get<std::string>(), HasSubstr("1 file"));

  const std::string ada = pageOf(all["ada.cu"]);
  EXPECT_THAT(ada, HasSubstr(escaped(race.at("message").get<std::string>())));
  EXPECT_THAT(ada, HasSubstr("id=\"s0-" + std::to_string(race.at("line").get<int>()) + "\""));
  EXPECT_THAT(ada, HasSubstr("<svg role=\"img\""));
  EXPECT_THAT(ada, HasSubstr("fixed.cu"));
  for (const char* foreign : {"grace", "linus", "hand-ins", "buglab"}) { EXPECT_THAT(ada, Not(HasSubstr(foreign))); }
  EXPECT_THAT(ada, Not(HasSubstr(folder_.string())));
  EXPECT_THAT(pageOf(all["linus"]), HasSubstr("broken.cu"));

  const std::string report = read(results_ / "report.html");
  for (const char* part : {"ada.cu", "grace.cu", "linus", "students/ada.html", "<svg", "race in shared memory"}) {
    EXPECT_THAT(report, HasSubstr(part));
  }
  EXPECT_FALSE(fs::exists(hand_ / "report.html"));
}

TEST_F(GradeTest, TheClassIsSummedUpByVerdictAndByKindOfFinding) {
  fs::copy_file(kLab + "flicker/faulty.cu", hand_ / "ada.cu");
  fs::copy_file(kLab + "flicker/faulty.cu", hand_ / "grace.cu");
  fs::copy_file(kLab + "flicker/fixed.cu", hand_ / "ken.cu");
  write("copies.cu",
        kScale + std::string("int main() {\n  float h[100], *a;\n  cudaMalloc(&a, 100);\n"
                             "  cudaMemcpy(a, h, 400, cudaMemcpyHostToDevice);\n  scale<<<1, 32>>>(a, a, 25);\n"
                             "  cudaDeviceSynchronize();\n}\n"));
  write("plain.cu", kScale);
  const Reply graded = grade();
  EXPECT_THAT(graded.out, HasSubstr("hand-ins with a finding of this kind:\n   2 of 5: race in shared memory\n"));
  EXPECT_THAT(graded.out, HasSubstr("   1 of 5: number of elements where bytes are meant\n"));
  const std::string report = read(results_ / "report.html");
  EXPECT_THAT(report, HasSubstr("<span class=\"kind\">race in shared memory</span><span class=\"of\">2 of 5</span>"));
  EXPECT_THAT(report, HasSubstr("<ul><li><a href=\"students/ada.html\">ada.cu</a></li>"
                                "<li><a href=\"students/grace.html\">grace.cu</a></li></ul>"));
  EXPECT_THAT(report, HasSubstr("No reference was given"));
  // What each verdict that occurs means; no other.
  EXPECT_THAT(report, HasSubstr(escaped("--reference FILE.cu[:KERNEL]")));
  EXPECT_THAT(report, Not(HasSubstr("Ask for the source")));
  // A student reads what to look at next, once for each kind.
  const std::string page = read(results_ / "students" / "copies.html");
  EXPECT_THAT(page, HasSubstr("A size is in bytes"));
  EXPECT_THAT(page, Not(HasSubstr("elements-as-bytes")));
  const std::string race = "Which __syncthreads() stands between the two lines?";
  const std::string ada = read(results_ / "students" / "ada.html");
  ASSERT_NE(ada.find(race), std::string::npos);
  EXPECT_EQ(ada.find(race, ada.find(race) + 1), std::string::npos);
  const Reply chinese = run("--language zh grade " + hand_.string());
  EXPECT_THAT(chinese.out, HasSubstr("   1 / 5：该用字节数却用了元素个数\n"));
}

TEST_F(GradeTest, AWrongResultShowsWhatTheReferenceExpects) {
  write("ada.cu", kScaleBeyond);
  std::ofstream(folder_ / "reference.cu") << kScale;
  const std::string reference = "--reference " + (folder_ / "reference.cu").string();
  const Reply graded = grade("--json " + reference);
  std::map<std::string, json> all = rows(graded);
  const json& row = all["ada.cu"];
  EXPECT_EQ(row.at("verdict"), "wrong-result") << graded.out << graded.err;
  ASSERT_FALSE(row.at("wrong_cells").empty());
  const json& cell = row.at("wrong_cells").at(0);
  EXPECT_THAT(cell.at("cell").get<std::string>(), HasSubstr("out["));
  EXPECT_NEAR(cell.at("computed").get<double>() * 2, cell.at("expected").get<double>() * 3, 1e-6);
  EXPECT_THAT(pageOf(row), HasSubstr("expected by reference.cu"));

  const Reply csv = grade("--csv " + reference);
  EXPECT_THAT(
      csv.out,
      HasSubstr("hand-in,verdict,findings,kind,file,line,sentence,cell,expected,computed,page,common headers\r\n"));
  EXPECT_THAT(csv.out, HasSubstr("ada.cu,wrong-result,1,wrong-result,ada.cu,3,"));
  EXPECT_EQ(grade("--reference " + (folder_ / "none.cu").string()).status, 2);
  std::ofstream(folder_ / "empty.cu") << "int nothing;\n";
  EXPECT_EQ(grade("--reference " + (folder_ / "empty.cu").string()).status, 2);
}

/// With a header that says that the result is right.
std::string withOwnDefinition(const std::string& parameters, const std::string& factor) {
  return "/* haloscope\ntitle: Scale\nsizes:\n  n: {default: 1000, min: 1, max: 4096, meaning: elements}\n"
         "arrays:\n  in: {shape: [n]}\n  out: {shape: [n]}\n"
         "launch:\n  grid: [ceil(n / 128), 1, 1]\n  block: [128, 1, 1]\n"
         "definition:\n  border: wraps around\n  out: " +
         factor + " * in[0]\n*/\n__global__ void scale(" + parameters +
         ") {\n  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = " + factor + " * in[i];\n}\n";
}

TEST_F(GradeTest, OnlyTheReferenceLetsAHandInPass) {
  const std::string parameters = "const float* in, float* out, int n";
  write("other_parameters.cu", withOwnDefinition("float* out, int n, const float* in", "3"));
  write("other_result.cu", withOwnDefinition(parameters, "3"));
  write("right.cu", withOwnDefinition(parameters, "2"));
  write("right_and_more.cu", kScale + std::string("__global__ void root(const float* a, float* b, int n, int m) {\n"
                                                  "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                                  "  if (i < n) b[i] = sqrtf(fabsf(a[i])) + m;\n}\n"));
  write("two_alike.cu",
        "__global__ void one(float* a, int n, int m) { if (threadIdx.x < n) a[threadIdx.x] = m; }\n"
        "__global__ void two(float* a, int n, int m) { if (threadIdx.x < n) a[threadIdx.x] = m; }\n");
  std::map<std::string, json> all = rows(grade("--json"));
  EXPECT_EQ(all["other_parameters.cu"].at("verdict"), "passed") << all["other_parameters.cu"].dump(2);
  EXPECT_EQ(all["other_result.cu"].at("verdict"), "passed") << all["other_result.cu"].dump(2);

  std::ofstream(folder_ / "reference.cu") << kScale;
  all = rows(grade("--json --reference " + (folder_ / "reference.cu").string()));
  for (const char* name : {"other_parameters.cu", "right_and_more.cu", "two_alike.cu"}) {
    EXPECT_EQ(all[name].at("verdict"), "not-compared") << all[name].dump(2);
  }
  EXPECT_THAT(
      all["other_parameters.cu"].at("sentence").get<std::string>(),
      HasSubstr("scale is not compared with the reference reference.cu:scale: it takes (float*, float*, int n)"));
  EXPECT_EQ(all["other_result.cu"].at("verdict"), "wrong-result") << all["other_result.cu"].dump(2);
  EXPECT_EQ(all["right.cu"].at("verdict"), "passed") << all["right.cu"].dump(2);
  EXPECT_THAT(all["right.cu"].at("sentence").get<std::string>(), HasSubstr("agrees with reference.cu:scale"));
}

TEST_F(GradeTest, ANameIsNoFormulaOfASpreadsheet) {
  write("=cmd.cu", kScale);
  EXPECT_THAT(grade("--csv").out, HasSubstr("\r\n'=cmd.cu,not-compared"));
}

TEST_F(GradeTest, AFileThatCannotBeReadIsARow) {
  if (::geteuid() == 0) { GTEST_SKIP() << "root can read every file"; }
  write("ada.cu", kScale);
  ASSERT_EQ(::chmod((hand_ / "ada.cu").c_str(), 0), 0);
  std::map<std::string, json> all = rows(grade("--json"));
  EXPECT_EQ(all["ada.cu"].at("verdict"), "not-a-file");
  EXPECT_THAT(all["ada.cu"].at("sentence").get<std::string>(), HasSubstr("Permission denied"));
  ::chmod((hand_ / "ada.cu").c_str(), 0600);
}

TEST_F(GradeTest, AResumedGradingExecutesWhatChangedAlone) {
  write("ada.cu", kScale);
  write("grace.cu", kScaleBeyond);
  write("linus/main.cu", kScale);
  const Reply first = grade("--json --jobs 1");
  EXPECT_THAT(first.err, Not(HasSubstr("taken over")));
  const std::string report = read(results_ / "report.html");
  EXPECT_EQ(records(), 3U);
  const Reply again = grade("--json --jobs 3");
  EXPECT_THAT(again.err, HasSubstr("3 results are taken over"));
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(read(results_ / "report.html"), report);

  write("ada.cu", std::string(kScale) + "// handed in again\n");
  EXPECT_THAT(grade().err, HasSubstr("2 results are taken over"));
  EXPECT_EQ(records(), 4U);
  EXPECT_THAT(grade("--size 64").err, Not(HasSubstr("taken over"))) << "the options decide, too";
  // A record that is damaged is made again.
  for (const fs::directory_entry& one : fs::directory_iterator(results_ / "records")) {
    std::ofstream(one.path()) << "{\"format\": 1, \"verdict\"";
  }
  const Reply mended = grade("--json");
  EXPECT_THAT(mended.err, Not(HasSubstr("taken over")));
  EXPECT_EQ(rows(mended).at("grace.cu"), rows(first).at("grace.cu"));
}

TEST_F(GradeTest, AHandInThatIsAddedTakesNoOthersPage) {
  write("a b.cu", kScale);
  write("ada.cu", kScale);
  const std::map<std::string, json> first = rows(grade("--json"));
  EXPECT_EQ(first.at("ada.cu").at("page"), "ada.html");
  write("a_b.cu", kScaleBeyond);
  write("a!b.cu", kScaleBeyond);
  const std::map<std::string, json> more = rows(grade("--json"));
  std::set<std::string> pages;
  for (const auto& [name, row] : more) { pages.insert(row.at("page").get<std::string>()); }
  EXPECT_EQ(pages.size(), 4U);
  for (const char* name : {"a b.cu", "ada.cu"}) { EXPECT_EQ(more.at(name).at("page"), first.at(name).at("page")); }
}

TEST_F(GradeTest, PagesThatNothingNamesAnyMoreAreRemoved) {
  const fs::path students = results_ / "students";
  for (const char* name : {"ada.cu", "grace.cu", "linus.cu", "ken.cu"}) { write(name, kScale); }
  EXPECT_THAT(grade().err, Not(HasSubstr("removed")));
  fs::remove(hand_ / "ada.cu");
  fs::rename(hand_ / "grace.cu", hand_ / "hopper.cu");
  for (const char* name : {"linus.cu", "ken.cu"}) { fs::remove(hand_ / name); }
  // What is not as this program wrote it: changed, copied, by someone else, a link to one of its pages.
  std::ofstream(students / "linus.html", std::ios::app) << "<p>7 of 10 points</p>\n";
  fs::rename(students / "ken.html", students / "thompson.html");
  std::ofstream(students / "mine.html") << "<p>mine</p>\n";
  std::ofstream(students / "notes.txt") << "mine\n";
  fs::create_symlink(results_ / "report.html", students / "link.html");
  const Reply again = grade();
  EXPECT_THAT(again.err, HasSubstr("2 pages of earlier gradings are removed: ada.html, grace.html\n"));
  EXPECT_THAT(again.err, HasSubstr("did not write them: linus.html, mine.html, thompson.html\n"));
  std::set<std::string> left;
  for (const fs::directory_entry& one : fs::directory_iterator(students)) { left.insert(one.path().filename()); }
  EXPECT_EQ(left, (std::set<std::string>{"hopper.html", "linus.html", "thompson.html", "mine.html", "notes.txt",
                                         "link.html"}));
  // A report elsewhere leaves none of an earlier grading here.
  const Reply elsewhere = grade("--html " + (folder_ / "elsewhere.html").string());
  EXPECT_THAT(elsewhere.err, HasSubstr("1 page of an earlier grading is removed: report.html\n"));
  EXPECT_FALSE(fs::exists(results_ / "report.html"));
  EXPECT_TRUE(fs::exists(folder_ / "elsewhere.html"));
  EXPECT_TRUE(fs::exists(students / "hopper.html"));
}

TEST_F(GradeTest, ClassesThatShareAFolderOfResultsKeepTheirPages) {
  write("ada.cu", kScale);
  const fs::path tuesday = folder_ / "tuesday";
  fs::create_directories(tuesday);
  std::ofstream(tuesday / "grace.cu") << kScale;
  static_cast<void>(grade());
  const std::string second = "grade " + tuesday.string() + " --results " + results_.string();
  EXPECT_THAT(run(second).err, AllOf(Not(HasSubstr("removed")), Not(HasSubstr("left alone"))));
  EXPECT_TRUE(fs::exists(results_ / "students" / "ada.html"));
  fs::rename(tuesday / "grace.cu", tuesday / "hopper.cu");
  EXPECT_THAT(run(second).err, HasSubstr("1 page of an earlier grading is removed: grace.html\n"));
  EXPECT_TRUE(fs::exists(results_ / "students" / "ada.html"));
}

TEST_F(GradeTest, TheTeachersHeaderIsNotTheStudentsFault) {
  write("shared.h", "#include \"../../library/tile.h\"\n");
  write("more.h", "#include \"shared.h\"\n");
  write("uses.cu", "#include \"more.h\"\n" + std::string(kScale));
  write("without.cu", kScale);
  write("own.cu", "#include \"../../library/tile.h\"\n" + std::string(kScale));
  std::map<std::string, json> all = rows(grade("--json"));
  EXPECT_EQ(all["without.cu"].at("verdict"), "not-compared");
  EXPECT_EQ(all["own.cu"].at("verdict"), "outside");
  EXPECT_EQ(all["uses.cu"].at("verdict"), "not-judged");
  const std::string sentence = all["uses.cu"].at("sentence");
  EXPECT_THAT(sentence, HasSubstr("the header shared.h, which is common to all hand-ins, is at fault, not this"));
  EXPECT_THAT(sentence, HasSubstr("Line 1: it includes ../../library/tile.h"));
  write("shared.h", "\n");
  EXPECT_EQ(rows(grade("--json")).at("uses.cu").at("verdict"), "not-compared");
}

TEST_F(GradeTest, AHeaderThatIsLeftOutIsNotTheStudentsFault) {
  write("tile.h", std::string(std::size_t{300} << 10, '/') + "\n");
  write("uses.cu", "#include \"tile.h\"\n" + std::string(kScale));
  write("above/main.cu", "#include \"../tile.h\"\n" + std::string(kScale));
  write("beside/main.cu", "#include \"tile.h\"\n" + std::string(kScale));
  write("own/main.cu", "#include \"tile.h\"\n" + std::string(kScale));
  write("own/tile.h", "\n");
  write("without.cu", kScale);
  const Reply graded = grade("--json");
  EXPECT_THAT(graded.err, HasSubstr("something was left out: tile.h is too large"));
  std::map<std::string, json> all = rows(graded);
  for (const char* name : {"uses.cu", "above", "beside"}) {
    EXPECT_EQ(all[name].at("verdict"), "not-judged") << name;
    EXPECT_THAT(all[name].at("sentence").get<std::string>(),
                HasSubstr("tile.h, which is common to all hand-ins and was left out"))
        << name;
  }
  EXPECT_NE(all["own"].at("verdict"), "not-judged");
  EXPECT_EQ(all["without.cu"].at("verdict"), "not-compared");
  write("tile.h", "\n");
  EXPECT_EQ(rows(grade("--json")).at("uses.cu").at("verdict"), "not-compared");
}

TEST_F(GradeTest, AHeaderInTheFolderIsCommonToProgramsOfSeveralFiles) {
  write("tile.h", "#pragma once\n#define FACTOR 2\n");
  write("parts/more.h", "#pragma once\n#define OFFSET 0\n");
  const std::string body =
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = FACTOR * in[i] + OFFSET;\n}\n";
  const std::string main =
      "int main() {\n  int n = 1000;\n  float *a, *b;\n  cudaMalloc(&a, 4 * n);\n  cudaMalloc(&b, 4 * n);\n"
      "  cudaMemset(a, 0, 4 * n);\n  scale<<<8, 128>>>(a, b, n);\n  cudaDeviceSynchronize();\n}\n";
  write("above/main.cu", "#include \"../tile.h\"\n#include \"../parts/more.h\"\n" + body + main);
  write("beside/main.cu", "#include \"tile.h\"\n#define OFFSET 0\n" + body + main);
  write("own/main.cu", "#include \"tile.h\"\n#define OFFSET 0\n" + body + main);
  write("own/tile.h", "#define FACTOR 3\n");
  std::ofstream(folder_ / "reference.cu") << kScale;
  std::map<std::string, json> all = rows(grade("--json --reference " + (folder_ / "reference.cu").string()));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all["above"].at("verdict"), "passed") << all["above"].dump(2);
  EXPECT_EQ(all["beside"].at("verdict"), "passed") << all["beside"].dump(2);
  EXPECT_EQ(all["own"].at("verdict"), "wrong-result") << "its own header goes first\n" << all["own"].dump(2);
}

TEST_F(GradeTest, ACommonHeaderStandsInForNoneOfTheToolkit) {
  const std::string scale =
      "__global__ void scale(const float* in, float* out, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = FACTOR * in[i];\n}\n"
      "int main() {\n  int n = 1000;\n  float *a, *b;\n  cudaMalloc(&a, 4 * n);\n  cudaMalloc(&b, 4 * n);\n"
      "  cudaMemset(a, 0, 4 * n);\n  scale<<<(n + 127) / 128, 128>>>(a, b, n);\n  cudaDeviceSynchronize();\n}\n";
  write("bob.cu", "#include \"cuda_runtime.h\"\n#include \"math.h\"\n#define FACTOR 2\n" + scale);
  write("ada/main.cu", "#include \"cuda_runtime.h\"\n#include \"tile.h\"\n#define FACTOR 2\n" + scale);
  write("own/main.cu", "#include \"cuda_runtime.h\"\n#define FACTOR 2\n" + scale);
  write("own/cuda_runtime.h", "#define blockDim gridDim\n");
  for (const char* name : {"inc/cuda_runtime.h", "include/math.h", "stdio.h"}) {
    write(name, "#define blockDim gridDim\n");
  }
  write("include/tile.h", "#define TILE 16\n");
  std::ofstream(folder_ / "reference.cu") << kScale;
  const Reply graded = grade("--json --reference " + (folder_ / "reference.cu").string());
  std::map<std::string, json> all = rows(graded);
  EXPECT_THAT(graded.err + graded.out, HasSubstr("inc/cuda_runtime.h, include/math.h, stdio.h was left out"));
  EXPECT_EQ(all["bob.cu"].at("verdict"), "passed") << all["bob.cu"].dump(2);
  EXPECT_EQ(all["bob.cu"].at("common_headers"), json::array());
  EXPECT_EQ(all["ada"].at("verdict"), "passed") << all["ada"].dump(2);
  EXPECT_EQ(all["ada"].at("common_headers"), json::array({"include/tile.h"}));
  EXPECT_NE(all["own"].at("verdict"), "passed") << "it means its own\n" << all["own"].dump(2);
  EXPECT_THAT(grade("--csv").out, HasSubstr(",include/tile.h\r\n"));
  EXPECT_THAT(grade().out, HasSubstr("(with include/tile.h)"));
  EXPECT_THAT(pageOf(all["ada"]), HasSubstr("include/tile.h"));
}

TEST_F(GradeTest, FoldersOfHeadersChangeNothingForThoseThatDoNotIncludeThem) {
  const std::string uses = "#include \"params.h\"\n" + std::string(kScale) + "static_assert(kWidth == 3);\n";
  write("params.h", "constexpr int kWidth = 3;\n");
  write("ada.cu", uses);
  write("bob/main.cu", uses);
  for (int i = 0; i < 200; ++i) { write("aaa/h" + std::to_string(i) + ".h", "\n"); }
  for (int i = 0; i < 20; ++i) { write("big/h" + std::to_string(i) + ".h", std::string(250'000, ' ')); }
  for (const char* folder : {"aaa", "common", "include"}) {
    write(std::string(folder) + "/params.h", "constexpr int kWidth = 4;\n");
    write(std::string(folder) + "/extra.h", "#define if while\n");
  }
  std::ofstream(folder_ / "reference.cu") << kScale;
  std::map<std::string, json> all = rows(grade("--json --reference " + (folder_ / "reference.cu").string()));
  ASSERT_EQ(all.size(), 2U);
  for (const auto& [name, row] : all) {
    EXPECT_NE(row.at("verdict"), "does-not-compile") << row.dump(2);
    EXPECT_EQ(row.at("common_headers").size(), 1U) << row.dump(2);
  }
  EXPECT_EQ(all["ada.cu"].at("common_headers"), json::array({"params.h"}));
}

/// The two ways in which a text can be read resolve this include to different paths.
TEST_F(GradeTest, AHandInDoesNotReadTheReference) {
  std::ofstream(folder_ / "reference.cu") << kScale;
  write("mal/d/x.h", "\n");
  write("mal/include/d/h.h", "#include \"../../reference/work/reference.cu\"\n");
  write("mal/main.cu",
        "#pragma push_macro(\"__global__\")\n#undef __global__\n#define __global__ __device__\n#define scale theirs\n"
        "#include \"d/h.h\"\n#pragma pop_macro(\"__global__\")\n#undef scale\n"
        "__global__ void scale(const float* in, float* out, int n) { theirs(in, out, n); }\n");
  const std::map<std::string, json> all = rows(grade("--json --reference " + (folder_ / "reference.cu").string()));
  EXPECT_NE(all.at("mal").at("verdict"), "passed") << all.at("mal").dump(2);
}

/// Width and height are equal wherever the program launches it.
TEST_F(GradeTest, ExchangedSizesOfASquareAreFound) {
  const auto text = [](const std::string& row) {
    return "__global__ void move(const float* in, float* out, int w, int h) {\n"
           "  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n"
           "  if (x >= w || y >= h) return;\n  int p = y * " +
           row +
           " + x;\n"
           "  out[p] = x > 0 && y > 0 ? 2 * in[p - 1] + in[p - " +
           row +
           "] : 0;\n}\n"
           "int main() {\n  int n = 64;\n  float *a, *b;\n  cudaMalloc(&a, 4 * n * n);\n  cudaMalloc(&b, 4 * n * n);\n"
           "  cudaMemset(a, 0, 4 * n * n);\n  move<<<dim3(4, 4), dim3(16, 16)>>>(a, b, n, n);\n"
           "  cudaDeviceSynchronize();\n}\n";
  };
  write("right.cu", text("w"));
  write("wrong.cu", text("h"));
  std::ofstream(folder_ / "reference.cu") << text("w");
  const std::map<std::string, json> all = rows(grade("--json --reference " + (folder_ / "reference.cu").string()));
  EXPECT_EQ(all.at("right.cu").at("verdict"), "passed") << all.at("right.cu").dump(2);
  EXPECT_NE(all.at("wrong.cu").at("verdict"), "passed") << all.at("wrong.cu").dump(2);
}

TEST_F(GradeTest, NoOptionSwallowsTheFolder) {
  write("ada.cu", kScale);
  const std::string hand = hand_.string();
  for (const std::string& line : {"grade --csv " + hand, "grade " + hand + " --csv"}) {
    const Reply graded = run(line);
    EXPECT_EQ(graded.status, 0) << graded.err;
    EXPECT_THAT(graded.out, HasSubstr("\r\nada.cu,not-compared"));
  }
  const fs::path table = folder_ / "table.csv";
  for (const std::string& line :
       {"grade --csv=" + table.string() + " " + hand, "grade " + hand + " --csv=" + table.string()}) {
    fs::remove(table);
    const Reply graded = run(line);
    EXPECT_EQ(graded.status, 0) << graded.err;
    EXPECT_THAT(graded.out, HasSubstr("1 hand-in"));
    EXPECT_THAT(read(table), HasSubstr("\r\nada.cu,not-compared"));
  }
  // A file's name behind a space is not the value, and not forgotten.
  for (const std::string& line : {"grade --csv t.csv " + hand, "grade " + hand + " --csv t.csv"}) {
    const Reply graded = run(line);
    EXPECT_EQ(graded.status, 2);
    EXPECT_THAT(graded.err,
                HasSubstr("t.csv is not a folder: to write the table to a file of this name, give --csv=t.csv"));
    EXPECT_FALSE(fs::exists("t.csv"));
  }
  EXPECT_THAT(run("grade " + hand + " " + hand).err, HasSubstr("one folder at a time"));
  const std::string help = run("grade --help").out;
  EXPECT_THAT(help, HasSubstr("grade [OPTIONS] FOLDER\n"));
  EXPECT_THAT(help, HasSubstr("  --csv Excludes: --json "));
  // Options that can be given again take one value each time.
  for (const char* option : {"-D", "--bind", "--data"}) {
    const std::string value = std::string(option) == "--data" ? " in=ramp " : " n=100 ";
    const Reply graded = run("grade " + (option + value) + hand + " --json");
    ASSERT_TRUE(json::accept(graded.out)) << option << graded.err;
    EXPECT_EQ(rows(graded).count("ada.cu"), 1U) << option;
  }
}

TEST_F(GradeTest, WhatTookTooLongIsExecutedAgain) {
  write("ada.cu", kScale);
  write("endless.cu", kEndless);
  for (const bool again : {false, true}) {
    const Reply graded = grade("--json --seconds 4");
    EXPECT_EQ(rows(graded).at("endless.cu").at("verdict"), "too-long") << graded.out;
    EXPECT_EQ(graded.err.find("1 result is taken over") != std::string::npos, again) << graded.err;
    EXPECT_EQ(records(), 1U);
  }
}

TEST_F(GradeTest, ResultsDoNotDependOnOrderOrNeighbours) {
  for (const char* name : {"atomics.cu", "one_dimensional.cu", "kernels_in_a_header.cu", "several_kernels.cu"}) {
    fs::copy_file(std::string(HALOSCOPE_SOURCE_DIR "/tests/kernels/styles/") + name, hand_ / name);
  }
  fs::create_directories(hand_ / "include");
  fs::copy(HALOSCOPE_SOURCE_DIR "/tests/kernels/styles/stencil_kernels.cuh", hand_ / "include" / "stencil_kernels.cuh");
  write("endless.cu", kEndless);
  const std::string options = "--json --seconds 15 --results " + (folder_ / "other").string();
  const Reply together = grade("--json --seconds 15 --jobs 4");
  const Reply alone = grade(options + " --jobs 1");
  EXPECT_THAT(alone.err, Not(HasSubstr("taken over")));
  EXPECT_EQ(together.out, alone.out);
  std::map<std::string, json> all = rows(alone);
  EXPECT_EQ(all.size(), 5U) << "a folder of headers is no hand-in";
  EXPECT_EQ(all["one_dimensional.cu"].at("verdict"), "not-compared") << "a sum that is only recognised";
  EXPECT_EQ(all["kernels_in_a_header.cu"].at("kernels").size(), 3U);
}

TEST_F(GradeTest, AnInterruptedGradingKeepsWholeRecords) {
  write("a.cu", kScale);
  for (const char* name : {"b.cu", "c.cu", "d.cu"}) { write(name, std::string(kEndless) + "// " + name + "\n"); }
  const std::string records = (results_ / "records").string();
  const fs::path script = folder_ / "interrupt.sh";
  std::ofstream(script) << HALOSCOPE_BINARY " grade " << hand_.string() << " --jobs 1 --seconds 30 &\n"
                        << "until ls " << records << "/*.json 2>/dev/null >&2; do sleep 0.05; done\n"
                        << "kill -TERM $!\nwait $!\necho status $?\n";
  const Reply interrupted = run("list >/dev/null; sh " + script.string());
  EXPECT_THAT(interrupted.out, HasSubstr("status 1"));
  EXPECT_THAT(interrupted.err, HasSubstr("graded so far: 1;"));
  EXPECT_FALSE(fs::exists(results_ / "report.html"));
  std::size_t count = 0;
  for (const fs::directory_entry& one : fs::directory_iterator(results_ / "records")) {
    EXPECT_TRUE(json::accept(read(one.path()))) << one.path();
    ++count;
  }
  EXPECT_EQ(count, 1U);
  for (const char* name : {"b.cu", "c.cu", "d.cu"}) { fs::remove(hand_ / name); }
  EXPECT_THAT(grade("--seconds 30").err, HasSubstr("1 result is taken over"));
}

TEST_F(GradeTest, WhatCannotBeGradedIsBadInput) {
  EXPECT_EQ(run("grade " + (folder_ / "none").string()).status, 2);
  EXPECT_THAT(grade().err, HasSubstr("has no hand-in"));
  write("ada.cu", kScale);
  EXPECT_THAT(grade("--results " + (hand_ / "results").string()).err, HasSubstr("among the hand-ins"));
  EXPECT_FALSE(fs::exists(hand_ / "results"));
  EXPECT_EQ(grade("--launch 1,2").status, 2);
  EXPECT_EQ(grade("--csv --json").status, 2);
}

TEST(GradingTextTest, NothingOfAHandInIsAFormula) {
  grading::Grading grading;
  grading::GradedHandIn row;
  row.handIn.name = "@a,\"b\"";
  row.record = grading::refused(grading::Verdict::NotText, "-1; it is no text");
  row.page = "_a.html";
  grading.rows.push_back(row);
  EXPECT_THAT(toCsv(grading),
              HasSubstr("\r\n\"'@a,\"\"b\"\"\",not-a-text,0,,,,\"'-1; it is no text\",,,,_a.html,\r\n"));
}

TEST(GradingTextTest, ARecordComesBackAsItWas) {
  grading::Record record{.verdict = grading::Verdict::Findings, .sentence = "one"};
  grading::KernelRecord kernel{.file = "a.cu", .kernel = "k", .result = "differs"};
  kernel.marks.push_back({.kind = "race-shared",
                          .title = "race",
                          .file = "a.cu",
                          .where = {.line = 3, .column = 4, .endLine = 3, .endColumn = 9},
                          .message = "m",
                          .threads = {"t"},
                          .occurrences = 7,
                          .outputs = {"out[1]"},
                          .outputCount = 5,
                          .alsoAt = {8, 9}});
  record.kernels.push_back(kernel);
  record.wrongIn = "k";
  record.wrongCells = {{"out[1]", 1.0 / 3, 1e300 * 1e300}};
  record.picture = {.grid = {2, 1, 1}, .block = {32, 1, 1}, .threads = {{{1, 0, 0}, {3, 0, 0}}}, .caption = "c"};
  record.picture->array = {.name = "s", .space = "shared", .extents = {4, 8}, .index = 40, .marked = {1, 2}};
  record.sources = {{"a.cu", "text"}};
  EXPECT_EQ(grading::recordOf(grading::toJson(record)), record);
  EXPECT_FALSE(grading::recordOf("{\"format\": 0}"));
  EXPECT_THAT(drawn(*record.picture), HasSubstr("the marked cell is outside of s"));
}

TEST(GradingTextTest, APictureOfAnArrayThatCannotBeHasNoCells) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  grading::Picture picture{.threads = {{{0, 0, 0}, {~0U, ~0U, ~0U}}}, .caption = "c"};
  picture.block = {~0U, ~0U, ~0U};
  const std::vector<std::vector<std::int64_t>> impossible{
      {kMost, kMost}, {kMost}, {1 << 30, 1 << 30, 1 << 30}, std::vector<std::int64_t>(9, 1)};
  const std::vector<std::vector<std::int64_t>> possible{{}, {0, -4, kLeast}, {3, 1, kMost / 16}, {kMost / 4}, {4, 8}};
  for (const std::int64_t index : {std::int64_t{0}, std::int64_t{40}, kMost, kLeast}) {
    for (const auto& extents : impossible) {
      picture.array = {.name = "huge", .space = "shared", .extents = extents, .index = index, .marked = {1, kMost}};
      EXPECT_THAT(drawn(picture), Not(HasSubstr("huge")));
      EXPECT_THAT(drawn(picture), HasSubstr("thread (")) << "the threads are drawn all the same";
    }
    for (const auto& extents : possible) {
      picture.array = {.name = "there", .space = "shared", .extents = extents, .index = index, .marked = {1, kMost}};
      EXPECT_THAT(drawn(picture), HasSubstr("there")) << index;
    }
  }
}

TEST(GradingTextTest, TheTimeLeftIsThatOfWhatIsJudged) {
  // 190 of 200 were taken over, one took 3 s: nine like it are left, not a fraction of a second.
  const grading::GradeStage stage{.judged = 1, .toJudge = 10, .handIns = 200};
  EXPECT_EQ(stage.done(), 191U);
  EXPECT_DOUBLE_EQ(grading::secondsLeft(stage, 3), 27);
  EXPECT_DOUBLE_EQ(grading::secondsLeft({.judged = 10, .toJudge = 10, .handIns = 200}, 30), 0);
}

TEST(NamedKernelTest, OnlyAColonBehindTheFileNamesAKernel) {
  using opening::namedKernel;
  EXPECT_EQ(namedKernel("a/solution.cu").file, "a/solution.cu");
  EXPECT_EQ(namedKernel("a/solution.cu").kernel, "");
  EXPECT_EQ(namedKernel("a/solution.cu:blur").file, "a/solution.cu");
  EXPECT_EQ(namedKernel("a/solution.cu:blur").kernel, "blur");
  EXPECT_EQ(namedKernel("week:2/solution.cu").file, "week:2/solution.cu");
  EXPECT_EQ(namedKernel("week.cu:2/solution.cu:blur").kernel, "blur");
  EXPECT_EQ(namedKernel("week:2").file, "week:2") << "a folder";
}

/// A folder of solutions of one task: the verdicts, and the goals as a table.
TEST_F(GradeTest, SolutionsOfATaskHaveTheirGoalsAsATable) {
  const std::string kernels = HALOSCOPE_SOURCE_DIR "/kernels/stencil/";
  fs::copy_file(kernels + "tiled.cu", hand_ / "ada.cu");
  fs::copy_file(kernels + "basic.cu", hand_ / "grace.cu");
  std::string racing = read(kernels + "tiled.cu");
  racing.erase(racing.find("__syncthreads();"), 16);
  write("linus.cu", racing);
  write("mary.cu", run("make tile").out);
  write("noone.cu", "__global__ void stencil(float* a) { a[0] = 1; }\n");
  write("zoe/a.cu", racing);
  write("zoe/b.cu", racing);

  const Reply graded = grade("--json --task tile");
  EXPECT_EQ(graded.status, 1) << graded.err;
  EXPECT_EQ(json::parse(graded.out).at("task"), "Sweep from a tile in shared memory");
  auto all = rows(graded);
  EXPECT_EQ(all["ada.cu"].at("verdict"), "passed");
  EXPECT_THAT(all["ada.cu"].at("sentence").get<std::string>(), HasSubstr("the catalogue's stencil/tiled"));
  EXPECT_EQ(all["ada.cu"].at("goals").size(), 6U);
  EXPECT_EQ(all["grace.cu"].at("verdict"), "goals-missed");
  EXPECT_EQ(all["grace.cu"].at("goals").at(1).at("value"), "7, not ≤ 2.4");
  EXPECT_EQ(all["linus.cu"].at("verdict"), "findings");
  EXPECT_EQ(all["linus.cu"].at("kernels").at(0).at("findings").at(0).at("kind"), "race-shared");
  EXPECT_TRUE(all["linus.cu"].at("goals").empty());
  EXPECT_EQ(all["mary.cu"].at("verdict"), "no-kernel");
  EXPECT_EQ(all["mary.cu"].at("sentence"), "Nothing is written yet: the kernel does what the skeleton does.");
  EXPECT_EQ(all["noone.cu"].at("verdict"), "does-not-compile");
  EXPECT_THAT(all["noone.cu"].at("sentence").get<std::string>(), HasSubstr("Keep the signature, names included"));
  EXPECT_EQ(all["zoe"].at("verdict"), "not-judged") << all["zoe"].dump(2);

  const Reply table = grade("--task tile");
  EXPECT_THAT(table.out, AllOf(HasSubstr("elements that an interior block loads for each output: reached by 1 of 6"),
                               HasSubstr("  ada.cu:  1 5832 = 5832  2 2.37037 ≤ 2.4"), HasSubstr("  2 7, not ≤ 2.4")));
  EXPECT_THAT(table.err, HasSubstr("results are taken over"));
  const Reply csv = grade("--task tile --csv");
  EXPECT_THAT(csv.out,
              HasSubstr(",common headers,stores == (N - 2)^3,block.loads_per_output <= 2.4,bank_conflicts == 0,"));
  const std::string report = read(folder_ / "hand-ins.graded" / "report.html");
  EXPECT_THAT(report, AllOf(HasSubstr("Goals of the right solutions"), HasSubstr("7, not ≤ 2.4")));
  EXPECT_THAT(read(folder_ / "hand-ins.graded" / "students" / all["grace.cu"].at("page").get<std::string>()),
              HasSubstr("Goals of the task"));

  // Another task, judged anew.
  EXPECT_EQ(rows(grade("--json --task sweep"))["grace.cu"].at("verdict"), "passed");
  EXPECT_EQ(grade("--task tile --reference " + kernels + "tiled.cu").status, 2);
  EXPECT_EQ(grade("--task no-such-task").status, 2);
}

}  // namespace
}  // namespace haloscope
