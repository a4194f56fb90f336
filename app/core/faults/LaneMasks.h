#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "faults/Finding.h"
#include "program/Launch.h"
#include "simt/Observer.h"

namespace haloscope::faults {

/// Shuffles, votes and __syncwarp() whose mask names lanes that do not arrive, or not the calling lane itself. A mask
/// may name lanes that have left the kernel: "all non-exited threads named in mask must execute the same intrinsic with
/// the same mask, or the result is undefined" (CUDA C++ Programming Guide, "Warp Shuffle Functions"). Where in the text
/// they do so makes no difference: a lane has arrived if, before the block ends, it makes as many calls with this mask.
class LaneMasks final : public simt::Observer {
 public:
  LaneMasks(const Program& program, const Launch& launch) : program_(program), launch_(launch) {}

  /// Whether a program has such calls.
  [[nodiscard]] static bool matters(const Program& program);

  [[nodiscard]] Wants wants() const override { return {.instructions = true}; }
  [[nodiscard]] bool follows(std::uint32_t instruction) const override;
  [[nodiscard]] std::unique_ptr<Observer> fork() const override {
    return std::make_unique<LaneMasks>(program_, launch_);
  }
  void join(Observer& worker) override;
  void blockBegins(const Dim3& block, std::uint64_t blockLinear) override;
  void blockEnds(const Dim3& block, std::uint64_t blockLinear) override;
  void instruction(const simt::WarpContext& context, std::uint32_t instruction) override;

  /// One for each place, in the order of the text.
  [[nodiscard]] std::vector<Finding> findings() const;

 private:
  /// Calls that meet: of one warp, with one mask, of one function.
  using Meeting = std::tuple<std::uint32_t, LaneMask, Opcode, std::uint32_t>;
  using Counts = std::array<std::uint32_t, kWarpSize>;
  /// A call at which lanes were missing.
  struct Missed {
    Counts needed{};          ///< per missing lane, the calls it must have made in the end
    std::uint32_t waits = 0;  ///< thread that called
    std::uint32_t interval = 0;
  };
  /// The first of the faults at a place.
  struct Fault {
    std::uint64_t occurrences = 0;
    std::uint64_t block = 0;
    std::uint32_t interval = 0;
    std::uint32_t calls = 0;   ///< thread, linear in the block
    std::uint32_t absent = 0;  ///< the same one: its mask does not name it
    LaneMask mask = 0;
  };

  void note(std::uint32_t instruction, const Fault& fault);
  [[nodiscard]] Finding findingOf(std::uint32_t instruction, const Fault& fault) const;

  const Program& program_;
  const Launch& launch_;
  std::map<std::uint32_t, Fault> faults_;  ///< by instruction
  // Of the current block.
  std::map<Meeting, Counts> calls_;
  std::map<std::pair<Meeting, std::uint32_t>, Missed> missed_;  ///< with the instruction
};

}  // namespace haloscope::faults
