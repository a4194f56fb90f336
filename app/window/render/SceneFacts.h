#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recording/BlockTally.h"
#include "recording/BlockView.h"
#include "recording/CarrierPlanes.h"
#include "recording/GridShape.h"
#include "recording/PlaneSlots.h"
#include "recording/Recording.h"
#include "render/ScenePalette.h"

/// What the scene needs to know about a whole recording, found once, so that its colours and places do not jump
/// between steps. Derived from the recording alone.
namespace haloscope::render {

using recording::RotationPlace;

struct CarrierFacts : recording::CarrierPlane {
  std::vector<std::optional<recording::GridPoint>> firstPlaces;  ///< per cell: the input point it held first
  recording::GridShape shape;
  recording::PlaneSlots slots;                      ///< the planes that it keeps
  std::optional<recording::GridPoint> firstOffset;  ///< grid point of its cell 0 when it was first filled
};

/// The output point that a thread computes first, and the input point that it loads first.
struct ThreadHome {
  std::optional<recording::GridPoint> output, input;
  struct Write {
    std::size_t step = 0;
    std::int64_t plane = 0;  ///< z of the output
  };
  std::vector<Write> writes;  ///< of outputs in further planes, too, by step
};

struct SceneFacts {
  std::vector<CarrierFacts> carriers;
  std::vector<ThreadHome> homes;     ///< one per thread
  std::vector<std::int64_t> unused;  ///< sorted input elements that were loaded, but that no arithmetic reads
  std::vector<std::int64_t> direct;  ///< sorted input elements that arithmetic reads from global memory itself
  std::vector<char> arithmetic;      ///< one per statement: has floating-point operations
  std::vector<VariableId> sums;  ///< variables that arithmetic adds to, or otherwise makes anew of themselves; sorted
  /// Points outside the input around outputs of the block, where inner threads read a point and these threads do not;
  /// of a kernel that reads global memory directly.
  std::vector<recording::GridPoint> ghosts;
  recording::BlockTally tally;
  double low = 0, high = 1;  ///< range of the input's values
  std::string axis = "z";    ///< name of the slowest coordinate: the plane loop's variable if it counts that
  bool rotates = false;

  [[nodiscard]] bool isUnused(std::int64_t element) const;
  [[nodiscard]] bool isDirect(std::int64_t element) const;
  [[nodiscard]] float shade(ValueType type, std::uint64_t bits) const;  ///< 0…1 within the range
};

[[nodiscard]] SceneFacts findSceneFacts(const std::shared_ptr<const recording::Recording>& recording,
                                        const recording::Footprint& footprint,
                                        const std::vector<recording::Carrier>& carriers);

/// The input point around which an output element is computed.
[[nodiscard]] recording::GridPoint outputPoint(const recording::Footprint& footprint, std::int64_t element);

/// The colour of a role; of an interior point in a carrier that rotates, that of its plane.
[[nodiscard]] SceneColour colourOf(recording::Role role, RotationPlace place);

/// One element that one thread accessed in a step.
struct ThreadAccess {
  ObjectId object = kNone;
  MemorySpace space = MemorySpace::Global;
  bool store = false;
  std::int64_t element = 0;
};
[[nodiscard]] std::vector<ThreadAccess> accessesOf(const recording::Recording& recording, std::size_t step,
                                                   std::uint32_t thread);

/// Whether a statement reads a variable.
[[nodiscard]] bool readsVariable(const Program& program, StatementId statement, VariableId variable);

}  // namespace haloscope::render
