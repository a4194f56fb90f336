#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "program/Program.h"
#include "recording/BlockView.h"

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

/// Where the field on screen comes from.
enum class FieldPath : std::uint8_t {
  None,
  Interop,   ///< drawn from device memory through CUDA–OpenGL interop
  HostCopy,  ///< computed on the GPU, copied through the host (interop refused)
  Emulator,  ///< no GPU: swept by the emulator, uploaded
};

/// One sample of the live timings ring.
struct TimingSample {
  double milliseconds = 0;
};

/// One point of the field, under the pointer.
struct FieldProbe {
  recording::GridPoint point;
  double value = 0;
};

/// A 1D field as two curves. Points are gathered in columns, as many as the plot has pixels or, if they are fewer, one
/// a point: column c of n holds the points from c * points / n to (c + 1) * points / n.
struct FieldCurve {
  using Column = std::array<float, 2>;  ///< the lowest value and the highest; NaN where there is no finite one
  std::vector<Column> input;            ///< before the first sweep
  std::vector<Column> now;
};

/// The running field, as the field and timing panels see it. Filled by the App from field/.
struct FieldStatus {
  FieldPath path = FieldPath::None;
  bool machineCode = false;  ///< FieldPath::Emulator: the last sweeps were executed as machine code
  std::string pathReason;    ///< why not interop, when it is not
  std::string kernel;        ///< catalogue id of what sweeps it
  bool preparing = false;    ///< compiling, or making the initial field
  bool running = false;      ///< sweep after sweep
  std::uint64_t sweeps = 0;
  /// What was left to be solved after so many sweeps.
  struct Residual {
    std::uint64_t sweeps = 0;
    double value = 0;
    std::uint64_t points = 0;  ///< over which it was taken
  };
  bool paintable = false;           ///< not in a child process, nor on one axis
  bool painted = false;             ///< since its beginning: its sweeps alone do not make it again
  std::vector<Residual> residuals;  ///< oldest first; empty: the problem has none
  double sweepsPerSecond = 0;       ///< of the last second; 0: it is not swept on and on
  std::string noTimeStep;  ///< why each sweep begins with the same input; empty: with the output of the last one
  std::vector<std::int64_t> extents;   ///< slowest first
  ValueType element = ValueType::F32;  ///< what it is kept in; drawn in float
  std::uint32_t texture = 0;           ///< OpenGL texture with the drawn field, 0: none yet
  float low = 0, high = 1;             ///< colour range
  std::vector<TimingSample> ring;      ///< newest last
  double medianMs = 0, p10Ms = 0, p90Ms = 0;
  int clockMHz = 0;                 ///< of the multiprocessors while it sweeps; 0: unknown
  double powerWatts = 0;            ///< 0: unknown
  std::string disturbance;          ///< what disturbs the times; empty: nothing known
  double effectiveGBs = 0;          ///< sweepBytes / median
  double copyGBs = 0;               ///< this GPU's measured copy bandwidth; 0: not measured
  double fractionOfCopy = 0;        ///< effectiveGBs / copyGBs; 0: not measured
  double fieldBytes = 0;            ///< input and output together
  double sweepBytes = 0;            ///< see experiment::effectiveBytes()
  FieldCurve curve;                 ///< of a field of one axis; empty: it has more, or too many points
  std::optional<FieldProbe> probe;  ///< under FieldControls::pointer, in a plane
  std::string problem;              ///< the GPU could not compile or run it
  bool refused = false;  ///< the emulator found a fault in it, and it was not run on a GPU: the user may insist
};

}  // namespace haloscope
