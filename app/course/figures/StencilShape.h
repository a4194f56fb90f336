#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "recording/BlockView.h"

/// The points used by one output of a kernel, found by tracing outputs back to the loads.
namespace haloscope::figures {

/// One point of the shape.
struct ShapePoint {
  recording::GridPoint offset;  ///< from the computed point
  /// Its coefficient as text, "c[3]"; empty if there is none, it is too long, or the output is no weighted sum.
  std::string coefficient;
  double weight = 1;  ///< its value in the traced output
};

/// A point of another array read for an output, for example of the previous time step.
struct OtherPoint {
  std::string array;
  recording::GridPoint offset;
  std::string coefficient;
  double weight = 1;
};

enum class ShapeForm : std::uint8_t {
  Point,              ///< one
  Row,                ///< along one axis
  Star,               ///< along the axes, with or without the centre
  Box,                ///< all of a box
  BoxWithoutCorners,  ///< 1 grid point on each side, without the corners
  Diamond,            ///< limited number of steps along the axes
  Other,
};
[[nodiscard]] const char* name(ShapeForm form);

struct StencilShape {
  std::string reason;    ///< why the accesses form no stencil, a sentence; otherwise empty
  bool computed = true;  ///< false: at these sizes no point is computed, so the shape is unknown
  std::string input, output;
  std::vector<std::int64_t> extents;  ///< of the input, slowest axis first
  std::vector<ShapePoint> points;     ///< sorted by offset, slowest axis first
  std::vector<OtherPoint> others;
  /// Grid points on each side, slowest axis first and padded in front.
  std::array<int, 3> before{}, after{};
  ShapeForm form = ShapeForm::Other;
  std::string filter;        ///< array of the coefficients, in the order of the points; or empty
  bool window = false;       ///< that array has the shape of the box: a convolution filter
  bool sweep = false;        ///< the header says that the border keeps its value: a stencil, whatever its shape
  bool linear = true;        ///< the output is a weighted sum of the points; else weights are undefined
  bool weightsVary = false;  ///< another output has other coefficients
  bool updated = false;      ///< some points were read after another thread had written its result there
  bool complete = true;      ///< false: the grid is too small to exclude points further out

  std::vector<std::int64_t> traced;  ///< traced output elements, the one shown first
  std::size_t inside = 0;            ///< traced outputs with all points inside the array
  std::size_t fewerAtBorder = 0;     ///< of the others, those that use fewer or other points

  [[nodiscard]] std::size_t rank() const { return extents.size(); }
  /// The most grid points on one side; the radius of a filter.
  [[nodiscard]] int order() const;
  /// Number of points with coefficient 0 in the shown output; 0 if the output is no weighted sum.
  [[nodiscard]] std::size_t zeros() const;
  [[nodiscard]] bool isZero(const ShapePoint& point) const { return linear && point.weight == 0; }
  [[nodiscard]] const ShapePoint* at(const recording::GridPoint& offset) const;
};

/// Traces outputs of up to three blocks, including the middle one and the focused one. The experiment must have a
/// recording. Throws InputError or SourceError as the experiment did, and Cancelled when asked to stop.
[[nodiscard]] StencilShape stencilShape(const experiment::Experiment& experiment, const std::stop_token& stop = {});

/// "3D 7-point stencil, order 1: 1 grid point on each side".
[[nodiscard]] std::string title(const StencilShape& shape);
/// Further notes, one sentence each: its form, how it was found, what the picture omits.
[[nodiscard]] std::vector<std::string> notes(const StencilShape& shape);
/// "in[z][y][x - 1]": the input's point at this offset from the computed one.
[[nodiscard]] std::string pointName(const std::string& array, std::size_t rank, const recording::GridPoint& offset);

}  // namespace haloscope::figures
