#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "program/Catalogue.h"
#include "program/KernelFile.h"
#include "program/Program.h"

namespace haloscope::figures {

/// What a finite-difference kernel made of samples.
struct Slopes {
  std::int64_t first = 0;      ///< index of the first grid point that has one
  std::vector<double> values;  ///< of it and those after it; the points before and after keep their value
};

/// A kernel of the catalogue whose header says how it is a first derivative, compiled in one type: its derivatives are
/// those that the emulator executes.
class DerivativeKernel {
 public:
  /// Throws SourceError where the text cannot be lowered, InputError where it has no first_derivative or no such type.
  DerivativeKernel(KernelFile file, ValueType type);

  [[nodiscard]] const KernelFile& file() const { return file_; }
  [[nodiscard]] ValueType type() const { return type_; }
  [[nodiscard]] int points() const { return static_cast<int>(file_.firstDerivative->coefficients.size()); }
  [[nodiscard]] int order() const { return file_.firstDerivative->order; }
  /// The largest number of grid points that the header allows.
  [[nodiscard]] std::int64_t largestGrid() const;
  /// What rounding can add to a derivative of values up to 1, by the tolerance that `verify` has for this type.
  [[nodiscard]] double roundingBound(double spacing) const;

  /// Executes the kernel on `samples`, which are rounded to its type, as are the coefficients over the spacing. Throws
  /// experiment::Cancelled when asked to stop, experiment::FaultError for a faulty kernel.
  [[nodiscard]] Slopes slopes(const std::vector<double>& samples, double spacing, const std::stop_token& stop) const;

 private:
  KernelFile file_;
  ValueType type_;
  Bindings bindings_;
  std::string size_;  ///< name of the only size
  std::shared_ptr<const Program> program_;
};

/// The files of a catalogue that are a first derivative in one dimension, in several types; by their points.
[[nodiscard]] std::vector<const KernelFile*> derivativeFiles(const Catalogue& catalogue);

}  // namespace haloscope::figures
