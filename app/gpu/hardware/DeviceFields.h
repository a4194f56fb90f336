#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "driver/Kernel.h"
#include "driver/Memory.h"
#include "program/Program.h"

namespace haloscope::hardware {

/// Fields that are too large for the host to fill or compare them: this is done on the device.
class DeviceFields {
 public:
  explicit DeviceFields(std::shared_ptr<const gpu::Device> device);

  /// Queues filling with numbers in [-1, 1) that depend on the index alone; what is not floating-point, with zeros.
  void fill(const gpu::DeviceMemory& memory, ValueType element, const gpu::Stream& stream);
  /// What fill() leaves at this index of a floating-point array.
  [[nodiscard]] static double filledValue(std::uint64_t index, ValueType element);
  /// The values of a floating-point array at some indices, after all that is queued on the stream. Waits.
  [[nodiscard]] std::vector<double> pick(const gpu::DeviceMemory& memory, ValueType element,
                                         const std::vector<std::uint64_t>& indices, const gpu::Stream& stream);

  struct Difference {
    double largest = 0;        ///< of |one - other|; NaN where one of them is
    std::uint64_t beyond = 0;  ///< elements that are further apart than the tolerance, or NaN
  };
  /// Compares floating-point arrays of the same size, after all that is queued on the stream. Waits.
  [[nodiscard]] Difference compare(const gpu::DeviceMemory& one, const gpu::DeviceMemory& other, ValueType element,
                                   double tolerance, const gpu::Stream& stream);

 private:
  struct Kernels {
    std::unique_ptr<gpu::Kernel> fill, compare, pick;
  };
  Kernels& kernelsFor(ValueType element);

  std::shared_ptr<const gpu::Device> device_;
  std::map<ValueType, Kernels> kernels_;
};

}  // namespace haloscope::hardware
