#include "experiment/TracedOutput.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "KernelCatalogue.h"
#include "catalogue/BugLab.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/TraceWords.h"
#include "program/RealBits.h"
#include "recording/GridShape.h"
#include "recording/RecordingBuilder.h"

// The origin of an output, with the experiment's names and roles: exact expectations for each path that a value can
// take, and properties of every variant.

namespace haloscope {
namespace {

using experiment::Experiment;
using experiment::TracedOutput;
using experiment::TraceWords;
using provenance::Operand;
using provenance::OperandPlace;
using provenance::OperandRole;
using provenance::Taken;
using provenance::Term;
using test::catalogue;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

const BugLab& bugLab() {
  static const BugLab kLab = BugLab::read(fs::path(HALOSCOPE_SOURCE_DIR) / "assets" / "buglab");
  return kLab;
}

/// The line of the n-th `__syncthreads()` in a source.
int barrierLine(const std::string& text, int n) {
  std::size_t at = text.find("__syncthreads()");
  for (; n > 0; --n) { at = text.find("__syncthreads()", at + 1); }
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::int64_t elementAt(const Experiment& experiment, const std::vector<std::int64_t>& indices) {
  std::int64_t element = 0;
  const auto& extents = experiment.footprint.outputExtents;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) { element = element * extents[axis] + indices[axis]; }
  return element;
}

/// "in[6][5][5] halo: (4,3,4) 8, in_s[4][3][4] 8, used 12": each with its step, counted from 1.
std::string describe(const TraceWords& words, const Operand& operand, const OperandPlace& place) {
  std::string text = fmt::format("{} {}: {} {}", words.operand(operand, place), provenance::name(place.role),
                                 words.thread(operand.loadedBy), operand.loadedAt + 1);
  for (const provenance::Hop& hop : operand.hops) { text += fmt::format(", {} {}", words.place(hop), hop.step + 1); }
  text += fmt::format(", used {}", operand.usedAt + 1);
  const std::string fault = words.fault(operand, place);
  return fault.empty() ? text : text + ": " + fault;
}

/// All operands except coefficients and literals.
std::vector<std::string> operandLines(const Experiment& experiment, const TracedOutput& traced) {
  const TraceWords words(*experiment.recording, experiment.footprint);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < traced.places.size(); ++i) {
    const OperandRole role = traced.places[i].role;
    if (role == OperandRole::Constant || role == OperandRole::Literal || role == OperandRole::OtherArray) { continue; }
    all.push_back(describe(words, traced.trace.operands[i], traced.places[i]));
  }
  return all;
}

/// The nearest number of a type.
double roundedTo(ValueType type, double number) {
  const volatile std::uint64_t bits = bitsOf(type, number);  // prevents excess precision
  return numberOf(type, bits);
}

/// The relative rounding error of a type.
double unitRoundoff(ValueType type) {
  return type == ValueType::F16 ? 0x1p-11 : type == ValueType::F32 ? 0x1p-24 : 0x1p-53;
}

/// Recomputes the trace's operations from its operands, one after the other, in double and rounded: double has more
/// than twice the digits of half and float, so each operation is rounded once.
double evaluate(const Program& program, const provenance::OutputTrace& trace) {
  std::vector<double> results;
  const auto value = [&](const Taken& taken) {
    if (taken.from != Taken::From::Operand) { return results[taken.index]; }
    const Operand& operand = trace.operands[taken.index];
    return numberOf(operand.type, operand.bits);
  };
  for (const provenance::Operation& operation : trace.operations) {
    const Instruction& instruction = program.code[operation.instruction];
    const double a = value(operation.taken[0]);
    const auto b = [&] { return value(operation.taken[1]); };
    double result = 0;
    switch (instruction.op) {
      case Opcode::Add:
        result = a + b();
        break;
      case Opcode::Sub:
        result = a - b();
        break;
      case Opcode::Mul:
        result = a * b();
        break;
      case Opcode::Fma:
        result = instruction.type == ValueType::F32 ? std::fma(static_cast<float>(a), static_cast<float>(b()),
                                                               static_cast<float>(value(operation.taken[2])))
                                                    : std::fma(a, b(), value(operation.taken[2]));
        break;
      case Opcode::Convert:
        result = a;
        break;
      default:
        ADD_FAILURE() << "no variant computes with this operation";
    }
    results.push_back(roundedTo(instruction.type, result));
  }
  return value(trace.result);
}

/// The terms add up to the output: in order and bit for bit if stated so, and always within the error bound of this
/// many additions in their type (Higham, Accuracy and Stability of Numerical Algorithms, 4.2).
void expectAddsUp(const TracedOutput& traced, ValueType type) {
  const ValueType kept = traced.sum.type;
  const double output = numberOf(type, traced.trace.bits), unit = unitRoundoff(kept);
  long double sum = 0;
  double inOrder = 0, magnitude = 0;
  bool first = true;
  for (const Term& term : traced.sum.terms) {
    const double contributed = numberOf(kept, term.bits);
    if (term.coefficient && term.value) {
      const Operand &factor = traced.trace.operands[*term.coefficient], &other = traced.trace.operands[*term.value];
      const double product = numberOf(factor.type, factor.bits) * numberOf(other.type, other.bits);
      EXPECT_EQ(roundedTo(kept, product), contributed) << "coefficient × value";
    } else if (term.value) {
      const Operand& alone = traced.trace.operands[*term.value];
      EXPECT_EQ(numberOf(alone.type, alone.bits), contributed);
    } else {
      EXPECT_GT(term.operands.size(), 1U) << "what is neither a product nor an operand is made of several";
    }
    const double one = term.negative ? -contributed : contributed;
    inOrder = first ? one : roundedTo(kept, inOrder + one);
    first = false;
    sum += one;
    magnitude += std::abs(one);
  }
  const auto additions = static_cast<double>(traced.sum.terms.size());
  const double bound = additions * unit / (1 - additions * unit) * magnitude + unitRoundoff(type) * std::abs(output);
  EXPECT_LE(std::abs(static_cast<double>(sum - static_cast<long double>(output))), bound);
  if (traced.sum.exact) { EXPECT_EQ(roundedTo(type, inOrder), output); }
}

class TraceOfVariant : public ::testing::TestWithParam<std::string> {
 protected:
  static Bindings small(const KernelFile& file) {
    Bindings bindings = file.defaults();
    std::int64_t size = 15;
    for (const SizeParameter& parameter : file.sizes) { bindings[parameter.name] = size++; }
    return bindings;
  }

