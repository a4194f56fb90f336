#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"
#include "running/LaunchBinding.h"
#include "running/ProgramRun.h"
#include "running/TouchedBytes.h"

namespace haloscope::running {

/// What a launch touches. Where that follows from its arguments, it is only found out when it is asked for.
struct LaunchTouches {
  std::shared_ptr<const Program> program;
  Launch launch{};                   ///< its arrays have no bytes
  std::vector<std::size_t> sizes{};  ///< of the arrays
  bool isKnown = false;              ///< `touches` has been found out, or cannot be
  std::optional<std::map<ObjectId, TouchedBytes>> touches{};
};

/// Those of a program's launches, under the budget that all have together.
class KnownTouches {
 public:
  explicit KnownTouches(const RunOptions& options) : options_(options) {}

  /// Of a launch that is about to be executed. `now`: also where they depend on what its arrays hold.
  std::shared_ptr<LaunchTouches> of(const ProgramLaunch& launch, const BoundLaunch& bound, bool now);
  /// Null if it cannot be known.
  const TouchedBytes* find(const std::shared_ptr<LaunchTouches>& one, ObjectId object);

 private:
  void findOut(const std::shared_ptr<LaunchTouches>& one, Launch& launch);
  /// A launch's own program, or an equal one of an earlier launch.
  std::shared_ptr<const Program> programOf(const ProgramLaunch& launch, const BoundLaunch& bound);
  bool followsFromArguments(const ProgramLaunch& launch, const Program& program);

  const RunOptions& options_;
  // What finding out may take, of all launches together.
  std::uint64_t instructionsLeft_ = 500'000'000, bytesLeft_ = std::uint64_t{8} << 30;
  std::deque<std::pair<std::weak_ptr<LaunchTouches>, std::uint64_t>> kept_;  ///< those found out, and what they take
  std::uint64_t keptBytes_ = 0;
  std::vector<std::vector<std::byte>>
      spare_;  ///< arrays of the last launch, for the next one: what they hold is nothing
  std::deque<std::pair<std::string, std::shared_ptr<LaunchTouches>>> recent_;  ///< by what makes launches the same
  std::map<std::string, bool> byArguments_;                                    ///< by kernel
  std::map<std::string, std::shared_ptr<const Program>> programs_;  ///< by kernel: its last one, which others share
};

}  // namespace haloscope::running
