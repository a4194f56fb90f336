#pragma once

#include <map>
#include <memory>
#include <string>

#include "driver/Kernel.h"

namespace haloscope::gpu {

/// The text of one of Haloscope's own kernels: copies, fills, measurements of peak rates. It needs no clearance by the
/// gate, because only a constant of the program can be one, never a text that was read or typed.
class OwnText {
 public:
  explicit consteval OwnText(const char* text) : text_(text) {}

  /// `file` names the text in messages. Throws as Kernel's constructor.
  [[nodiscard]] std::unique_ptr<Kernel> compile(std::shared_ptr<const Device> device, const std::string& file,
                                                const std::string& kernel,
                                                std::map<std::string, std::string> defines = {}) const;

 private:
  const char* text_;
};

}  // namespace haloscope::gpu
