#pragma once

namespace haloscope {

/// The user's progress with a task of the bug lab.
struct LabProgress {
  bool hint = false;      ///< has seen it
  bool revealed = false;  ///< has seen the findings
  bool solved = false;    ///< has mended the kernel
  bool operator==(const LabProgress&) const = default;
};

}  // namespace haloscope
