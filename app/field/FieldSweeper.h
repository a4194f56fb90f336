#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace haloscope::field {

/// Sweeps a field elsewhere than in arrays that are drawn from: with the emulator, or in another process. The values
/// lie in the host's memory.
class FieldSweeper {
 public:
  FieldSweeper() = default;
  FieldSweeper(const FieldSweeper&) = delete;
  FieldSweeper& operator=(const FieldSweeper&) = delete;
  virtual ~FieldSweeper() = default;

  [[nodiscard]] virtual bool sweeping() const = 0;
  /// Begins so many sweeps, at most most(). Only while none is underway and there is no problem().
  virtual void begin(int sweeps) = 0;
  /// Sweeps that should be begun at once, so that they take about so many milliseconds.
  [[nodiscard]] virtual int most(double milliseconds) const = 0;
  /// Waits for the sweeps that are underway; finished() then tells.
  virtual void wait() = 0;
  /// True, once, when the sweeps have finished: field() is their output. Never waits.
  virtual bool finished() = 0;
  /// The newest field. Not while sweeping.
  [[nodiscard]] virtual std::span<const std::byte> field() const = 0;
  /// Why the last sweeps came to nothing; empty when they did not.
  [[nodiscard]] virtual const std::string& problem() const = 0;
  /// Milliseconds of the GPU for each of the last sweeps, newest last; empty: no GPU took part.
  [[nodiscard]] virtual std::vector<double> times() const = 0;
};

}  // namespace haloscope::field
