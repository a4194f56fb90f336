#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "program/Program.h"
#include "simt/Observer.h"

namespace haloscope::analysis {

/// Counts branches at which a warp divides: some of its lanes go one way, the others another. A statement that a warp
/// executes once divides it at most once, however many conditions are joined in it by && and ||.
class BranchDivergence final : public simt::Observer {
 public:
  explicit BranchDivergence(const Program& program);

  [[nodiscard]] Wants wants() const override { return {.statements = true, .instructions = true, .accesses = false}; }
  [[nodiscard]] bool follows(std::uint32_t instruction) const override;
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void statement(const simt::WarpContext& context, StatementId statement) override;
  void instruction(const simt::WarpContext& context, std::uint32_t instruction) override;

  /// Times that a warp divided, in all and per Program::statements.
  [[nodiscard]] std::uint64_t total() const;
  [[nodiscard]] const std::vector<std::uint64_t>& statements() const { return statements_; }

 private:
  struct At {
    StatementId statement = kNone;  ///< that the warp executes
    bool divided = false;           ///< by it
  };
  At& at(const simt::WarpContext& context);

  const Program& program_;
  std::vector<std::uint64_t> statements_;
  std::vector<At> warps_;  ///< of the block that runs
};

}  // namespace haloscope::analysis
