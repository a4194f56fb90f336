#include "experiment/Diagnosis.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/MacroHazard.h"
#include "program/Catalogue.h"
#include "simt/Executor.h"

namespace haloscope {
namespace {

/// The diagnosis of a variant in whose text one piece is replaced by another.
std::string diagnosis(const std::string& id, const std::string& piece, const std::string& replacement) {
  static const Catalogue kCatalogue = Catalogue::read(std::filesystem::path(HALOSCOPE_SOURCE_DIR) / "kernels");
  KernelFile file = kCatalogue.at(id);
  const std::size_t at = file.text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  file.text.replace(at, piece.size(), replacement);
  const Bindings bindings = file.defaults();
  const Program program = experiment::compile(file, bindings);
  const Launch before = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  Launch after = before;
  static_cast<void>(simt::execute(program, after));
  const auto findings = experiment::diagnose(file, bindings, program, before, after);
  EXPECT_LE(findings.size(), 1U);
  return findings.empty() ? "" : findings[0].message;
}

TEST(Diagnosis, NamesTheMistake) {
  const struct {
    const char* id;
    const char* piece;
    const char* replacement;
    const char* words;
  } cases[] = {
      {"stencil/basic", "c[0] *", "2.0f * c[0] *", "points of out are wrong"},
      {"convolution/basic", "inCol >= 0 && ", "", "all of them have 0 as their last index"},
      {"convolution/basic", "= sum;", "= 0.5f * sum;", "0.5 times"},
      {"convolution/basic", "= sum;", "= 0.0f;", "holds 0"},
      {"convolution/basic", "filter[filterRow * (2 * radius + 1) + filterCol]",
       "filter[(2 * radius - filterRow) * (2 * radius + 1) + 2 * radius - filterCol]", "flipped"},
      {"convolution/basic", "inCol = outCol - radius", "inCol = outCol", "centred on in[row][col + 1]"},
      {"convolution/basic", "float sum = 0.0f;", "float sum = -filter[4] * in[outRow * width + outCol];",
       "filter[1][1] is left out"},
  };
  for (const auto& expected : cases) {
    const std::string message = diagnosis(expected.id, expected.piece, expected.replacement);
    EXPECT_NE(message.find(expected.words), std::string::npos) << expected.replacement << ": " << message;
  }
}

TEST(Diagnosis, ARightResultHasNone) { EXPECT_EQ(diagnosis("stencil/basic", "int i =", "int i  ="), ""); }

TEST(MacroHazard, IsASumWithoutParenthesesInAProduct) {
  using experiment::findMacroHazard;
  const auto hazard = findMacroHazard("#define W T - 2\nint i = blockIdx.x * W + 1;\n");
  ASSERT_TRUE(hazard);
  EXPECT_EQ(hazard->name, "W");
  EXPECT_EQ(hazard->replacement, "T - 2");
  EXPECT_EQ(hazard->where.line, 1);
  EXPECT_EQ(hazard->used.line, 2);
  EXPECT_EQ(hazard->used.column, 22);
  EXPECT_TRUE(findMacroHazard("#define W T + 2  // wider\nint i = W * 3;\n"));
  EXPECT_FALSE(findMacroHazard("#define W (T - 2)\nint i = blockIdx.x * W;\n"));
  EXPECT_FALSE(findMacroHazard("#define W -2\nint i = blockIdx.x * W;\n"));
  EXPECT_FALSE(findMacroHazard("#define W T - 2\nint i = W + 1;  // not * W\n"));
  EXPECT_FALSE(findMacroHazard("#define W T - 2\nint i = 3 * WIDTH;\n"));
}

}  // namespace
}  // namespace haloscope
