#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace haloscope {

/// The user's settings of the field.
struct FieldControls {
  bool run = false;
  bool hold = false;         ///< no sweep begins: something else is measured on the GPU
  bool singleSweep = false;  ///< consumed by the App
  bool reset = false;        ///< consumed by the App
  double perSecond = 0;      ///< sweeps that begin in a second, at most; 0: as many as there is time for
  std::uint64_t goal = 0;    ///< sweeps from the beginning that are made at any pace, whether it runs or not
  bool sameInput = false;    ///< each sweep begins with the same input, whatever the kernel computes
  /// What the field is: while it stays the same, other kernels and numbers go on with the values there are. Empty: by
  /// the kernel's data.
  std::string key;
  bool painting = false;                ///< the brush is held at the pointer; consumed by the App
  std::map<std::string, double> brush;  ///< the values that it leaves, by array; empty: there is no brush
  bool erasing = false;
  float brushRadius = 4;                      ///< points
  std::optional<std::array<float, 2>> range;  ///< of the colours; none: that of the values
  bool volume = false;                        ///< 3D: volume instead of slice
  int axis = 0;                               ///< slice axis: 0 slowest
  float slice = 0.5F;                         ///< 0…1 along the axis
  float yaw = 0.6F, pitch = 0.5F, distance = 2.2F;
  int width = 0, height = 0;                    ///< pixels of the panel's picture
  std::int64_t size = 0;                        ///< field size N for the GPU run; 0: as chosen
  std::string insistedOn;                       ///< kernel to run on the GPU although the emulator found a fault
  std::optional<std::array<float, 2>> pointer;  ///< pixel of the picture under the pointer, from its top left corner
  /// What surrounds the field in its picture, red in the lowest byte: from the theme.
  std::uint32_t background = 0xff261c15, frame = 0xffab9b8e, fault = 0xff005ed5;
};

}  // namespace haloscope
