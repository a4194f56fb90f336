#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "CommandLineSupport.h"
#include "ExportSupport.h"
#include "exporting/PanelTable.h"

// The numbers of a panel as tables.

namespace haloscope::test {
namespace {

/// Rows of fields, by RFC 4180.
std::vector<std::vector<std::string>> readCsv(const std::string& text) {
  std::vector<std::vector<std::string>> rows = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const bool twice = quoted && i + 1 < text.size() && text[i + 1] == '"';
      if (twice) {
        rows.back().back() += c;
        ++i;
      } else {
        quoted = !quoted;
      }
    } else if (!quoted && c == ',') {
      rows.back().emplace_back();
    } else if (!quoted && c == '\n') {
      rows.push_back({""});
    } else if (quoted || c != '\r') {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST_F(ExportTest, CsvHasTheNumbersOfTheJson) {
  const nlohmann::ordered_json document = exporting::panelJson(state(), Tab::OpPerByte);
  const auto rows = readCsv(exporting::panelCsv(document));
  std::map<std::string, std::string> read;
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 2U);
    read[row[0]] = row[1];
  }
  EXPECT_EQ(read.at("quantity"), "value");
  EXPECT_EQ(std::stoull(read.at("flops")), document["flops"].get<std::uint64_t>());
  EXPECT_EQ(std::stod(read.at("op_per_byte.executed")), document["op_per_byte"]["executed"].get<double>());
  EXPECT_EQ(std::stoull(read.at("statements.0.global.requests")),
            document["statements"][0]["global"]["requests"].get<std::uint64_t>());
  nlohmann::ordered_json quoted = {
      {"cells", {{{"note", "a \"b\", c\nd"}, {"ms", 0.1}}}}, {"id", "x"}, {"gpu", "y, z"}, {"size", 3}};
  const auto table = readCsv(exporting::panelCsv(quoted));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_THAT(table[0], ::testing::ElementsAre("id", "gpu", "size", "note", "ms"));
  EXPECT_THAT(table[1], ::testing::ElementsAre("x", "y, z", "3", "a \"b\", c\nd", "0.1"));
}

TEST_F(CommandLineTest, AFilesNameNeedNotBeUtf8) {
  const std::filesystem::path kernel = folder_ / "k\xe9.cu";
  std::ofstream(kernel) << "__global__ void scale(float* a, int n) { if (threadIdx.x < n) a[threadIdx.x] *= 2; }\n";
  const Reply counted = run("count '" + kernel.string() + "' --json");
  EXPECT_EQ(counted.status, 0) << counted.err;
  EXPECT_TRUE(nlohmann::json::accept(counted.out)) << counted.out;
  for (const char* name : {"counts.json", "counts.csv"}) {
    const Reply exported = run("export '" + kernel.string() + "' --panel OpPerByte -o " + (folder_ / name).string());
    EXPECT_EQ(exported.status, 0) << exported.err;
    const std::string text = read(folder_ / name);
    EXPECT_THAT(text, ::testing::HasSubstr("op_per_byte"));
    EXPECT_EQ(text.find('\xe9'), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace haloscope::test
