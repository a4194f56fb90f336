#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "faults/FaultChecks.h"
#include "faults/Finding.h"
#include "frontend/Frontend.h"
#include "program/Launch.h"

namespace haloscope::test {

/// A kernel written in a test and a launch of it: every array has `elements` values, every scalar is `size`.
struct SmallLaunch {
  Program program;
  Launch launch;

  SmallLaunch(const std::string& text, Dim3 grid, Dim3 block, std::int64_t elements, std::uint64_t size = 0,
              const std::map<std::string, std::string>& defines = {})
      : program(frontend::compile("small.cu", text, {.defines = defines, .kernel = {}}).program) {
    launch.configuration.grid = grid;
    launch.configuration.block = block;
    launch.arguments.assign(program.parameters.size(), size);
    for (const MemoryObject& object : program.objects) {
      ArrayData array;
      array.element = object.element;
      const bool wanted = object.space == MemorySpace::Global || object.space == MemorySpace::Constant;
      if (wanted) {
        array.extents = object.extentsAtLaunch ? std::vector<std::int64_t>{elements} : object.extents;
        array.bytes.resize(static_cast<std::size_t>(array.elementCount() * sizeInMemory(array.element)));
      }
      launch.arrays.push_back(array);
    }
  }

  /// Faults, with the arrays of these names undefined when the launch begins.
  [[nodiscard]] std::vector<faults::Finding> faults(const std::vector<std::string>& undefined = {},
                                                    unsigned workers = 2) const {
    Launch copy = launch;
    faults::FaultOptions options;
    options.execute.workers = workers;
    for (const std::string& name : undefined) { options.undefined.push_back(program.findObject(name)); }
    return faults::findFaults(program, copy, options).findings;
  }
};

/// Of the output cells that a finding lists.
inline std::vector<std::int64_t> indices(const faults::Finding& finding) {
  std::vector<std::int64_t> all;
  for (const faults::OutputCell& cell : finding.outputs) { all.push_back(cell.index); }
  return all;
}

}  // namespace haloscope::test
