#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace haloscope::measuring {

/// A variant as `haloscope bench --json` measured it on some GPU.
struct RecordedLimit {
  std::string kind;                             ///< "7-point float"; empty outside a suite
  std::string id;                               ///< of the variant
  std::string gpu;                              ///< "NVIDIA H200"
  std::map<std::string, std::string> bindings;  ///< as text: N is "512", REAL is "float"
  double fraction = 0;                ///< of the best copy of the same run; with several steps a sweep above 1
  double copyGBs = 0;                 ///< 10^9 bytes/s of that copy; 0: not recorded
  double milliseconds = 0;            ///< median; 0: not recorded
  std::optional<int> registers{};     ///< per thread
  std::optional<double> occupancy{};  ///< 0…1
};

/// Reads what `haloscope bench --json` prints: a list, or the document of a suite. Throws InputError naming the file,
/// the entry and the field when it cannot be read, or an entry lacks its id, GPU or fraction.
[[nodiscard]] std::vector<RecordedLimit> readRecordedLimits(const std::filesystem::path& file);

/// The entry of a variant: of `kind` where it has one, else its first. Null without any.
[[nodiscard]] const RecordedLimit* findRecorded(const std::vector<RecordedLimit>& recorded, const std::string& id,
                                                const std::string& kind);

}  // namespace haloscope::measuring
