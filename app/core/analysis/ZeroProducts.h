#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "program/Program.h"
#include "simt/Observer.h"

namespace haloscope::analysis {

/// Multiplications of floating values, by threads, and how many of them could have been left out.
struct Products {
  std::uint64_t all = 0;           ///< a fused multiply-add is one
  std::uint64_t byZero = 0;        ///< one factor was zero
  std::uint64_t loadsForZero = 0;  ///< of these: the other factor had just been loaded from global memory

  bool operator==(const Products&) const = default;
};

/// Counts multiplications by zero: what a filter with zeros in it computes, and loads, in vain.
class ZeroProducts final : public simt::Observer {
 public:
  explicit ZeroProducts(const Program& program);

  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = true, .accesses = false}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void instruction(const simt::WarpContext& context, std::uint32_t instruction) override;

  [[nodiscard]] const Products& products() const { return products_; }

 private:
  /// What is known of a multiplication before it runs.
  struct Multiplication {
    bool watched = false;
    bool loadsA = false, loadsB = false;  ///< the factor comes straight from a load from global memory
  };

  const Program* program_;
  std::vector<Multiplication> multiplications_;  ///< per instruction
  Products products_;
};

}  // namespace haloscope::analysis
