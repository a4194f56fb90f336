#pragma once

#include <array>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "recording/BlockView.h"

/// The points that one output of a kernel is made of, found by following outputs back to what was loaded for them.
namespace haloscope::figures {

/// One point of the shape.
struct ShapePoint {
  recording::GridPoint offset;  ///< from the point that is computed
  /// What it is multiplied with, "c[3]"; empty: nothing, too much to write, or the output is no weighted sum.
  std::string coefficient;
  double weight = 1;  ///< its value in the output that was followed
};

/// A point of another array that is read for an output, a step in time before the input for example.
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
  BoxWithoutCorners,  ///< of a box with 1 grid point on each side, those that are beside the centre along 2 axes
  Diamond,            ///< so many steps along the axes at most
  Other,
};
[[nodiscard]] const char* name(ShapeForm form);

struct StencilShape {
  std::string reason;    ///< why the accesses form no stencil, a sentence; empty: they do
  bool computed = true;  ///< false: at these sizes no point is, so nothing is known of a stencil
  std::string input, output;
  std::vector<std::int64_t> extents;  ///< of the input, slowest axis first
  std::vector<ShapePoint> points;     ///< by offset, slowest axis first
  std::vector<OtherPoint> others;
  /// Grid points on each side, slowest axis first and padded in front.
  std::array<int, 3> before{}, after{};
  ShapeForm form = ShapeForm::Other;
  std::string filter;   ///< array whose elements are the coefficients, one each, in the order of the points; or empty
  bool window = false;  ///< that array has the shape of the box: a convolution filter
  bool linear = true;   ///< the output is a weighted sum of the points; else the weights mean nothing
  bool weightsVary = false;  ///< another output has other coefficients
  bool updated = false;      ///< some points were read after another thread had written its result there
  bool complete = true;      ///< false: the grid is too small to tell whether points beyond these belong to it

  std::vector<std::int64_t> traced;  ///< elements of the output that were followed, the one shown first
  std::size_t inside = 0;            ///< of these, with all points of the shape inside the array
  std::size_t fewerAtBorder = 0;     ///< of the others, those made of fewer points, or of other ones

  [[nodiscard]] std::size_t rank() const { return extents.size(); }
  /// The most grid points on one side; the radius of a filter.
  [[nodiscard]] int order() const;
  /// Points whose coefficient is 0 in the output that is shown; none where the output is no weighted sum.
  [[nodiscard]] std::size_t zeros() const;
  [[nodiscard]] bool isZero(const ShapePoint& point) const { return linear && point.weight == 0; }
  [[nodiscard]] const ShapePoint* at(const recording::GridPoint& offset) const;
};

/// Follows outputs of up to three blocks, the middle one and the focused one among them. The experiment has a
/// recording. Throws InputError or SourceError as the experiment did, and Cancelled when asked to stop.
[[nodiscard]] StencilShape stencilShape(const experiment::Experiment& experiment, const std::stop_token& stop = {});

/// "3D 7-point stencil, order 1: 1 grid point on each side".
[[nodiscard]] std::string title(const StencilShape& shape);
/// What else is to be said of it, a sentence each: its form, how it was found, what the picture leaves out.
[[nodiscard]] std::vector<std::string> notes(const StencilShape& shape);
/// "in[z][y][x - 1]": the input's point at this offset from the one that is computed.
[[nodiscard]] std::string pointName(const std::string& array, std::size_t rank, const recording::GridPoint& offset);

}  // namespace haloscope::figures