  /// One for each type of a source with a precision.
  static std::vector<Bindings> inEveryType(const KernelFile& file) {
    if (!file.precision) { return {small(file)}; }
    std::vector<Bindings> all;
    for (const ValueType type : file.precision->types) {
      all.push_back(small(file));
      all.back()[file.precision->macro] = Precision::valueOf(type);
    }
    return all;
  }

  /// Elements of the input that the definition uses for an output, and how many of its taps are outside.
  static std::pair<std::set<std::int64_t>, int> neighbourhood(const Experiment& experiment, std::int64_t element) {
    const recording::GridShape shape(experiment.footprint.inputExtents);
    const std::int64_t width = experiment.file.points(experiment.bindings).back();
    const std::int64_t pitch = experiment.footprint.inputExtents.back();
    const auto taps = experiment.file.taps(experiment.bindings);
    std::pair<std::set<std::int64_t>, int> found{{element}, 0};
    for (std::int64_t step = experiment.file.steps(experiment.bindings); step > 0; --step) {
      std::set<std::int64_t> before;
      for (const std::int64_t at : found.first) {
        std::set<std::int64_t> taken;
        int outside = 0;
        for (const std::array<int, 3>& tap : taps) {
          const std::int64_t next = shape.element(shape.point(at) + recording::GridPoint{tap[0], tap[1], tap[2]});
          next >= 0 && next % pitch < width ? static_cast<void>(taken.insert(next)) : static_cast<void>(++outside);
        }
        const bool kept = outside > 0 && experiment.file.computes->border == Computes::Border::Keeps;
        kept ? static_cast<void>(before.insert(at)) : before.merge(taken);
        found.second += kept ? 0 : outside;
      }
      found.first = std::move(before);
    }
    return found;
  }

