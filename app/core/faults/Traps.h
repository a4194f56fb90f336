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

/// Assertions that fail, and traps: the first, in the order of the blocks, ends the launch.
class Traps final : public simt::Observer {
 public:
  Traps(const Program& program, const Launch& launch) : program_(program), launch_(launch) {}

  [[nodiscard]] Wants wants() const override { return {}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<Traps>(program_, launch_); }
  void join(Observer& worker) override;
  void threadsTrap(const simt::WarpContext& context, std::uint32_t instruction) override;

  [[nodiscard]] std::optional<Finding> finding() const;

 private:
  struct Place {
    std::uint32_t instruction = 0;
    std::uint64_t block = 0;  ///< linear
    std::uint32_t interval = 0;
    std::uint64_t thread = 0;       ///< the first; linear in the block
    std::uint64_t occurrences = 0;  ///< threads of the warp
    std::string values;             ///< of the variables that the assertion names: "i is 7 and n is 5"
  };
  [[nodiscard]] std::string valuesIn(const simt::WarpContext& context, const Instruction& trap) const;

  const Program& program_;
  const Launch& launch_;
  std::optional<Place> first_;
};

/// What a program asserts holds for its own data; it need not for other data, on which these were found.
void eraseAssertions(std::vector<Finding>& findings);

}  // namespace haloscope::faults
