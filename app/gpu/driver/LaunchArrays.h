#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "driver/Kernel.h"
#include "driver/Memory.h"
#include "program/TensorMap.h"

namespace haloscope::gpu {

/// The arrays of a launch on the device, and the kernel arguments that point to them.
class LaunchArrays {
 public:
  /// Copies every global array of `launch` to the device, except those of the objects in `elsewhere`, whose arguments
  /// are left 0 (see argumentsWith()), and sets the constants and variables of `kernel`. Pointers of the launch into
  /// these arrays, also those in tables, become addresses of the device. Throws Error, InputError.
  LaunchArrays(Kernel& kernel, const Program& program, const Launch& launch, const std::set<ObjectId>& elsewhere = {});

  /// For Kernel::launch.
  [[nodiscard]] const Arguments& arguments() const { return arguments_; }
  /// The same with addresses for arrays that are elsewhere.
  [[nodiscard]] Arguments argumentsWith(const Program& program,
                                        const std::map<ObjectId, DeviceAddress>& elsewhere) const;
  /// The address of a global array, and so many bytes on; 0 if it is not one of these.
  [[nodiscard]] DeviceAddress address(ObjectId object, std::int64_t offset = 0) const;
  /// Total bytes of these arrays.
  [[nodiscard]] std::size_t bytes() const;
  /// Resets the arrays, and the variables of `kernel`, to the values in `launch`. Waits.
  void restore(Kernel& kernel, const Program& program, const Launch& launch);
  /// Copies the global arrays and the variables of `kernel` back into `launch`. Waits.
  void download(const Kernel& kernel, const Program& program, Launch& launch) const;

 private:
  /// An array's bytes; where it holds pointers, the emulator's (see PackedPointer) as addresses of the device, and
  /// back.
  [[nodiscard]] std::vector<std::byte> forDevice(const ArrayData& array) const;
  [[nodiscard]] std::vector<std::byte> fromDevice(const ArrayData& array) const;

  /// A parameter that describes an array to tensor copies, as the driver encodes it; zeros if it describes none.
  [[nodiscard]] std::vector<std::byte> encoded(const TensorMap& map, DeviceAddress array) const;
  void setMaps(const Program& program, Arguments& arguments, const std::map<ObjectId, DeviceAddress>& elsewhere) const;

  std::shared_ptr<const Device> device_;
  std::map<ObjectId, TensorMap> maps_;  ///< by the parameter's object
  Arguments arguments_;
  std::map<ObjectId, std::unique_ptr<DeviceMemory>> memory_;
};

}  // namespace haloscope::gpu
