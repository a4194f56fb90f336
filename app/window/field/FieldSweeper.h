#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace haloscope::field {

/// Sweeps a field that is not drawn from the arrays it is swept in: with the emulator, or in another process. The
/// values are in host memory.
class FieldSweeper {
 public:
  FieldSweeper() = default;
  FieldSweeper(const FieldSweeper&) = delete;
  FieldSweeper& operator=(const FieldSweeper&) = delete;
  virtual ~FieldSweeper() = default;

  [[nodiscard]] virtual bool sweeping() const = 0;
  /// Begins that many sweeps, at most most(). Only while none is underway and there is no problem().
  virtual void begin(int sweeps) = 0;
  /// How many sweeps take about that many milliseconds.
  [[nodiscard]] virtual int most(double milliseconds) const = 0;
  /// Waits for the sweeps that are underway, after which finished() is true.
  virtual void wait() = 0;
  /// True, once, when the sweeps have finished: field() is their output. Never waits.
  virtual bool finished() = 0;
  /// The newest values of an array, by its place in FieldArrays::objects. Not while sweeping.
  [[nodiscard]] virtual std::span<const std::byte> values(std::size_t place) const = 0;
  /// Overwrites a part of them. Not while sweeping. False: it cannot.
  virtual bool write(std::size_t place, std::size_t offset, std::span<const std::byte> bytes) = 0;
  /// Why the last sweeps failed; empty if they did not.
  [[nodiscard]] virtual const std::string& problem() const = 0;
  /// Whether the last sweeps were executed as machine code of the CPU.
  [[nodiscard]] virtual bool byMachineCode() const { return false; }
  /// Milliseconds of the GPU for each of the last sweeps, newest last; empty: no GPU took part.
  [[nodiscard]] virtual std::vector<double> times() const = 0;
};

}  // namespace haloscope::field