  static void expectTrace(const Experiment& experiment, std::int64_t element,
                          const std::optional<TracedOutput>& traced) {
    SCOPED_TRACE(fmt::format("output {}", element));
    ASSERT_TRUE(traced);
    const Program& program = *experiment.program;
    const recording::Recording& recording = *experiment.recording;
    const ArrayData& swept = experiment.launch->arrays[experiment.footprint.output];
    EXPECT_EQ(traced->trace.bits, recording::elementBits(swept, element)) << "the value that the sweep left there";
    EXPECT_EQ(evaluate(program, traced->trace), numberOf(swept.element, traced->trace.bits));
    expectAddsUp(*traced, swept.element);
    EXPECT_TRUE(traced->sum.exact);

    const auto [points, outside] = neighbourhood(experiment, element);
    std::set<std::int64_t> taken;
    int ghosts = 0, literals = 0;
    ASSERT_EQ(traced->places.size(), traced->trace.operands.size());
    for (std::size_t i = 0; i < traced->places.size(); ++i) {
      const Operand& operand = traced->trace.operands[i];
      const OperandPlace& place = traced->places[i];
      EXPECT_FALSE(provenance::isFault(place.role)) << provenance::name(place.role);
      if (place.role == OperandRole::Interior || place.role == OperandRole::Halo) { taken.insert(operand.element); }
      literals += place.role == OperandRole::Literal ? 1 : 0;
      if (place.role == OperandRole::Ghost) {
        ++ghosts;
        ASSERT_TRUE(place.at);
        EXPECT_LT(experiment.footprint.element(*place.at), 0) << "a ghost lies outside";
      }
      std::uint32_t before = operand.loadedAt;
      for (const provenance::Hop& hop : operand.hops) {
        EXPECT_GE(hop.step, before);
        EXPECT_EQ(recording.steps[hop.step].statement, hop.statement) << "steps are those of the recording";
        before = hop.step;
      }
      EXPECT_GE(operand.usedAt, before);
      EXPECT_LE(operand.usedAt, traced->trace.step);
      // Of a product of arrays other threads sum the rows; of several steps, the points between.
      const bool byOthers =
          !experiment.file.computes->factors.empty() || experiment.file.steps(experiment.bindings) > 1;
      if (!byOthers) { EXPECT_EQ(operand.usedBy, traced->trace.thread); }
    }
    if (experiment.counts.products.byZero == 0) {
      EXPECT_EQ(taken, points);
    } else {  // a filter with zeros uses more than the definition
      EXPECT_TRUE(std::ranges::includes(taken, points));
    }
    if (ghosts > 0) {  // a thread that marches has zeros of rows before its first load, which places nothing yet
      EXPECT_LE(ghosts, outside);
      EXPECT_GE(ghosts + literals, outside);
    }
  }
};

TEST_P(TraceOfVariant, IsTheDefinitionEvaluatedInTheKernelsOrder) {
  const KernelFile& file = catalogue().at(GetParam());
  for (const Bindings& bindings : inEveryType(file)) {
    experiment::RunOptions options;
    for (const Dim3 block : {Dim3{0, 0, 0}, Dim3{1, 1, 1}, Dim3{99, 99, 99}}) {
      for (const auto order : {simt::WarpOrder::SideBySide, simt::WarpOrder::Reversed, simt::WarpOrder::Random}) {
        const auto made = experiment::run(file, {file.id, bindings, block, {}, order, 7}, options);
        options.known = made;  // the same program
        const auto& outputs = made->footprint.outputs;
        if (outputs.empty()) { continue; }
        SCOPED_TRACE(fmt::format("block {} {} {}", block.x, block.y, block.z));
        const std::vector<std::int64_t> some{outputs.front(), outputs[outputs.size() / 2], outputs.back()};
        const auto traced = experiment::traceOutputs(*made, some);
        ASSERT_EQ(traced.size(), some.size());
        for (std::size_t i = 0; i < some.size(); ++i) { expectTrace(*made, some[i], traced[i]); }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, TraceOfVariant, ::testing::ValuesIn([] {
                           std::vector<std::string> ids;
                           for (const KernelFile& file : catalogue().kernels()) {
                             if (file.computes) { ids.push_back(file.id); }
                           }
                           return ids;
                         }()),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::ranges::replace(name, '/', '_');
                           return name;
                         });

TEST(TracedOutput, AHalfIsWrittenAsItsNumber) {
  const auto made = experiment::run(catalogue(), {"stencil/finite_difference_3", {}, Dim3{0, 0, 0}});
  const TraceWords words(*made->recording, made->footprint);
  EXPECT_EQ(words.value(ValueType::F16, 0xbe00, 3), "-1.5");
  EXPECT_EQ(words.value(ValueType::F16, 0x7e00), "NaN");
}

TEST(TracedOutput, AConvolutionAtACornerTakesGhosts) {
  const auto made = experiment::run(catalogue(), {"convolution/tiled_input_block", {}, Dim3{0, 0, 0}});
  const auto traced = experiment::traceOutput(*made, 0);
  ASSERT_TRUE(traced);
  EXPECT_THAT(
      operandLines(*made, *traced),
      ElementsAre(
          "in[-1][-1] ghost: (0,0,0) 5, in_s[0][0] 5, used 16", "in[-1][0] ghost: (1,0,0) 5, in_s[0][1] 5, used 19",
          "in[-1][1] ghost: (2,0,0) 5, in_s[0][2] 5, used 22", "in[0][-1] ghost: (0,1,0) 5, in_s[1][0] 5, used 29",
          "in[0][0] interior: (1,1,0) 4, in_s[1][1] 4, used 32", "in[0][1] interior: (2,1,0) 4, in_s[1][2] 4, used 35",
          "in[1][-1] ghost: (0,2,0) 5, in_s[2][0] 5, used 42", "in[1][0] interior: (1,2,0) 4, in_s[2][1] 4, used 45",
          "in[1][1] interior: (2,2,0) 4, in_s[2][2] 4, used 48"));
  EXPECT_EQ(traced->sum.terms.size(), 10U) << "the nine products and the zero that the sum began with";
}

TEST(TracedOutput, AGhostFromAConditionalExpressionIsPlacedByNeighbouringThreads) {
  KernelFile file = catalogue().at("convolution/basic");
  const std::size_t at = file.text.find("__global__");
  file.text = file.text.substr(0, at) +
              R"(__global__ void convolution(const float* in, const float* filter, float* out, int width, int height) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < height && col < width) {
    float sum = 0.0f;
    for (int r = -1; r <= 1; ++r) {
      for (int c = -1; c <= 1; ++c) {
        bool inside = row + r >= 0 && row + r < height && col + c >= 0 && col + c < width;
        sum += 0.5f * filter[(r + 1) * 3 + c + 1] * (inside ? in[(row + r) * width + col + c] : 0.0f);
      }
    }
    out[row * width + col] = sum;
  }
}
)";
  const auto made = experiment::run(file, {file.id, {}, Dim3{0, 0, 0}});
  const auto traced = experiment::traceOutput(*made, 0);
  ASSERT_TRUE(traced);
  std::vector<std::pair<std::int64_t, std::int64_t>> ghosts;
  for (const OperandPlace& place : traced->places) {
    if (place.role == OperandRole::Ghost) { ghosts.emplace_back(place.at->y, place.at->x); }
  }
  EXPECT_THAT(ghosts,
              ElementsAre(std::pair(-1, -1), std::pair(-1, 0), std::pair(-1, 1), std::pair(0, -1), std::pair(1, -1)));
}

