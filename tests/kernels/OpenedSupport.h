#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "experiment/Experiment.h"
#include "experiment/InputData.h"
#include "experiment/Reference.h"
#include "simt/Executor.h"

namespace haloscope::test {

/// An opened kernel after execution.
struct Ran {
  simt::ExecuteResult result;
  std::int64_t written = 0;  ///< elements that changed
  std::optional<experiment::ReferenceComparison> comparison;
};

/// At the proposed sizes, on random data.
inline Ran launched(const KernelFile& file) {
  const Bindings bindings = file.bind({});
  const Program program = experiment::compile(file, bindings);
  const Launch initial = experiment::makeLaunch(file, bindings, program, experiment::InputKind::Random);
  Launch launch = initial;
  Ran ran;
  ran.result = simt::execute(program, launch);
  for (std::size_t id = 0; id < launch.arrays.size(); ++id) {
    const auto size = static_cast<std::size_t>(sizeInMemory(launch.arrays[id].element));
    const auto& before = initial.arrays[id].bytes;
    const auto& after = launch.arrays[id].bytes;
    for (std::size_t at = 0; at + size <= after.size(); at += size) {
      const auto from = static_cast<std::ptrdiff_t>(at);
      const auto to = static_cast<std::ptrdiff_t>(at + size);
      ran.written += std::equal(after.begin() + from, after.begin() + to, before.begin() + from) ? 0 : 1;
    }
  }
  if (file.computes) {
    ran.comparison = experiment::compareWithReference(file, bindings, program, initial.arrays, launch.arrays);
  }
  return ran;
}

}  // namespace haloscope::test
