#include "catalogue/KernelFile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace haloscope {
namespace {

using ::testing::HasSubstr;

std::string header(const std::string& extra = "", const std::string& launch = "[ceil(N / TILE), 1, 1]") {
  return "/* haloscope\n"
         "title: A test\n"
         "sizes:\n"
         "  N: {default: 10, min: 1, max: 100}\n"
         "tunables:\n"
         "  TILE: {default: 4, min: 1, max: 2000}\n"
         "arrays:\n"
         "  in: {shape: [N]}\n"
         "launch:\n"
         "  grid: " +
         launch +
         "\n"
         "  block: [TILE, 1, 1]\n" +
         extra +
         "*/\n"
         "__global__ void k(float* in, int N) {}\n";
}

KernelFile parse(const std::string& text) { return KernelFile::parse("chapter/name", "chapter/name.cu", text); }

/// The error from parsing `text`; empty if there is none.
std::string complaint(const std::string& text) {
  try {
    parse(text);
  } catch (const SourceError& error) { return error.what(); }
  return {};
}

TEST(KernelFileTest, ReadsTheHeader) {
  const KernelFile file = parse(header());
  EXPECT_EQ(file.title, "A test");
  EXPECT_EQ(file.chapter, "chapter");
  ASSERT_EQ(file.sizes.size(), 1U);
  EXPECT_EQ(file.sizes[0].maximum, 100);
  const LaunchConfiguration launch = file.configuration(file.defaults());
  EXPECT_EQ(launch.grid, (Dim3{3, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{4, 1, 1}));
  EXPECT_EQ(file.defines(file.defaults()).at("TILE"), "4");
  EXPECT_EQ(file.firstCodeLine, 13);
}

TEST(KernelFileTest, RefusesAHeaderThatStandsForMuchMore) {
  // Each list has the one before ten times.
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 1; k < 10; ++k) { bomb += ", " + before; }
    bomb += "]\n";
  }
  EXPECT_THAT(complaint(header(bomb)),
              HasSubstr("name.cu:13:10: this is not valid YAML: an alias (*name) is not read"));
  for (const char open : {'[', '{'}) {
    EXPECT_THAT(complaint(header("deep: " + std::string(100'000, open) + "\n")), HasSubstr("nested too deeply"));
  }
  std::string many = "many: [0";
  for (int i = 0; i < 200'000; ++i) { many += ",0"; }
  EXPECT_THAT(complaint(header(many + "]\n")), HasSubstr("it has more than 200000 values"));
}

TEST(KernelFileTest, NamesThePlaceOfAnUnknownWord) {
  EXPECT_THAT(complaint(header("tunable: 3\n")), HasSubstr("chapter/name.cu:12:1: unknown key \"tunable\""));
}

TEST(KernelFileTest, NamesThePlaceOfAnUnknownNameInAnExpression) {
  EXPECT_THAT(complaint(header("", "[ceil(M / TILE), 1, 1]")), HasSubstr("chapter/name.cu:10:"));
}

TEST(KernelFileTest, AVariantExtendsAnotherOrNamesItsClimb) {
  const KernelFile above = parse(header("extends: stencil/basic\n"));
  EXPECT_EQ(above.extends, "stencil/basic");
  EXPECT_EQ(above.rungAt.line, 12);
  EXPECT_EQ(parse(header("climb: 7-point star\n")).climb, "7-point star");
  EXPECT_THAT(complaint(header("extends: a/b\nclimb: star\n")),
              HasSubstr("chapter/name.cu:13:8: \"climb\" is the name of a climb"));
  EXPECT_THAT(complaint(header("extends: [a, b]\n")), HasSubstr("chapter/name.cu:12:10: extends must be one value"));
  EXPECT_THAT(complaint(header("extends: \"\"\n")), HasSubstr("chapter/name.cu:12:10: \"extends\" is empty"));
}

TEST(KernelFileTest, ATextMayNeedANewGpu) {
  EXPECT_EQ(parse(header()).leastCapability, 0);
  EXPECT_EQ(parse(header("compute_capability: 9.0\n")).leastCapability, 90);
  EXPECT_EQ(parse(header("compute_capability: 12.1\n")).leastCapability, 121);
  for (const char* wrong : {"9", "new", "9.", ".9", "9.00", "9.x", "-9.0"}) {
    EXPECT_THAT(complaint(header("compute_capability: " + std::string(wrong) + "\n")),
                HasSubstr("chapter/name.cu:12:21: \"" + std::string(wrong) + "\" is not a compute capability"));
  }
}

TEST(KernelFileTest, ASizeThatOverflowsAnIndexIsRefusedByName) {
  KernelFile file = parse(header());
  file.arrays[0].shape = {Expression("N"), Expression("N"), Expression("N")};
  const auto refusal = [&](std::int64_t size) -> std::string {
    try {
      static_cast<void>(file.bind({{"N", size}}));
      return "";
    } catch (const InputError& error) { return error.what(); }
  };
  EXPECT_EQ(refusal(1290), "chapter/name: N = 1290 is outside its range 1 to 100");
  EXPECT_EQ(
      refusal(5000),
      "chapter/name: N = 5000 is outside its range 1 to 100; from N = 1291 on, in has more elements than a 32-bit "
      "index can name");
}

TEST(KernelFileTest, ALaunchMayComputeSeveralSteps) {
  const auto stepping = [](const std::string& steps) {
    return header(
        "computes: {output: in, input: in, weights: in, taps: [[0]], border: keeps its value, steps: " + steps + "}\n");
  };
  const KernelFile file = parse(stepping("TILE / 2"));
  EXPECT_EQ(file.steps(file.defaults()), 2);
  EXPECT_THROW(static_cast<void>(file.steps(file.bind({{"TILE", 200}}))), InputError);
  EXPECT_THROW(static_cast<void>(file.steps(file.bind({{"TILE", 3}}))), InputError);
  EXPECT_EQ(parse(header()).steps({}), 1);
  EXPECT_THAT(complaint(stepping("0")), HasSubstr("chapter/name.cu:12:93: chapter/name: a launch computes 0 = 0 time"));
  EXPECT_THAT(complaint(stepping("NONE")), HasSubstr("chapter/name.cu:12:93: "));
}

TEST(KernelFileTest, RowsMayBePadded) {
  const auto padded = [](const std::string& points) {
    return header("computes: {output: in, input: in, weights: in, taps: [[0]], border: keeps its value, points: " +
                  points + "}\n");
  };
  const KernelFile file = parse(padded("[N - TILE]"));
  EXPECT_EQ(file.points(file.bind({{"N", 50}, {"TILE", 8}})), std::vector<std::int64_t>{42});
  EXPECT_THROW(static_cast<void>(file.points(file.bind({{"TILE", 10}}))), InputError) << "none is left";
  const KernelFile whole = parse(padded("[]"));
  EXPECT_EQ(whole.points(whole.bind({{"N", 50}})), std::vector<std::int64_t>{50});
  EXPECT_TRUE(parse(header()).points({}).empty()) << "it is not known what is computed";
  EXPECT_THAT(complaint(padded("[N + 1]")), HasSubstr("N + 1 = 11 points do not fit into the 10 elements of an axis"));
  EXPECT_THAT(complaint(padded("[N, N]")), HasSubstr("10 × 10 points along 2 axes, but in has 1"));
  EXPECT_THAT(complaint(padded("[NONE]")), HasSubstr("chapter/name.cu:12:"));
}

TEST(KernelFileTest, NamesWhatIsMissing) {
  EXPECT_THAT(complaint("/* haloscope\nbook: none\n*/"), HasSubstr("lacks the key \"title\""));
  EXPECT_THAT(complaint("__global__ void k() {}"), HasSubstr("no header"));
  EXPECT_THAT(complaint("/* haloscope\ntitle: x"), HasSubstr("not closed"));
}

TEST(KernelFileTest, RefusesBrokenYaml) {
  EXPECT_THAT(complaint("/* haloscope\ntitle: [1, 2\n*/\n"), HasSubstr("chapter/name.cu:"));
}

TEST(KernelFileTest, RefusesABlockBeyondTheLimit) {
  const KernelFile file = parse(header());
  try {
    static_cast<void>(file.configuration(file.bind({{"TILE", 1025}})));
    FAIL() << "a block of 1025 threads was accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("1025"));
    EXPECT_THAT(error.what(), HasSubstr("1024"));
  }
}

TEST(KernelFileTest, RefusesUnknownNamesAndValuesOutOfRange) {
  const KernelFile file = parse(header());
  EXPECT_THROW(static_cast<void>(file.bind({{"M", 3}})), InputError);
  EXPECT_THROW(static_cast<void>(file.bind({{"N", 0}})), InputError);
  EXPECT_THROW(static_cast<void>(file.bind({{"N", 101}})), InputError);
  EXPECT_EQ(file.bind({{"N", 7}}).at("N"), 7);
}

TEST(KernelFileTest, ChecksConditionsBetweenKnobs) {
  const KernelFile file = parse(header("requires: [N > 2 * TILE]\n"));
  EXPECT_NO_THROW(static_cast<void>(file.bind({})));
  try {
    static_cast<void>(file.bind({{"TILE", 5}}));
    FAIL() << "the condition was not checked";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("needs N > 2 * TILE, but N = 10 and TILE = 5"));
  }
}

TEST(KernelFileTest, SpellsOutTheTapsOfAWindow) {
  const KernelFile file = parse(
      header("computes: {output: in, input: in, weights: in, window: [1, TILE - 3], border: ghost cells are zero}\n"));
  const auto taps = file.taps(file.defaults());
  ASSERT_EQ(taps.size(), 9U);
  EXPECT_EQ(taps.front(), (std::array<int, 3>{0, -1, -1}));
  EXPECT_EQ(taps[1], (std::array<int, 3>{0, -1, 0}));
  EXPECT_EQ(taps.back(), (std::array<int, 3>{0, 1, 1}));
}

TEST(KernelFileTest, WeightsMayBeExpressionsOfScalarArguments) {
  const std::string computes =
      "  u: {shape: [N], values: (x - 2)^2 + 10 * y + N}\n"
      "arguments: {invh2: 1 / N^2, two: 2}\n"
      "computes: {output: u, input: in, weights: [invh2, -two * invh2, TILE], taps: [[-1], [0], [1]], border: keeps "
      "its "
      "value}\n";
  std::string text = header(computes);
  // The list of arrays continues with u.
  const std::size_t launch = text.find("launch:"), u = text.find("  u: ");
  const std::string line = text.substr(u, text.find('\n', u) + 1 - u);
  text.erase(u, line.size());
  text.insert(launch, line);
  const KernelFile file = parse(text);
  EXPECT_TRUE(file.computes->weights.empty());
  EXPECT_EQ(file.computes->filterName(), "the filter");
  const std::vector<double> weights = file.coefficients(file.bind({{"N", 4}, {"TILE", 3}}));
  ASSERT_EQ(weights.size(), 3U);
  EXPECT_DOUBLE_EQ(weights[0], 1.0 / 16);
  EXPECT_DOUBLE_EQ(weights[1], -2.0 / 16);
  EXPECT_DOUBLE_EQ(weights[2], 3);
  std::vector<double> values;
  ASSERT_TRUE(file.arrays[1].values.has_value());
  file.arrays[1].values->evaluateOver({1, 2, 3}, file.defaults(), [&](double value) { values.push_back(value); });
  EXPECT_EQ(values, (std::vector<double>{14, 11, 10, 24, 21, 20}));
}

TEST(KernelFileTest, WeightsMayBeAProductOfArrays) {
  const std::string begin = "computes: {output: in, input: in, border: keeps its value, ";
  const KernelFile file = parse(header(begin + "window: [1, 2], weights: {product: [in, in]}}\n"));
  EXPECT_EQ(file.computes->weightArrays(), (std::vector<std::string>{"in", "in"}));
  EXPECT_EQ(file.computes->filterName(), "the product of in and in");
  EXPECT_THAT(complaint(header(begin + "window: [1, 2], weights: {product: [in]}}\n")),
              HasSubstr("a product of 1 arrays needs a \"window\" with as many radii"));
  EXPECT_THAT(complaint(header(begin + "taps: [[0]], weights: {product: [in]}}\n")), HasSubstr("needs a \"window\""));
  EXPECT_THAT(complaint(header(begin + "window: [1], weights: {product: in}}\n")), HasSubstr("[column, row]"));
  EXPECT_THAT(complaint(header(begin + "window: [1], weights: {product: [row]}}\n")),
              HasSubstr("names \"row\", which is not among the arrays"));
}

TEST(KernelFileTest, RefusesWeightsThatDoNotFitTheTaps) {
  const std::string begin = "computes: {output: in, input: in, border: keeps its value, taps: [[-1], [1]], weights: ";
  EXPECT_THAT(complaint(header(begin + "[1, 2, 3]}\n")), HasSubstr("there are 3 weights for 2 taps"));
  EXPECT_THAT(complaint(header(begin + "[1, h]}\n")), HasSubstr("in the expression \"h\""));
  EXPECT_THAT(complaint(header(begin + "[]}\n")), HasSubstr("needs an expression for each tap"));
  EXPECT_THAT(complaint(header(begin + "{a: 1}}\n")), HasSubstr("chapter/name.cu:12:"));
  EXPECT_THAT(complaint(header(begin + "c}\n")), HasSubstr("names \"c\", which is not among the arrays"));
}

TEST(KernelFileTest, RefusesValuesOfUnknownNames) {
  std::string text = header();
  const std::string shape = "in: {shape: [N]}";
  text.replace(text.find(shape), shape.size(), "in: {shape: [N], values: x + w}");
  EXPECT_THAT(complaint(text), HasSubstr("in the expression \"x + w\""));
}

TEST(ExpressionTest, ComputesWithNames) {
  EXPECT_DOUBLE_EQ(Expression("13 / 4 * (1 - 2 / T)^3").evaluate({{"T", 8}}), 1.37109375);
  EXPECT_EQ(Expression("ceil(N / 6)").evaluateInteger({{"N", 64}}), 11);
  EXPECT_EQ(Expression("(N + 6) % 32 == 6 && 1 + N % 7 * 2 == 3").evaluateInteger({{"N", 64}}), 1);
  EXPECT_THROW(static_cast<void>(Expression("N % 0").evaluateInteger({{"N", 64}})), InputError);
  EXPECT_THROW(static_cast<void>(Expression("N / 7").evaluateInteger({{"N", 64}})), InputError);
  EXPECT_THROW(static_cast<void>(Expression("2 +").evaluate({})), InputError);
}

}  // namespace
}  // namespace haloscope