TEST(TracedOutput, CoarsenedPlanesRotateThroughSharedMemory) {
  const auto made = experiment::run(catalogue(), {"stencil/coarsened", {}, Dim3{1, 1, 1}});
  const auto traced = experiment::traceOutput(*made, elementAt(*made, {7, 6, 9}));
  ASSERT_TRUE(traced);
  EXPECT_THAT(operandLines(*made, *traced),
              ElementsAre("in[7][6][9] interior: (4,1,0) 16, inNext_s[1][4] 16, inCurr_s[1][4] 22, used 29",
                          "in[7][6][8] interior: (3,1,0) 16, inNext_s[1][3] 16, inCurr_s[1][3] 22, used 29",
                          "in[7][6][10] interior: (5,1,0) 16, inNext_s[1][5] 16, inCurr_s[1][5] 22, used 29",
                          "in[7][5][9] halo: (4,0,0) 16, inNext_s[0][4] 16, inCurr_s[0][4] 22, used 29",
                          "in[7][7][9] interior: (4,2,0) 16, inNext_s[2][4] 16, inCurr_s[2][4] 22, used 29",
                          "in[6][6][9] interior: (4,1,0) 12, inCurr_s[1][4] 12, inPrev_s[1][4] 21, used 29",
                          "in[8][6][9] interior: (4,1,0) 26, inNext_s[1][4] 26, used 29"));
}

