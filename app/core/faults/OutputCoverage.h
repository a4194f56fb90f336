#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Which elements of an output array the launch wrote, and which it should have and did not.
class OutputCoverage final : public simt::Observer {
 public:
  /// `expected` has one entry an element: whether the launch ought to write it. Empty: all of them.
  OutputCoverage(const Program& program, const Launch& launch, ObjectId output, std::vector<bool> expected = {});

  [[nodiscard]] Wants wants() const override { return {.accesses = true}; }
  [[nodiscard]] bool listensTo(std::uint32_t instruction) const override;
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;

  /// Expected elements that no thread wrote, ascending.
  [[nodiscard]] std::vector<std::int64_t> unwritten() const;
  /// Nothing when every expected element was written.
  [[nodiscard]] std::optional<Finding> finding() const;

 private:
  static constexpr std::size_t kWordBits = 64;

  [[nodiscard]] bool isExpected(std::int64_t index) const;
  /// "the last row", "rows 5 to 7": where the unwritten elements are all that is expected of a box of the grid.
  [[nodiscard]] std::optional<std::string> pattern(const std::vector<std::int64_t>& unwritten) const;

  const Program& program_;
  const Launch& launch_;
  ObjectId output_;
  std::vector<bool> expected_;
  std::vector<std::uint64_t> written_;  ///< one bit an element
};

}  // namespace haloscope::faults
