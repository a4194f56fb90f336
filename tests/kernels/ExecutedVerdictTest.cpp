#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ExecutedSupport.h"
#include "KernelCatalogue.h"
#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "opening/OpenedFile.h"
#include "program/SourceLocation.h"
#include "program/TensorMap.h"

// A kernel gets the same verdict by its definition and by its executed program: a main() and a function of the host are
// written for each one whose sum is known, and the program is run as a student's is. With two weights of that function
// exchanged, the same program must be wrong. The verdicts are in the test's report, as properties of each case.

namespace haloscope {
namespace {

namespace fs = std::filesystem;

const char* typeName(ValueType type) {
  switch (type) {
    case ValueType::F64:
      return "double";
    case ValueType::F32:
      return "float";
    case ValueType::I32:
      return "int";
    case ValueType::U32:
      return "unsigned";
    case ValueType::I64:
      return "long long";
    case ValueType::U64:
      return "unsigned long long";
    case ValueType::U8:
      return "unsigned char";
    default:
      return nullptr;
  }
}

/// The number with these bits as C++ writes it.
std::string literal(ValueType type, std::uint64_t bits) {
  if (type == ValueType::F32) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return fmt::format("(float){:.9e}", value);
  }
  if (type == ValueType::F64) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return fmt::format("{:.17e}", value);
  }
  return fmt::format("({}){}", typeName(type), static_cast<std::int64_t>(bits));
}

/// A kernel whose arrays and numbers are known, from which its host code is written.
struct Described {
  const KernelFile& file;
  Bindings bindings;
  Program program;
  Launch launch;
};

/// None if a parameter is of a kind that the written host code does not have: a struct, a table, half precision.
std::optional<Described> described(const KernelFile& file) {
  const Bindings bindings = file.defaults();
  Program program = experiment::compile(file, bindings);
  Launch launch = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  for (const Parameter& one : program.parameters) {
    const ValueType type = one.object == kNone ? one.type : program.objects[one.object].element;
    if (typeName(type) == nullptr || one.name.find('.') != std::string::npos) { return std::nullopt; }
  }
  return Described{file, bindings, std::move(program), std::move(launch)};
}

