#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "program/Program.h"

namespace haloscope {

/// One problem of a suite, which the rungs of a climb solve, and how close to the machine's limit they should come.
struct LimitClass {
  /// What a variant's rate is divided by.
  enum class Measure : std::uint8_t {
    Copy,          ///< the fastest copy: effective bytes, each point read and written once a time step
    MultiplyAdds,  ///< the fused multiply-adds per second of a kernel that does nothing else
  };
  std::string name;    ///< "7-point float 512³"
  std::string climb;   ///< name of the climb
  Bindings problem{};  ///< sizes, and tunables that belong to the problem: FILTER_RADIUS
  ValueType precision = ValueType::F32;
  std::int64_t steps = 1;  ///< time steps of a launch
  Measure measure = Measure::Copy;
  double reach = 0, aim = 0;  ///< fractions of the measure
  std::string peer{};         ///< a program of assets/peers that solves the same; empty: none
};

/// Classes that are measured in one run: a file of assets/suites.
struct LimitSuite {
  std::string name;  ///< "limit"
  std::vector<LimitClass> classes;

  /// Throws SourceError with the place in the file.
  static LimitSuite read(const std::filesystem::path& file);
  /// The suite of this name in `folder`, or in the file of this path. Throws InputError, which names those that exist.
  static LimitSuite named(const std::string& name, const std::filesystem::path& folder);
};

}  // namespace haloscope