TEST(TracedOutput, RegisterTilingPassesPlanesThroughRegisters) {
  const auto made = experiment::run(catalogue(), {"stencil/register_tiled", {}, Dim3{1, 1, 1}});
  const auto traced = experiment::traceOutput(*made, elementAt(*made, {8, 9, 9}));
  ASSERT_TRUE(traced);
  EXPECT_THAT(operandLines(*made, *traced),
              ElementsAre("in[8][9][9] interior: (4,4,0) 28, inNext 28, inCurr 34, used 42",
                          "in[8][9][8] interior: (3,4,0) 28, inNext 28, inCurr 34, inCurr_s[4][3] 35, used 42",
                          "in[8][9][10] interior: (5,4,0) 28, inNext 28, inCurr 34, inCurr_s[4][5] 35, used 42",
                          "in[8][8][9] interior: (4,3,0) 28, inNext 28, inCurr 34, inCurr_s[3][4] 35, used 42",
                          "in[8][10][9] interior: (4,5,0) 28, inNext 28, inCurr 34, inCurr_s[5][4] 35, used 42",
                          "in[7][9][9] interior: (4,4,0) 17, inNext 17, inCurr 23, inPrev 33, used 42",
                          "in[9][9][9] interior: (4,4,0) 39, inNext 39, used 42"));
}

