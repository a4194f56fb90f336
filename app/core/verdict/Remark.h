#pragma once

#include <cstdint>
#include <string>

#include "verdict/Verdict.h"

namespace haloscope::verdict {

/// What follows from something that is said of a whole program.
enum class Weight : std::uint8_t {
  Fault,    ///< it is wrong
  Refusal,  ///< what Haloscope, or who called it, has not given the program: no fault of it
  Note,     ///< merely untidy, or worth knowing
};

/// Something that is said of a whole program, or of a file, and not of one kernel.
struct Remark {
  Weight weight = Weight::Note;
  std::string kind{};       ///< stable word for scripts: "copy-size"; may be empty
  bool isFinding = false;   ///< users know its kind, which is printed
  std::string title{};      ///< in the interface's language: "wrong size of a copy"
  Place place{};            ///< its file is relative to the program's folder, or a path
  std::string message{};    ///< one sentence, or a few
  std::uint64_t times = 1;  ///< that it happened
};

/// "heat.cu:12: copy-size: Copies …". The kind only of a finding.
[[nodiscard]] std::string textOf(const Remark& remark);

}  // namespace haloscope::verdict
