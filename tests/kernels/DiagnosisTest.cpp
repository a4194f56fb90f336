#include "checking/Diagnosis.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "KernelCatalogue.h"
#include "checking/Check.h"
#include "checking/MacroHazard.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "simt/Executor.h"

namespace haloscope {
namespace {

/// A piece of a variant's source and its replacement.
using Replacements = std::vector<std::pair<std::string, std::string>>;

KernelFile replaced(const std::string& id, const Replacements& replacements) {
  KernelFile file = test::catalogue().at(id);
  for (const auto& [piece, replacement] : replacements) {
    const std::size_t at = file.text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    file.text.replace(at, piece.size(), replacement);
  }
  return file;
}

/// The diagnosis of a variant after replacing pieces of its source.
std::string diagnosis(const std::string& id, const Replacements& replacements) {
  const KernelFile file = replaced(id, replacements);
  const Bindings bindings = file.defaults();
  const Program program = experiment::compile(file, bindings);
  const Launch before = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  Launch after = before;
  static_cast<void>(simt::execute(program, after));
  const auto findings = checking::diagnose(file, bindings, program, before, after).findings;
  EXPECT_LE(findings.size(), 1U);
  return findings.empty() ? "" : findings[0].text();
}

struct Mistake {
  const char* id;
  Replacements replacements;
  const char* words;
};

void expectReported(const std::vector<Mistake>& cases) {
  for (const Mistake& expected : cases) {
    const std::string message = diagnosis(expected.id, expected.replacements);
    EXPECT_NE(message.find(expected.words), std::string::npos)
        << expected.replacements.back().second << ": " << message;
  }
}

const char* const kFilterAt = "filter[filterRow * (2 * radius + 1) + filterCol]";
const char* const kInside = "if (inRow >= 0 && inRow < height && inCol >= 0 && inCol < width) {";
const char* const kInterior = "if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1) {";
const char* const kSum = "float sum = 0.0f;";
const char* const kResult = "out[outRow * width + outCol] = sum;";

TEST(Diagnosis, NamesTheMistakeInTheFilter) {
  expectReported({
      {"convolution/basic", {{kFilterAt, "filter[filterCol * (2 * radius + 1) + filterRow]"}}, "transposed"},
      {"convolution/basic",
       {{kFilterAt, "filter[(2 * radius - filterRow) * (2 * radius + 1) + 2 * radius - filterCol]"}},
       "flipped"},
      {"convolution/basic",
       {{kFilterAt, "filter[filterRow * (2 * radius + 1) + 2 * radius - filterCol]"}},
       "left and right are exchanged"},
      {"convolution/basic",
       {{kFilterAt, "filter[(2 * radius - filterRow) * (2 * radius + 1) + filterCol]"}},
       "above and below are exchanged"},
      {"convolution/basic", {{kFilterAt, "filter[filterRow * 2 * radius + filterCol]"}}, "the kernel steps by 2"},
      {"convolution/basic", {{"inCol = outCol - radius", "inCol = outCol"}}, "centred on in[row][col + 1]"},
      {"convolution/basic",
       {{"inCol = outCol - radius", "inCol = outCol"}, {"inRow = outRow - radius", "inRow = outRow"}},
       "centred on in[row + 1][col + 1] instead of in[row][col]; the radius is not subtracted"},
  });
}

TEST(Diagnosis, NamesTheMistakeAtTheBorder) {
  const std::string interior =
      "outRow >= radius && outRow < height - radius && outCol >= radius && "
      "outCol < width - radius";
  expectReported({
      {"convolution/basic",
       {{kInside, "inRow = min(max(inRow, 0), height - 1); inCol = min(max(inCol, 0), width - 1); {"}},
       "the index is clamped"},
      {"convolution/basic",
       {{kInside, "inRow = (inRow + height) % height; inCol = (inCol + width) % width; {"}},
       "the index wraps round"},
      {"convolution/basic",
       {{kInside,
         "inRow = inRow < 0 ? -inRow : inRow; inCol = inCol < 0 ? -inCol : inCol; "
         "if (inRow >= height) { inRow = 2 * (height - 1) - inRow; } "
         "if (inCol >= width) { inCol = 2 * (width - 1) - inCol; } {"}},
       "mirrored at the border"},
      {"convolution/basic",
       {{kResult, "out[outRow * width + outCol] = " + interior + " ? sum : in[outRow * width + outCol];"}},
       "the kernel leaves the input's value there"},
      {"convolution/basic",
       {{kResult, "out[outRow * width + outCol] = " + interior + " ? sum : 0.0f;"}},
       "the kernel writes 0 there"},
      {"convolution/basic",
       {{kSum, "float sum = 0.0f; float used = 0.0f; float all = 0.0f;"},
        {kInside, "all += " + std::string(kFilterAt) + "; " + kInside + " used += " + kFilterAt + ";"},
        {kResult, "out[outRow * width + outCol] = sum * all / used;"}},
       "divides the sum by the weights that lie inside"},
      {"convolution/basic", {{"inCol >= 0 && ", ""}}, "the end of another row: one of the bounds is not checked"},
  });
}

/// A sweep that should keep its border, but has a value for each ghost cell.
TEST(Diagnosis, BorderPointsThatAreComputed) {
  const auto sweep = [](const std::string& guard, const std::string& ghost) {
    return Replacements{
        {kInterior, guard},
        {"in[(i * N + j) * N + k - 1]", "(k > 0 ? in[(i * N + j) * N + k - 1] : " + ghost + ")"},
        {"in[(i * N + j) * N + k + 1]", "(k < N - 1 ? in[(i * N + j) * N + k + 1] : " + ghost + ")"},
        {"in[(i * N + j - 1) * N + k]", "(j > 0 ? in[(i * N + j - 1) * N + k] : " + ghost + ")"},
        {"in[(i * N + j + 1) * N + k]", "(j < N - 1 ? in[(i * N + j + 1) * N + k] : " + ghost + ")"},
        {"in[((i - 1) * N + j) * N + k]", "(i > 0 ? in[((i - 1) * N + j) * N + k] : " + ghost + ")"},
        {"in[((i + 1) * N + j) * N + k]", "(i < N - 1 ? in[((i + 1) * N + j) * N + k] : " + ghost + ")"}};
  };
  const std::string everywhere = "if (i < N && j < N && k < N) {";
  expectReported({
      {"stencil/basic", sweep(everywhere, "0.0f"),
       "border points should keep their value, but the kernel computes them, as if in were 0 outside"},
      {"stencil/basic", sweep(everywhere, "in[(i * N + j) * N + k]"),
       "border points should keep their value, but the kernel computes them, with the nearest point inside"},
  });
  EXPECT_EQ(diagnosis("stencil/basic", sweep(kInterior, "0.0f")), "");
}

TEST(Diagnosis, NamesTheMistakeInATapOrInTheSum) {
  expectReported({
      {"stencil/basic", {{"c[0] *", "2.0f * c[0] *"}}, "c[0] * in[i][j][k] is added twice"},
      {"stencil/basic", {{"+ c[2] *", "- c[2] *"}}, "c[2] * in[i][j][k + 1] is subtracted"},
      {"stencil/basic", {{"c[4] * ", ""}}, "in[i][j + 1][k] is added without its coefficient c[4]"},
      {"stencil/basic", {{"c[3] *", "c[4] *"}}, "c[4] is used twice and c[3] never"},
      {"stencil/basic", {{"+ c[5] * in[((i - 1) * N + j) * N + k]", ""}}, "c[5] is left out"},
      {"stencil/basic", {{"c[0] *", "0.75f * c[0] *"}}, "points of out are wrong"},
      {"stencil/basic", {{"= c[0]", "= in[(i * N + j) * N + k] + c[0]"}}, "the sum starts at in[i][j][k] instead of 0"},
      {"convolution/basic", {{kSum, "float sum = in[outRow * width + outCol];"}}, "the sum starts at in[row][col]"},
      {"convolution/basic", {{kSum, "float sum = 1.0f;"}}, "every wrong point is too large by 1"},
      {"stencil/basic", {{"out[(i * N + j) * N + k] = ", "out[(i * N + j) * N + k] = 0.000002f + "}}, "too large by"},
      {"convolution/basic", {{"sum += ", "sum = "}}, "only the last product is in the result"},
      {"convolution/basic", {{"= sum;", "= 0.5f * sum;"}}, "0.5 times"},
      {"convolution/basic", {{"= sum;", "= 0.0f;"}}, "holds 0"},
      {"convolution/basic",
       {{kSum, "float sum = -filter[4] * in[outRow * width + outCol];"}},
       "filter[1][1] is left out"},
  });
}

TEST(Diagnosis, NamesTheMistakeInAnIndex) {
  expectReported({
      {"convolution/basic", {{"in[inRow * width + inCol]", "in[inCol * width + inRow]"}}, "exchanged where in is read"},
      {"convolution/basic", {{kResult, "out[outCol * height + outRow] = sum;"}}, "exchanged where out is written"},
      {"convolution/basic", {{"in[inRow * width + inCol]", "in[inRow * (width - 2) + inCol]"}}, "but the kernel takes"},
      {"convolution/basic", {{"filterRow < 2 * radius + 1", "filterRow < 2 * radius"}}, "<= instead of < at line"},
      {"stencil/basic", {{"k < N - 1", "k < N"}}, "N - 1 instead of N at line"},
      {"convolution/tiled_output_block",
       {{"rowStart = blockIdx.y", "rowStart = blockIdx.x"}},
       "blockIdx.y instead of blockIdx.x at line"},
      {"convolution/tiled_output_block",
       {{"in_s[threadIdx.y + filterRow][threadIdx.x", "in_s[threadIdx.x + filterRow][threadIdx.y"}},
       "threadIdx.x and threadIdx.y exchanged at line"},
  });
}

/// The findings of a variant after replacing pieces of its source, one per line.
std::string checked(const std::string& id, const Replacements& replacements) {
  std::string all;
  for (const faults::Finding& finding : checking::check(replaced(id, replacements), {}).findings) {
    all += std::string(faults::rowOf(finding.kind).name) + ": " + finding.text() + '\n';
  }
  return all;
}

TEST(Diagnosis, NamesTheCauseOfAFault) {
  const Mistake cases[] = {
      {"convolution/basic", {{"outCol < width)", "outCol < width - 1)"}}, "with <= instead of < at line"},
      {"convolution/basic",
       {{"blockIdx.y * blockDim.y", "blockIdx.x * blockDim.y"}, {"blockIdx.x * blockDim.x", "blockIdx.y * blockDim.x"}},
       "with blockIdx.x and blockIdx.y exchanged the result is right"},
      {"convolution/basic", {{"inRow < height", "inRow <= height"}}, "with < instead of <= at line"},
      {"convolution/basic", {{"inRow < height", "inRow < width"}}, "with height instead of width at line"},
      {"stencil/basic",
       {{"i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1",
         "i < N - 2 && j >= 1 && j < N - 2 && k >= 1 && k < N - 2"}},
       "with <= instead of < everywhere at line"},
      {"stencil/basic",
       {{"out[(i * N + j) * N + k] =", "const_cast<float*>(in)[(i * N + j) * N + k] ="}},
       "the kernel writes its result into the input array in instead of out"},
  };
  for (const Mistake& expected : cases) {
    const std::string text = checked(expected.id, expected.replacements);
    EXPECT_NE(text.find(expected.words), std::string::npos) << expected.replacements.back().second << ": " << text;
  }
}

TEST(Diagnosis, ARightResultHasNone) { EXPECT_EQ(diagnosis("stencil/basic", {{"int i =", "int i  ="}}), ""); }

TEST(MacroHazard, IsASumWithoutParenthesesInAProduct) {
  using checking::findMacroHazard;
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
