#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "figures/OpPerByteCurve.h"
#include "figures/ReuseBounds.h"
#include "live/FigureWork.h"
#include "live/NewestTask.h"

namespace haloscope {

/// Fills the curve of the OP/B explorer, value by value, then the table of the catalogue's variants.
class OpPerByteFigureWork final : public FigureWork {
 public:
  OpPerByteFigureWork();
  void update(AppState& state) override;
  void settle(AppState& state) override;
  [[nodiscard]] bool busy() const override { return task_.busy(); }

 private:
  /// One thing to do: the curve's walls, one of its values, or one variant.
  struct Job {
    enum class Kind : std::uint8_t { Walls, Value, Variant };
    Kind kind = Kind::Walls;
    std::uint64_t curve = 0;  ///< its number: jobs of an older one are dropped
    std::size_t index = 0;
    std::shared_ptr<const KernelFile> file;
    std::shared_ptr<const figures::OpPerByteCurve> walls;  ///< of Kind::Walls: without walls yet
    figures::OpPerBytePoint point;
    std::string gpu, computeCapability;

    bool operator==(const Job& other) const {
      return kind == other.kind && curve == other.curve && index == other.index;
    }
  };
  struct Done {
    Job job;
    figures::OpPerByteCurve curve;
    figures::VariantReuse variant;
  };
  /// What a curve depends on.
  struct Asked {
    std::string kernel, text, tunable;
    Bindings others;  ///< all bindings but the tunable
    std::string gpu;
    bool operator==(const Asked&) const = default;
  };

  static Done work(const Job& job, const std::stop_token& stop);
  void plan(AppState& state);
  void receive(AppState& state, Done done);
  void requestNext(const AppState& state);

  NewestTask<Job, Done> task_;
  std::optional<Asked> asked_;
  std::uint64_t number_ = 0;                  ///< of the curve
  std::map<std::string, std::string> texts_;  ///< of the variants that were executed, by id
  bool walls_ = false;                        ///< they are found
};

}  // namespace haloscope
