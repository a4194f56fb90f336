#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "program/BlockLog.h"
#include "program/Program.h"
#include "recording/LogActions.h"
#include "recording/LogPlaces.h"
#include "recording/LogStream.h"
#include "recording/RecordingBuilder.h"

namespace haloscope::recording {

/// What the lanes of a warp accessed with one instruction of a step.
struct WarpAccess {
  AccessGroup group;                  ///< except for `first`
  std::uint32_t first = 0;            ///< index into LogWarp::elements and values: one each for every lane, ascending
  std::uint32_t firstSource = kNone;  ///< of a copy that is issued, into LogWarp::sources, likewise
};

/// Where an asynchronous copy took a value; no object: it is a zero.
struct CopySource {
  ObjectId object = kNone;
  std::int64_t element = 0;
};

/// What one lane wrote. Where the value came from is not known yet.
struct WarpWrite {
  std::uint32_t instruction = kNone;  ///< that wrote it, or with which the step begins
  enum class Source : std::uint8_t {
    Unknown,      ///< the result of an atomic operation, or of what the program does not show
    Stored,       ///< what the instruction stores
    Instruction,  ///< what the instruction left in its register
  };
  Source source = Source::Unknown;
  RecordingBuilder::Write write;  ///< to a variable, or as RecordingBuilder::store() takes it
};

/// A statement of a warp, or what was left of one after a call.
struct WarpStep {
  std::uint32_t instruction = 0;     ///< its Statement instruction
  std::uint32_t clock = 0;           ///< of the multiprocessor
  std::uint32_t interval = 0;        ///< barriers the block has passed before
  LaneMask active = 0;               ///< lanes that run it, together
  LaneMask waiting = 0, exited = 0;  ///< while it runs
  LaneMask waitingAfter = 0, exitedAfter = 0;
  /// One past its last; they begin where the step before ends.
  std::uint32_t accessesEnd = 0, shufflesEnd = 0, writesEnd = 0, actionsEnd = 0, clusterEnd = 0;
};

/// What a warp did, in the order in which its lanes did it: lanes that left an iteration early wait for the others, as
/// in structured code. Other warps only matter at barriers, which wait for them.
struct LogWarp {
  std::vector<WarpStep> steps;
  std::vector<WarpAccess> accesses;
  std::vector<std::int64_t> elements;
  std::vector<std::uint64_t> values;
  std::vector<CopySource> sources;
  std::vector<WarpShuffle> shuffles;
  std::vector<WarpAction> actions;             ///< of a step in the order of its instructions
  std::vector<ClusterAccess> clusterAccesses;  ///< without their steps and origins
  std::vector<WarpWrite> writes;
  LaneMask exitedAtFirst = 0;  ///< lanes that the block does not have
  /// Per lane: for each of its Statement entries the step of the warp; kNone where none was logged.
  std::vector<std::vector<std::uint32_t>> stepsOf;
  std::string problem;  ///< why the steps end before the log does
};

/// What the warps of a block are read from.
struct WarpSources {
  const Program& program;  ///< as in LoggedBlock
  const Program& placed;
  const std::vector<LogSite>& sites;
  const ProgramPlaces& places;
  const LogPlaces& locations;
  std::span<const LogStream> streams;  ///< of all threads of the block
};

/// Reads one warp. Never throws LogError: LogWarp::problem says it.
[[nodiscard]] LogWarp readWarp(const WarpSources& sources, std::uint32_t warp);

}  // namespace haloscope::recording
