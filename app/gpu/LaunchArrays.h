#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "gpu/Arguments.h"
#include "gpu/Kernel.h"
#include "gpu/Memory.h"

namespace haloscope::gpu {

/// The arrays of a launch on the device, and the kernel's arguments that point to them.
class LaunchArrays {
 public:
  /// Copies every global array of `launch` to the device, except those of the objects in `elsewhere`, whose arguments
  /// are left 0, and sets the constant and device variables of `kernel`. The kernel must outlive this. Throws
  /// Error, InputError.
  LaunchArrays(Kernel& kernel, const Program& program, const Launch& launch, const std::set<ObjectId>& elsewhere = {});

  /// As Kernel::launch takes them.
  [[nodiscard]] const Arguments& arguments() const { return arguments_; }
  /// Bytes of all arrays here.
  [[nodiscard]] std::size_t bytes() const;
  /// Copies the global arrays back into `launch`. Waits.
  void download(Launch& launch) const;

 private:
  const Kernel& kernel_;
  Arguments arguments_;
  std::map<ObjectId, std::unique_ptr<DeviceMemory>> memory_;
  std::map<ObjectId, std::string> variables_;  ///< of the device, which the kernel may have written
};

}  // namespace haloscope::gpu
