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
  const TouchedBytes* find(LaunchTouches& one, ObjectId object);

 private:
  void findOut(LaunchTouches& one, Launch launch);
  bool followsFromArguments(const ProgramLaunch& launch, const Program& program);

  const RunOptions& options_;
  std::uint64_t instructionsLeft_ = 500'000'000;
  std::deque<std::pair<std::string, std::shared_ptr<LaunchTouches>>> recent_;  ///< by what makes launches the same
  std::map<std::string, bool> byArguments_;                                    ///< by kernel
};

}  // namespace haloscope::running