TEST(TracedOutput, ASweepInPlaceReadsWhatItsNeighboursLeft) {
  const KernelFile& file = bugLab().find("in_place")->faulty;
  const auto made = experiment::run(file, {file.id, {}, Dim3{0, 0, 1}});
  // The experiment's arrays hold the state after the sweep; the trace starts from the state before.
  const auto traced = experiment::traceOutput(*made, elementAt(*made, {6, 6, 6}));
  ASSERT_TRUE(traced);
  EXPECT_THAT(operandLines(*made, *traced),
              ElementsAre("in[6][6][6] interior: (6,6,2) 5, used 5", "in[6][6][5] interior: (6,6,2) 5, used 5",
                          "in[6][6][7] interior: (6,6,2) 5, used 5", "in[6][5][6] interior: (6,6,2) 5, used 5",
                          "in[6][7][6] interior: (6,6,2) 5, used 5",
                          "in[5][6][6] overwritten: (6,6,2) 5, used 5: read after thread (6,6,1) wrote it (step 5)",
                          "in[7][6][6] interior: (6,6,2) 5, used 5"));
  const ArrayData before =
      experiment::makeLaunch(made->file, made->bindings, *made->program, made->input).arrays[made->footprint.input];
  for (std::size_t i = 0; i < traced->places.size(); ++i) {
    const Operand& operand = traced->trace.operands[i];
    if (operand.kind != Operand::Kind::Element || operand.object != made->footprint.input) { continue; }
    EXPECT_EQ(operand.bits, recording::elementBits(before, operand.element));
  }
}

TEST(TracedOutput, WithoutItsBarrierATileIsReadUnwritten) {
  const KernelFile& file = catalogue().at("stencil/tiled");
  const auto made =
      experiment::run(file, {file.id, {}, Dim3{0, 0, 0}, {barrierLine(file.text, 0)}, simt::WarpOrder::Reversed});
  const auto traced = experiment::traceOutput(*made, elementAt(*made, {3, 3, 3}));
  ASSERT_TRUE(traced);
  EXPECT_THAT(
      operandLines(*made, *traced),
      ElementsAre("in[3][3][3] interior: (4,4,4) 78, in_s[4][4][4] 78, used 82",
                  "in[3][3][2] interior: (3,4,4) 78, in_s[4][4][3] 78, used 82",
                  "in[3][3][4] interior: (5,4,4) 78, in_s[4][4][5] 78, used 82",
                  "in_s[4][3][4] uninitialised: (4,4,4) 82, used 82: read before thread (4,3,4) wrote it (step 90)",
                  "in[3][4][3] interior: (4,5,4) 78, in_s[4][5][4] 78, used 82",
                  "in_s[3][4][4] uninitialised: (4,4,4) 82, used 82: read before thread (4,4,3) wrote it (step 102)",
                  "in[4][3][3] interior: (4,4,5) 54, in_s[5][4][4] 54, used 82"));
}

TEST(TracedOutput, WithoutABarrierARotatingPlaneIsStaleOrOverwritten) {
  const KernelFile& file = catalogue().at("stencil/register_tiled");
  const auto faults = [&](int barrier, simt::WarpOrder order) {
    const auto made = experiment::run(file, {file.id, {}, Dim3{1, 1, 1}, {barrierLine(file.text, barrier)}, order});
    const auto traced = experiment::traceOutput(*made, elementAt(*made, {9, 9, 9}));
    const TraceWords words(*made->recording, made->footprint);
    std::vector<std::string> all;
    for (std::size_t i = 0; i < traced->places.size(); ++i) {
      if (provenance::isFault(traced->places[i].role)) {
        all.push_back(describe(words, traced->trace.operands[i], traced->places[i]));
      }
    }
    return all;
  };
  EXPECT_THAT(faults(0, simt::WarpOrder::Reversed),
              ElementsAre("in[8][8][9] stale: (4,3,0) 60, inNext 60, inCurr 77, inCurr_s[3][4] 78, used 96: read "
                          "before thread (4,3,0) wrote it (step 100); with the warps side by side it is in[9][8][9]"));
  EXPECT_THAT(
      faults(1, simt::WarpOrder::InOrder),
      ElementsAre("in[10][8][9] overwritten: (4,3,0) 90, inNext 90, inCurr 107, inCurr_s[3][4] 108, used 115: "
                  "read after thread (4,3,0) wrote it (step 108); with the warps side by side it is in[9][8][9]"));
  EXPECT_THAT(faults(0, simt::WarpOrder::SideBySide), IsEmpty());
}

}  // namespace
}  // namespace haloscope
