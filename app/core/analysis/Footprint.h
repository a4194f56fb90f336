#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "program/Program.h"
#include "simt/Observer.h"

namespace haloscope::analysis {

/// Which elements of the global arrays the blocks of an execution load and store. For a single block, the usual
/// question, execute that one only (ExecuteOptions::onlyBlocks).
class FootprintObserver final : public simt::Observer {
 public:
  explicit FootprintObserver(const Program& program);

  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = false, .accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override;
  void join(Observer& worker) override;
  void blockEnds(const Dim3& block, std::uint64_t blockLinear) override;
  void access(const simt::WarpContext& context, const simt::MemoryAccess& access) override;

  /// The distinct elements touched: linear indices, ascending. Empty for arrays that are not global.
  [[nodiscard]] const std::vector<std::int64_t>& loaded(ObjectId object) const { return objects_.at(object).loaded; }
  [[nodiscard]] const std::vector<std::int64_t>& stored(ObjectId object) const { return objects_.at(object).stored; }

  /// The share of halo cells in what was loaded of `input`: grid points that are needed here and computed elsewhere,
  /// 1 − |loaded ∩ stored| / |loaded|. Both arrays have one shape, so that a grid point has one linear index in both.
  /// 0 if nothing was loaded, or an array is kNone.
  [[nodiscard]] double haloFraction(ObjectId input, ObjectId output) const;

 private:
  struct Elements {
    std::vector<std::int64_t> loaded;
    std::vector<std::int64_t> stored;
    std::size_t tidied = 0;  ///< size after the last tidy()

    void tidy();  ///< sorts, drops repeats
  };
  std::vector<Elements> objects_;  ///< per Program::objects
};

}  // namespace haloscope::analysis
