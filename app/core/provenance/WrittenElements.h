#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "program/Launch.h"
#include "provenance/Granules.h"
#include "provenance/PagedArray.h"
#include "provenance/UndefinedArray.h"
#include "simt/Observer.h"

namespace haloscope::provenance {

/// Which elements a block has written so far: of its shared arrays, of its threads' own arrays, and of those global
/// arrays that held nothing, in whole or in part, when the launch began. What other blocks write does not count: they
/// may run later. It does in a program that orders blocks.
class WrittenElements {
 public:
  WrittenElements(const Program& program, const Launch& launch, const std::vector<UndefinedArray>& undefinedGlobals);

  /// Whether the object can have uninitialised elements.
  [[nodiscard]] bool follows(ObjectId object) const { return objects_[object].followed; }
  /// Whether accesses of this instruction matter: those to objects that are followed and somewhere read.
  [[nodiscard]] bool concerns(std::uint32_t instruction) const { return concerns_[instruction]; }

  void beginBlock(std::uint64_t blockLinear);
  /// Lets another block of the launch know what this one writes, if the program orders blocks: all on one thread.
  void shareWith(WrittenElements& other) const;
  void wrote(const simt::WarpContext& context, const simt::MemoryAccess& access);
  /// Lanes of the access whose element no thread of the block has written.
  [[nodiscard]] LaneMask unwritten(const simt::WarpContext& context, const simt::MemoryAccess& access) const;

 private:
  struct OfObject {
    bool followed = false;
    MemorySpace space = MemorySpace::Shared;
    std::size_t count = 0;              ///< granules, of one thread's copy
    std::vector<std::uint8_t> written;  ///< per granule; of a Local object per thread and granule
    std::size_t missing = 0;            ///< granules that are not written yet
    /// Of a global array: the last block that wrote it, from 1.
    std::shared_ptr<PagedArray<std::uint64_t>> blocks;
    const UndefinedArray* undefined = nullptr;  ///< of a global array
  };

  Granules granules_;
  std::vector<UndefinedArray> undefinedGlobals_;
  std::vector<OfObject> objects_;
  std::vector<bool> concerns_;
  std::uint64_t block_ = 0;
  bool ordered_;
};

}  // namespace haloscope::provenance
