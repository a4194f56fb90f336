#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "CommandLineSupport.h"
#include "HostileHandIns.h"

/// Hostile hand-ins, each graded beside one that is not: its verdict, its sentence, the time that it may cost, and that
/// the other one stays as it is.
namespace haloscope::hostile {
namespace {

using nlohmann::json;
using test::CommandLineTest;

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class HostileHandIn : public CommandLineTest, public ::testing::WithParamInterface<Hostile> {
 protected:
  /// The same text with the path of the secret file in it.
  void makeIn(const fs::path& hand) const {
    const std::string name = GetParam().file;
    const fs::path path = hand / (name.ends_with("/") ? name.substr(0, name.size() - 1) : name);
    GetParam().make(path);
    if (fs::symlink_status(path).type() != fs::file_type::regular || fs::file_size(path) > 100'000) { return; }
    const std::string before = read(path);
    const std::string after = replaced(before, "SECRET", (folder_ / "secret.txt").string());
    if (after != before) { write(path, after); }
  }
};

TEST_P(HostileHandIn, IsARowAndAltersNoOther) {
  const Hostile& hostile = GetParam();
  const fs::path hand = folder_ / "hand-ins";
  fs::create_directories(hand);
  write(folder_ / "secret.cu", "__global__ void " + kSecret + "(float* a) { a[0] = 1; }\n");
  write(folder_ / "secret.txt", kSecret + "\n");
  write(hand / "good.cu", kScale);
  makeIn(hand);

  const auto begin = std::chrono::steady_clock::now();
  const Reply graded = run("grade " + hand.string() + " --json --seconds " + std::to_string(secondsOf(hostile.cost)));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  // The good one, too; what a hand-in waits for is part of its time.
  constexpr double kOnABusyMachine = 12;
  EXPECT_LE(took.count(), kOnABusyMachine + (hostile.cost == Cost::Nothing ? 0 : secondsOf(hostile.cost)));

  std::map<std::string, json> rows;
  ASSERT_TRUE(json::accept(graded.out)) << graded.err;
  const json whole = json::parse(graded.out);
  for (const json& row : whole.at("hand_ins")) { rows[row.at("hand_in")] = row; }
  ASSERT_EQ(rows.size(), 2U) << graded.out;
  const json good = rows.at("good.cu");
  EXPECT_EQ(good.at("verdict"), "not-compared") << graded.out;
  EXPECT_THAT(good.at("sentence").get<std::string>(), ContainsRegex(kNoFault));
  EXPECT_EQ(good.at("page"), "good.html");
  rows.erase("good.cu");
  const json row = rows.begin()->second;
  const std::string listed = hostile.row.empty() ? hostile.file : hostile.row;
  EXPECT_EQ(row.at("hand_in"), listed.ends_with("/") ? listed.substr(0, listed.size() - 1) : listed);
  EXPECT_EQ(row.at("verdict"), hostile.verdict) << row.dump(2);
  EXPECT_THAT(row.at("sentence").get<std::string>(), ContainsRegex(hostile.sentence));
  EXPECT_LE(row.at("sentence").get<std::string>().size(), 2000U);
  for (const json& kernel : row.at("kernels")) { EXPECT_NE(kernel.at("file"), "good.cu"); }

  // Nothing of other files, and no name as it is, in any page.
  const fs::path results = folder_ / "hand-ins.graded";
  std::vector<fs::path> pages{results / "report.html"};
  for (const fs::directory_entry& one : fs::directory_iterator(results / "students")) { pages.push_back(one.path()); }
  EXPECT_EQ(pages.size(), 3U);
  for (const fs::path& page : pages) {
    const std::string html = read(page);
    for (const char* never : {kSecret.c_str(), "root:", "<script>alert", "\x1b", "\u202e", "\u2066"}) {
      EXPECT_THAT(html, Not(HasSubstr(never))) << page;
    }
    EXPECT_EQ(html.find('\0'), std::string::npos) << page;
    EXPECT_LE(html.size(), 4U << 20U) << page;
  }
  EXPECT_THAT(graded.out, Not(HasSubstr(kSecret)));
  EXPECT_EQ(read(folder_ / "secret.txt"), kSecret + "\n");
  std::size_t beside = 0;
  for (const auto& one : fs::directory_iterator(folder_)) { beside += one.path().filename() == "owned" ? 1 : 0; }
  EXPECT_EQ(beside, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, HostileHandIn, ::testing::ValuesIn(allHostile()),
                         [](const auto& one) { return one.param.test; });

}  // namespace
}  // namespace haloscope::hostile
