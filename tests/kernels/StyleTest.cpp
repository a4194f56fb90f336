#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "ExecutedSupport.h"
#include "OpenedSupport.h"
#include "checking/Check.h"
#include "opening/OpenedFile.h"

// Whole programs in many styles, opened unchanged. A line "// expects: KERNEL matches" means that the kernel is
// recognised and agrees with the reference; "KERNEL clean" that it runs without a fault and writes every element of an
// array, or N elements with "KERNEL clean N". "// launch: KERNEL GX,GY,GZ BX,BY,BZ BYTES" and
// "// sizes: KERNEL n=64 m=32" give the launch of the program, which is executed.

namespace haloscope {
namespace {

namespace fs = std::filesystem;

struct Style {
  fs::path path;
  std::string name;
};

std::vector<Style> styles() {
  std::vector<Style> found;
  for (const auto& entry : fs::directory_iterator(fs::path(HALOSCOPE_TEST_DIR) / "styles")) {
    if (entry.path().extension() == ".cu") { found.push_back({entry.path(), entry.path().stem().string()}); }
  }
  std::ranges::sort(found, {}, &Style::name);
  return found;
}

struct Expected {
  std::string kernel, verdict;
  std::int64_t written = 0;
};

std::vector<Expected> expectedOf(const fs::path& path) {
  std::vector<Expected> all;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    constexpr std::string_view kOpening = "// expects: ";
    if (!line.starts_with(kOpening)) { continue; }
    std::istringstream words(line.substr(kOpening.size()));
    Expected one;
    words >> one.kernel >> one.verdict >> one.written;
    all.push_back(one);
  }
  return all;
}

/// The rest of each line with this prefix, split at blanks.
std::vector<std::vector<std::string>> linesOf(const fs::path& path, const std::string& opening) {
  std::vector<std::vector<std::string>> all;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(opening)) { continue; }
    std::istringstream words(line.substr(opening.size()));
    all.emplace_back(std::istream_iterator<std::string>(words), std::istream_iterator<std::string>());
  }
  return all;
}

std::string commas(const Dim3& three) {
  return std::to_string(three.x) + "," + std::to_string(three.y) + "," + std::to_string(three.z);
}

std::string listing(const opening::OpenedFile& file) {
  std::ostringstream out;
  for (const frontend::Diagnostic& one : file.diagnostics) {
    out << one.where.line << ":" << one.where.column << ": " << one.message << "\n";
  }
  for (const opening::ProposedKernel& one : file.kernels) {
    out << one.file.id;
    for (const auto* three : {&one.file.grid, &one.file.block}) {
      out << "  " << (*three)[0].text() << ", " << (*three)[1].text() << ", " << (*three)[2].text() << ";";
    }
    out << "\n";
    for (const SizeParameter& size : one.file.sizes) { out << "  " << size.name << " = " << size.defaultValue << "\n"; }
    for (const ArrayDeclaration& array : one.file.arrays) {
      out << "  " << array.name;
      for (const Expression& extent : array.shape) { out << "[" << extent.text() << "]"; }
      out << "\n";
    }
    for (const std::string& sentence : one.assumptions) { out << "  " << sentence << "\n"; }
  }
  return out.str();
}

class StyleTest : public ::testing::TestWithParam<Style> {};

TEST_P(StyleTest, OpensUneditedAndRunsAsItsProgramLaunchesIt) {
  const opening::OpenedFile file = test::openExecuted(GetParam().path);
  const std::vector<Expected> expected = expectedOf(GetParam().path);
  ASSERT_FALSE(expected.empty()) << GetParam().path << " expects nothing";
  for (const Expected& one : expected) {
    SCOPED_TRACE(one.kernel + "\n" + listing(file));
    const auto kernel = std::ranges::find_if(
        file.kernels, [&](const opening::ProposedKernel& k) { return k.file.kernel == one.kernel; });
    ASSERT_NE(kernel, file.kernels.end());
    EXPECT_EQ(kernel->file.id, kernel->file.path.filename().string() + ":" + one.kernel);
    const test::Ran ran = test::launched(kernel->file);
    EXPECT_EQ(ran.result.outcome, simt::Outcome::Finished) << ran.result.message;
    EXPECT_EQ(ran.result.outOfBounds, 0U) << ran.result.firstOutOfBoundsMessage;
    EXPECT_GE(ran.written, std::max<std::int64_t>(1, one.written));
    EXPECT_EQ(kernel->file.computes.has_value(), one.verdict == "matches");
    if (ran.comparison) { EXPECT_TRUE(ran.comparison->pass()) << ran.comparison->wrong << " wrong elements"; }
    const checking::CheckReport report = checking::check(kernel->file, {});
    for (const faults::Finding& finding : report.findings) { ADD_FAILURE() << finding.message; }
  }
  const auto named = [&](const std::string& name) {
    return std::ranges::find_if(file.kernels, [&](const auto& kernel) { return kernel.file.kernel == name; });
  };
  for (const std::vector<std::string>& launch : linesOf(GetParam().path, "// launch: ")) {
    ASSERT_EQ(launch.size(), 4U);
    const auto kernel = named(launch[0]);
    ASSERT_NE(kernel, file.kernels.end()) << launch[0] << "\n" << listing(file);
    const LaunchConfiguration configuration = kernel->file.configuration(kernel->file.defaults());
    SCOPED_TRACE(listing(file));
    EXPECT_EQ(commas(configuration.grid), launch[1]) << launch[0];
    EXPECT_EQ(commas(configuration.block), launch[2]) << launch[0];
    EXPECT_EQ(std::to_string(configuration.dynamicSharedBytes), launch[3]) << launch[0];
  }
  for (const std::vector<std::string>& sizes : linesOf(GetParam().path, "// sizes: ")) {
    const auto kernel = named(sizes.at(0));
    ASSERT_NE(kernel, file.kernels.end()) << sizes[0];
    std::vector<std::string> read{sizes[0]};
    for (const SizeParameter& size : kernel->file.sizes) {
      read.push_back(size.name + "=" + std::to_string(size.defaultValue));
    }
    EXPECT_THAT(read, ::testing::UnorderedElementsAreArray(sizes)) << listing(file);
  }
}

INSTANTIATE_TEST_SUITE_P(Styles, StyleTest, ::testing::ValuesIn(styles()),
                         [](const auto& style) { return style.param.name; });

}  // namespace
}  // namespace haloscope