/// What each element should be, on the host. `exchanged`: with two of its weights exchanged.
std::string hostFunction(const Described& kernel, bool exchanged) {
  const Computes& computes = *kernel.file.computes;
  const auto arrayOf = [&](const std::string& name) -> const ArrayData& {
    return kernel.launch.arrays[kernel.program.findObject(name)];
  };
  const ArrayData& input = arrayOf(computes.input);
  const auto taps = kernel.file.taps(kernel.bindings);
  std::array<std::int64_t, 3> extents{1, 1, 1};
  std::ranges::copy_backward(input.extents, extents.end());
  std::string offsets, weights;
  for (const std::array<int, 3>& tap : taps) { offsets += fmt::format("{{{}, {}, {}}}, ", tap[0], tap[1], tap[2]); }
  for (const double one : kernel.file.coefficients(kernel.bindings)) { weights += fmt::format("{:.17e}, ", one); }
  const std::int64_t steps = kernel.file.steps(kernel.bindings);
  std::string parameters = fmt::format("(const {}* in, ", typeName(input.element));
  const std::vector<std::string> factors = computes.weightArrays();
  std::string passed;  // of the arrays from which the weights are made
  for (const std::string& name : factors) {
    parameters += fmt::format("const {}* w_{}, ", typeName(arrayOf(name).element), name);
    passed += fmt::format("w_{}, ", name);
  }
  parameters += fmt::format("{}* out) {{\n", typeName(arrayOf(computes.output).element));
  std::string text = fmt::format("static void {}{}", steps == 1 ? "expected" : "once", parameters);
  if (!weights.empty()) { text += fmt::format("  static const double weights[] = {{{}}};\n", weights); }
  if (!factors.empty()) {
    text += fmt::format("  static double weights[{0}];\n  for (int t = 0; t < {0}; ++t) {{\n    weights[t] = 1;\n",
                        taps.size());
    std::int64_t rest = 1;  // taps for each element of a factor
    for (auto one = factors.rbegin(); one != factors.rend(); ++one) {
      const std::int64_t count = arrayOf(*one).elementCount();
      text += fmt::format("    weights[t] *= w_{}[t / {} % {}];\n", *one, rest, count);
      rest *= count;
    }
    text += "  }\n";
  }
  text += fmt::format(
      "  static const int taps[][3] = {{{}}};\n"
      "  for (int z = 0; z < {}; ++z) for (int y = 0; y < {}; ++y) for (int x = 0; x < {}; ++x) {{\n"
      "    double sum = 0;\n    bool inside = true;\n    for (int t = 0; t < {}; ++t) {{\n"
      "      int i = z + taps[t][0], j = y + taps[t][1], k = x + taps[t][2];\n"
      "      if (i < 0 || j < 0 || k < 0 || i >= {} || j >= {} || k >= {}) {{ inside = false; continue; }}\n"
      "      sum += (double)weights[{}] * in[(i * {}ll + j) * {} + k];\n    }}\n",
      offsets, extents[0], extents[1], extents[2], taps.size(), extents[0], extents[1], extents[2],
      exchanged ? fmt::format("t == 0 ? {0} : t == {0} ? 0 : t", taps.size() - 1) : "t", extents[1], extents[2]);
  const std::string store = fmt::format("out[(z * {}ll + y) * {} + x] = sum;\n  }}\n}}\n", extents[1], extents[2]);
  text += (computes.border == Computes::Border::Keeps ? "    if (inside) " : "    ") + store;
  if (steps == 1) { return text; }
  return text + "static void expected" + parameters +
         fmt::format(
             "  {0}* now = ({0}*)malloc({1} * sizeof({0}));\n  {0}* next = ({0}*)malloc({1} * sizeof({0}));\n"
             "  for (int i = 0; i < {1}; ++i) now[i] = next[i] = in[i];\n"
             "  for (int step = 1; step < {2}; ++step) {{\n    once(now, {3}next);\n"
             "    for (int i = 0; i < {1}; ++i) now[i] = next[i];\n  }}\n  once(now, {3}out);\n}}\n",
             typeName(input.element), input.elementCount(), steps, passed);
}

/// Code that has the driver encode the map of a launch, of an array that is d_NAME.
std::string encoded(const Described& kernel, ObjectId object) {
  const std::string& name = kernel.program.objects[object].name;
  std::string code = fmt::format("  CUtensorMap {} = {{}};\n", name);
  const std::optional<TensorMap> map = TensorMap::read(kernel.launch.arrays[object].bytes);
  if (!map) { return code; }
  const ObjectId array = PackedPointer::object(map->base);
  return code +
         fmt::format(
             "  cuuint64_t {0}_sizes[] = {{{1}}}, {0}_strides[] = {{{2}}};\n"
             "  cuuint32_t {0}_box[] = {{{3}}}, {0}_steps[] = {{{4}}};\n"
             "  if (cuTensorMapEncodeTiled(&{0}, CU_TENSOR_MAP_DATA_TYPE_FLOAT{5}, {6}, d_{7}, {0}_sizes, "
             "{0}_strides,\n"
             "      {0}_box, {0}_steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,\n"
             "      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) return 1;\n",
             name, fmt::join(map->sizes, ", "), fmt::join(map->strides, ", "), fmt::join(map->box, ", "),
             fmt::join(map->elementStrides, ", "), 8 * map->elementBytes, map->sizes.size(),
             kernel.program.objects[array].name);
}

