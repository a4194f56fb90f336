#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "hardware/Counters.h"
#include "measuring/SuiteRun.h"

namespace haloscope::measuring {

/// A variant as `haloscope bench` measured it on some GPU: in a file, or since Haloscope was started.
struct RecordedLimit {
  std::string kind{};     ///< the class, "7-point float 512³"; empty outside a suite
  std::string problem{};  ///< the same for classes that differ in their time steps alone: "N 512, float"
  std::string id{};       ///< of the variant
  std::string gpu{};      ///< "NVIDIA H200"
  std::map<std::string, std::string> bindings{};  ///< as text: N is "512", REAL is "float"
  std::string tileSource{};                       ///< "tuned", "default", "given"; empty: not recorded
  double fraction = 0;                    ///< of the best copy of the same run; with several steps a sweep above 1
  double copyGBs = 0;                     ///< 10^9 bytes/s of that copy; 0: not recorded
  double milliseconds = 0;                ///< median; 0: not recorded
  std::optional<int> registers{};         ///< per thread
  std::optional<double> occupancy{};      ///< 0…1
  std::optional<double> dramBytes{};      ///< of a point and time step, counted by the hardware
  std::vector<hardware::Stall> stalls{};  ///< as counted; empty: not recorded
  std::string text{};                     ///< of the variant, where it was measured here

  /// The tunables of `file`, as they were.
  [[nodiscard]] Bindings tunablesOf(const KernelFile& file) const;
};

/// Reads what `haloscope bench --json` prints: a list, or the document of a suite. Throws InputError naming the file,
/// the entry and the field when it cannot be read, or an entry lacks its id, GPU or fraction.
[[nodiscard]] std::vector<RecordedLimit> readRecordedLimits(const std::filesystem::path& file);
/// The rungs of a class that were timed and verified.
[[nodiscard]] std::vector<RecordedLimit> limitsOf(const SuiteClass& measured, const std::string& gpu);

/// The entry of a variant in the class `kind`, or in another class of the same problem. Null without any.
[[nodiscard]] const RecordedLimit* findRecorded(const std::vector<RecordedLimit>& recorded, const std::string& id,
                                                const std::string& kind);

}  // namespace haloscope::measuring
