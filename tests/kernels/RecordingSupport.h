#pragma once

#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "analysis/Recorder.h"
#include "catalogue/KernelFile.h"
#include "experiment/InputData.h"
#include "frontend/Frontend.h"
#include "recording/BlockView.h"
#include "recording/Cursor.h"

namespace haloscope::test {

/// A kernel compiled and ready to be recorded.
struct Prepared {
  std::shared_ptr<const Program> program;
  Launch launch;

  [[nodiscard]] std::shared_ptr<const recording::Recording> record(const Dim3& block) const {
    return analysis::record(program, launch, block);
  }
};

/// A kernel of the catalogue, on random data.
inline Prepared prepare(const std::string& id, const Bindings& chosen) {
  const std::string path = std::string(HALOSCOPE_SOURCE_DIR) + "/kernels/" + id + ".cu";
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const KernelFile file = KernelFile::parse(id, path, text);
  const Bindings bindings = file.bind(chosen);
  frontend::CompileOptions options;
  options.defines = file.defines(bindings);
  auto program = std::make_shared<const Program>(frontend::compile(path, text, options).program);
  Launch launch = experiment::makeLaunch(file, bindings, *program, experiment::InputKind::Random);
  return {std::move(program), std::move(launch)};
}

/// A kernel written in a test, `k(const float* in, float* out, int N)` on lines, squares or cubes of edge N.
inline Prepared prepareText(const std::string& text, const LaunchConfiguration& configuration, std::int64_t edge,
                            int axes) {
  Prepared prepared;
  prepared.program = std::make_shared<const Program>(frontend::compile("k.cu", text, {}).program);
  prepared.launch.configuration = configuration;
  prepared.launch.arguments = {0, 0, static_cast<std::uint64_t>(edge)};
  prepared.launch.arrays.resize(prepared.program->objects.size());
  for (const char* name : {"in", "out"}) {
    ArrayData array;
    array.extents.assign(static_cast<std::size_t>(axes), edge);
    array.bytes.resize(static_cast<std::size_t>(array.elementCount()) * 4);
    experiment::fillRandom(array, 1);
    prepared.launch.arrays[prepared.program->findObject(name)] = std::move(array);
  }
  return prepared;
}

/// A recording with precomputed views.
struct Recorded {
  explicit Recorded(std::shared_ptr<const recording::Recording> of)
      : recording(std::move(of)),
        cursor(recording),
        footprint(findFootprint(*recording)),
        carriers(findCarriers(*recording)) {}

  std::shared_ptr<const recording::Recording> recording;
  recording::Cursor cursor;
  recording::Footprint footprint;
  std::vector<recording::Carrier> carriers;

  [[nodiscard]] recording::BlockView view() const { return viewBlock(cursor, footprint, carriers); }
  [[nodiscard]] std::map<recording::Role, int> roles(std::size_t carrier) const {
    const recording::BlockView now = view();
    std::map<recording::Role, int> counts;
    for (const auto& cell : now.carriers[carrier].cells) { ++counts[cell.role]; }
    return counts;
  }
  /// The source line of the current step.
  [[nodiscard]] int line() const { return recording->program->statements[cursor.current()->statement].range.line; }
  /// Goes to the next step with this activity; false if there is none.
  bool goToActivity(recording::Activity activity) {
    while (cursor.position() < cursor.end()) {
      cursor.step(1);
      if (recording->activities[cursor.currentStep()] == activity) { return true; }
    }
    return false;
  }
  [[nodiscard]] std::vector<std::string> carrierNames() const {
    std::vector<std::string> names;
    for (const auto& carrier : carriers) { names.push_back(carrier.name); }
    return names;
  }
};

}  // namespace haloscope::test
