#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <sstream>

#include "FrontendCases.h"

// The front end's cases are files. In lowering/, a trailing comment has lines of the expected listing, with "..." for
// any number of lines. In refused/, the last line has the place and the message of the error.

namespace haloscope::test {
namespace {

struct CaseName {
  std::string operator()(const ::testing::TestParamInfo<FrontendCase>& info) const { return info.param.name; }
};

/// Runs of consecutive lines, which must be in this order in the listing.
std::vector<std::vector<std::string>> expectedRuns(const std::string& text) {
  const std::string opening = "/* lowered\n";
  const std::size_t begin = text.find(opening);
  std::vector<std::vector<std::string>> runs(1);
  if (begin == std::string::npos) return runs;
  std::istringstream lines(text.substr(begin + opening.size()));
  for (std::string line; std::getline(lines, line) && line != "*/";) {
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) continue;
    line = line.substr(first);
    if (line == "...") {
      runs.emplace_back();
    } else {
      runs.back().push_back(line);
    }
  }
  return runs;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) { text += line + "\n"; }
  return text;
}

class Lowering : public ::testing::TestWithParam<FrontendCase> {};

TEST_P(Lowering, MakesTheListing) {
  const std::vector<std::string> listing = bareListing(GetParam().compile().program);
  auto from = listing.begin();
  for (const std::vector<std::string>& run : expectedRuns(GetParam().text)) {
    ASSERT_FALSE(run.empty()) << GetParam().path << " expects nothing";
    const auto found = std::search(from, listing.end(), run.begin(), run.end());
    ASSERT_NE(found, listing.end()) << GetParam().path << "\nexpected:\n"
                                    << joined(run) << "\nlowered:\n"
                                    << joined(listing);
    from = found + static_cast<std::ptrdiff_t>(run.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Frontend, Lowering, ::testing::ValuesIn(casesIn("lowering")), CaseName());

class Refusal : public ::testing::TestWithParam<FrontendCase> {};

TEST_P(Refusal, NamesPlaceAndConstruct) {
  const FrontendCase& one = GetParam();
  std::smatch expected;
  ASSERT_TRUE(std::regex_search(one.text, expected, std::regex("// error ([0-9:]+|-): (.*)\n$"))) << one.path;
  try {
    static_cast<void>(one.compile());
    FAIL() << one.path << " was lowered";
  } catch (const frontend::CompileError& error) {
    const SourceRange& where = error.where();
    const std::string place =
        where.valid() ? std::to_string(where.line) + ":" + std::to_string(where.column) : std::string("-");
    EXPECT_EQ(place, expected[1].str());
    EXPECT_EQ(error.message(), expected[2].str());
    EXPECT_EQ(error.file(), one.name + ".cu");
    EXPECT_FALSE(error.diagnostics().empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Frontend, Refusal, ::testing::ValuesIn(casesIn("refused")), CaseName());

}  // namespace
}  // namespace haloscope::test
