#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "gpu/Arguments.h"
#include "gpu/Kernel.h"
#include "gpu/Memory.h"

namespace haloscope::gpu {

/// The arrays of a launch on the device, and the kernel's arguments that point to them.
class LaunchArrays {
 public:
  /// Copies every global array of `launch` to the device, except those of the objects in `elsewhere`, whose arguments
  /// are left 0, and sets the constants and variables of `kernel`. Throws Error, InputError.
  LaunchArrays(Kernel& kernel, const Program& program, const Launch& launch, const std::set<ObjectId>& elsewhere = {});

  /// As Kernel::launch takes them.
  [[nodiscard]] const Arguments& arguments() const { return arguments_; }
  /// Where a global array is; 0 if it is not one of these.
  [[nodiscard]] DeviceAddress address(ObjectId object) const;
  /// Bytes of all arrays here.
  [[nodiscard]] std::size_t bytes() const;
  /// Sets the arrays, and the variables of `kernel`, to what `launch` brings once more. Waits.
  void restore(Kernel& kernel, const Program& program, const Launch& launch);
  /// Copies the global arrays back into `launch`, and what `kernel` left in its variables. Waits.
  void download(const Kernel& kernel, const Program& program, Launch& launch) const;

 private:
  Arguments arguments_;
  std::map<ObjectId, std::unique_ptr<DeviceMemory>> memory_;
};

}  // namespace haloscope::gpu
