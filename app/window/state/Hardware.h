#pragma once

#include <map>
#include <memory>
#include <string>

#include "catalogue/KernelFile.h"
#include "measuring/HardwareReading.h"

namespace haloscope {

/// What the GPU's hardware counted of the variants; filled by the App on request.
struct Hardware {
  bool wanted = false;    ///< consumed by the App
  std::string measuring;  ///< the variant that is being measured; empty: none
  std::map<std::string, std::shared_ptr<const measuring::HardwareReading>> readings;  ///< by variant
  std::map<std::string, std::string> problems;  ///< by variant: why it could not be measured, a sentence
  std::string missing;                          ///< why no variant can be: no GPU, no CUPTI, no permission

  /// The reading of this text with these tunables; null if there is none.
  [[nodiscard]] const measuring::HardwareReading* of(const KernelFile& file, const Bindings& bindings) const {
    const auto found = readings.find(file.id);
    return found != readings.end() && found->second->describes(file, bindings) ? found->second.get() : nullptr;
  }
};

}  // namespace haloscope