/// The text with a main() that fills the arrays asymmetrically, launches the kernel, copies back and computes the same.
std::string wholeProgram(const Described& kernel, const std::string& function) {
  const Computes& computes = *kernel.file.computes;
  std::string macros;
  for (const auto& [name, value] : kernel.file.defines(kernel.bindings)) {
    macros += fmt::format("#define {} {}\n", name, value);
  }
  std::string text =
      "#include <cuda_runtime.h>\n#include <cstdio>\n#include <cstdlib>\n#define main itsOwnMain\n" + macros +
      kernel.file.prologue + kernel.file.text + "\n#undef main\n" + function +
      "struct Pointer { void* p; template <class Pointee> operator Pointee*() const { return (Pointee*)p; } };\n"
      "static unsigned seed = 1;\n"
      "static double next() { seed = seed * 1664525u + 1013904223u; return (seed >> 16) % 1000; }\n"
      "int main() {\n";
  std::vector<std::string> arguments(kernel.program.argumentBytes.size());
  const auto fill = [&](ObjectId object) {
    const ArrayData& array = kernel.launch.arrays[object];
    const std::string& name = kernel.program.objects[object].name;
    text += fmt::format("  {0}* h_{1} = ({0}*)malloc({2} * sizeof({0}));\n  for (int i = 0; i < {2}; ++i) h_{1}[i] = ",
                        typeName(array.element), name, array.elementCount());
    text += isFloating(array.element) ? "next() / 100 - 3;\n" : "next() / 4;\n";
  };
  for (const Parameter& one : kernel.program.parameters) {
    std::string& argument = arguments.at(one.argument);
    if (one.object == kNone) {
      const auto at = static_cast<std::size_t>(&one - kernel.program.parameters.data());
      argument = literal(one.type, kernel.launch.arguments[at]);
      continue;
    }
    fill(one.object);
    const std::string& name = kernel.program.objects[one.object].name;
    const std::size_t bytes = kernel.launch.arrays[one.object].bytes.size();
    text += fmt::format(
        "  void* d_{0};\n  cudaMalloc(&d_{0}, {1});\n  cudaMemcpy(d_{0}, h_{0}, {1}, cudaMemcpyHostToDevice);\n", name,
        bytes);
    argument = fmt::format("Pointer{{d_{}}}", name);
  }
  for (ObjectId object = 0; object < kernel.program.objects.size(); ++object) {
    const MemoryObject& one = kernel.program.objects[object];
    if (!one.tensorMap) { continue; }
    text += encoded(kernel, object);
    arguments.at(one.argument) = one.name;
  }
  for (ObjectId object = 0; object < kernel.program.objects.size(); ++object) {
    const MemoryObject& one = kernel.program.objects[object];
    if (one.space != MemorySpace::Constant || one.tensorMap) { continue; }
    fill(object);
    text +=
        fmt::format("  cudaMemcpyToSymbol({0}, h_{0}, {1});\n", one.name, kernel.launch.arrays[object].bytes.size());
  }
  const LaunchConfiguration& launch = kernel.launch.configuration;
  const std::string& instance = kernel.file.instances.empty() ? kernel.program.kernel : kernel.file.instances.front();
  text += fmt::format("  {}<<<dim3{}, dim3{}, {}>>>({});\n", instance, haloscope::text(launch.grid),
                      haloscope::text(launch.block), launch.dynamicSharedBytes, fmt::join(arguments, ", "));
  const std::string& out = computes.output;
  text += fmt::format("  {0}* got = ({0}*)malloc({1});\n  cudaMemcpy(got, d_{2}, {1}, cudaMemcpyDeviceToHost);\n",
                      typeName(kernel.launch.arrays[kernel.program.findObject(out)].element),
                      kernel.launch.arrays[kernel.program.findObject(out)].bytes.size(), out);
  std::string weights;
  for (const std::string& name : computes.weightArrays()) { weights += fmt::format("h_{}, ", name); }
  return text + fmt::format("  expected(h_{}, {}h_{});\n  printf(\"%g %g\\n\", (double)got[0], (double)h_{}[0]);\n}}\n",
                            computes.input, weights, out, out);
}

/// "matches expected (line 40)", "wrong-result", or why there is none.
std::string verdictOf(const running::ProgramRun& run) {
  if (run.end != running::ProgramEnd::Exited || run.launches.empty()) {
    return "not executed: " + run.message + (run.problems.empty() ? "" : " " + run.problems.front().message);
  }
  std::string text;
  for (const running::ProgramLaunch& launch : run.launches) {
    if (!launch.problem.empty()) { text += launch.problem + " "; }
    for (const faults::Finding& one : launch.findings) { text += std::string(rowOf(one.kind).name) + " "; }
  }
  if (!text.empty()) {
    text.pop_back();
    return text;
  }
  const std::string& function = run.launches.front().ownFunction;
  return function.empty() ? "no fault" : "matches " + function;
}

