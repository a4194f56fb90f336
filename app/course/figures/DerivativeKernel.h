#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "catalogue/KernelFile.h"
#include "program/Program.h"

namespace haloscope::figures {

/// The derivative that a finite-difference kernel computed from samples.
struct Slopes {
  std::int64_t first = 0;      ///< index of the first grid point with a derivative
  std::vector<double> values;  ///< from that point on; the points before and after keep their value
};

/// A catalogue kernel whose header declares it a first derivative, compiled in one type. Derivatives are computed by
/// executing it on the emulator.
class DerivativeKernel {
 public:
  /// Throws SourceError if the source cannot be lowered, InputError if it has no first_derivative or no such type.
  DerivativeKernel(KernelFile file, ValueType type);

  [[nodiscard]] const KernelFile& file() const { return file_; }
  [[nodiscard]] ValueType type() const { return type_; }
  [[nodiscard]] int points() const { return static_cast<int>(file_.firstDerivative->coefficients.size()); }
  [[nodiscard]] int order() const { return file_.firstDerivative->order; }
  /// The largest number of grid points that the header allows.
  [[nodiscard]] std::int64_t largestGrid() const;
  /// What rounding can contribute to a derivative of values up to 1, by the tolerance of `verify` for this type.
  [[nodiscard]] double roundingBound(double spacing) const;

  /// Executes the kernel on `samples`; these and the coefficients divided by the spacing are rounded to its type.
  /// Throws experiment::Cancelled when asked to stop, experiment::FaultError for a faulty kernel.
  [[nodiscard]] Slopes slopes(const std::vector<double>& samples, double spacing, const std::stop_token& stop) const;

 private:
  KernelFile file_;
  ValueType type_;
  Bindings bindings_;
  std::string size_;  ///< name of the only size
  std::shared_ptr<const Program> program_;
};

/// The catalogue's first derivatives in one dimension that offer several types, by number of points.
[[nodiscard]] std::vector<const KernelFile*> derivativeFiles(const Catalogue& catalogue);

}  // namespace haloscope::figures
