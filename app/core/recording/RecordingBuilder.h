#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "program/Launch.h"
#include "program/Program.h"
#include "recording/BlockState.h"
#include "recording/Recording.h"

namespace haloscope::recording {

/// Makes a Recording from what a block did, reported step by step by the emulator or an instrumented GPU run. It keeps
/// track of the block's state, so that the caller need not know what a value was before.
class RecordingBuilder {
 public:
  /// A value written: a Change without its past.
  struct Write {
    Change::Kind kind = Change::Kind::Shared;
    std::uint32_t id = kNone;
    std::int64_t index = 0;
    std::uint64_t bits = 0;
    Origin origin;
    std::uint32_t thread = 0;
    Change::CopiedFrom copiedFrom = Change::CopiedFrom::None;
    std::uint32_t copiedId = kNone;
  };

  /// `launch` must outlive the builder, with its global arrays as they were before the first step. Throws InputError
  /// where the block has too many values at once.
  RecordingBuilder(std::shared_ptr<const Program> program, const Launch& launch, const Dim3& block,
                   Recording::Source source);

  /// `interval`: barriers the block has passed before this step.
  void beginStep(StatementId statement, std::uint32_t interval);
  [[nodiscard]] bool inStep() const { return inStep_; }
  /// Adds lanes to the current step's state of a warp.
  void addLanes(std::uint32_t warp, const WarpState& lanes);
  void write(const Write& write);
  /// A write to memory with an instruction of a type: `index` as the instruction counts it, `kind` is filled in. A type
  /// narrower than the array's elements writes to part of one.
  void store(Write write, ValueType type);
  /// The number of the element that an access of a type is to, `index` as its instruction counts it: those of a
  /// narrower type are to part of an element. (Wider ones keep their own numbers: bytes used as floats are floats.)
  [[nodiscard]] std::int64_t elementOf(ObjectId object, ValueType type, std::int64_t index) const;
  /// Where the value comes from that a thread loads with such an access. Not known of part of an element.
  [[nodiscard]] Origin originOf(ObjectId object, ValueType type, std::int64_t index, std::uint32_t thread) const;
  /// `group.first` is filled in. `indices` and `values` are those of all 32 lanes; the ones in group.lanes count.
  void access(const AccessGroup& group, const std::array<std::int64_t, kWarpSize>& indices,
              const std::array<std::uint64_t, kWarpSize>& values);
  /// The same, of the lanes in group.lanes alone, ascending.
  void access(const AccessGroup& group, std::span<const std::int64_t> indices, std::span<const std::uint64_t> values);
  /// A copy to shared memory is issued in this step, with an instruction of a type; returns its number.
  std::size_t issue(ObjectId object, ValueType type, std::int64_t index, std::uint32_t thread);
  /// It arrives in this step; later, the element that has the barrier at which it did.
  void arrive(std::size_t number);
  void setBarrier(std::size_t number, ObjectId barrier, std::int64_t index);
  /// The step computes in floating point.
  void noteArithmetic() { arithmetic_ = true; }
  void clusterAccess(ClusterAccess access);
  void endStep();

  /// About as many accesses, each lane's counted, and writes will come.
  void reserve(std::size_t accesses, std::size_t writes);

  [[nodiscard]] const BlockState& state() const { return state_; }
  /// Bytes used so far, but for what does not grow.
  [[nodiscard]] std::size_t byteCount() const;

  /// Ends the recording. A message or `truncated` says that the block did not reach its end.
  [[nodiscard]] std::shared_ptr<const Recording> finish(bool truncated, std::string message);

 private:
  [[nodiscard]] Activity activity(const Step& step) const;
  [[nodiscard]] bool isPart(ObjectId object, ValueType type) const;
  /// As Change::index.
  [[nodiscard]] std::int64_t cellOf(ObjectId object, std::int64_t element, std::uint32_t thread) const;
  /// What a global element held before the block wrote it, from the launch.
  [[nodiscard]] std::uint64_t initialGlobal(ObjectId object, std::int64_t element) const;
  void addToInterval(std::uint32_t stepIndex, std::uint32_t interval);

  std::shared_ptr<Recording> recording_;
  const Launch& launch_;
  BlockState state_;
  bool inStep_ = false;
  bool arithmetic_ = false;
};

/// The bits of one element of an array, in the low bytes.
[[nodiscard]] std::uint64_t elementBits(const ArrayData& array, std::int64_t element);

}  // namespace haloscope::recording