running::ProgramRun executed(const KernelFile& file, const std::string& text) {
  running::RunOptions options;
  options.executable = HALOSCOPE_BINARY;
  options.compilerHeaders = fs::path(HALOSCOPE_BINARY).parent_path() / "assets" / "clang" / "include";
  options.comparesOwnFunctions = true;
  host::HostProgram program;
  program.files.push_back({"student.cu", text});
  for (const auto& [name, header] : file.headers) { program.files.push_back({name, header}); }
  return running::run(program, options);
}

void expectSameVerdict(const Described& kernel, const std::string& name) {
  const checking::CheckReport report = checking::check(kernel.file, kernel.bindings);
  EXPECT_EQ(report.evidence.matches(), true) << name;
  EXPECT_TRUE(report.findings.empty()) << name << ": " << report.findings.front().message;
  const std::string right = wholeProgram(kernel, hostFunction(kernel, false));
  const running::ProgramRun run = executed(kernel.file, right);
  const std::string same = verdictOf(run);
  EXPECT_TRUE(same.starts_with("matches expected")) << name << ": " << same;
  for (const running::ProgramLaunch& launch : run.launches) {
    for (const faults::Finding& one : launch.findings) { ADD_FAILURE() << one.message; }
  }
  const std::string wrong = wholeProgram(kernel, hostFunction(kernel, true));
  const std::string other = verdictOf(executed(kernel.file, wrong));
  EXPECT_EQ(other, "wrong-result") << name;
  testing::Test::RecordProperty(name, same + "; weights exchanged: " + other);
}

class CatalogueVerdict : public testing::TestWithParam<std::string> {};

TEST_P(CatalogueVerdict, IsTheSameByItsExecutedProgram) {
  ASSERT_TRUE(fs::exists(HALOSCOPE_BINARY)) << "build haloscope: it executes the host's half";
  const KernelFile* file = test::catalogue().find(GetParam());
  ASSERT_NE(file, nullptr);
  if (file->definition) { GTEST_SKIP() << "no weighted sum, of which the host code could be written here"; }
  if (!file->computes->points.empty()) { GTEST_SKIP() << "its rows are padded; the host code written here knows none"; }
  const std::optional<Described> kernel = described(*file);
  ASSERT_TRUE(kernel) << "its host code cannot be written";
  expectSameVerdict(*kernel, file->id);
}

std::string variantName(const testing::TestParamInfo<std::string>& id) {
  std::string name = id.param;
  std::ranges::replace_if(name, [](char one) { return !std::isalnum(static_cast<unsigned char>(one)); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, CatalogueVerdict, testing::ValuesIn(test::catalogueIds()), variantName);

std::vector<std::string> styleNames() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(HALOSCOPE_TEST_DIR) / "styles")) {
    if (entry.path().extension() == ".cu") { names.push_back(entry.path().stem().string()); }
  }
  std::ranges::sort(names);
  return names;
}

class StyleVerdict : public testing::TestWithParam<std::string> {};

/// Kernels whose sum is recognised, by a program that is written for them. Of the others nothing is known but that they
/// have no fault, with the launches of their own program; that one often leaves out what fills the arrays.
TEST_P(StyleVerdict, IsTheSameByItsExecutedProgram) {
  ASSERT_TRUE(fs::exists(HALOSCOPE_BINARY)) << "build haloscope: it executes the host's half";
  const opening::OpenedFile file = test::openExecuted(fs::path(HALOSCOPE_TEST_DIR) / "styles" / (GetParam() + ".cu"));
  ASSERT_FALSE(file.kernels.empty());
  for (const opening::ProposedKernel& one : file.kernels) {
    const std::optional<Described> kernel = one.file.computes ? described(one.file) : std::nullopt;
    if (kernel) {
      expectSameVerdict(*kernel, one.file.id);
      continue;
    }
    const checking::CheckReport report = checking::check(one.file, {});
    EXPECT_TRUE(report.findings.empty()) << one.file.id << ": " << report.findings.front().message;
    RecordProperty(one.file.id, one.file.computes ? "matches; its host code cannot be written" : "no fault");
  }
}

INSTANTIATE_TEST_SUITE_P(All, StyleVerdict, testing::ValuesIn(styleNames()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace haloscope
