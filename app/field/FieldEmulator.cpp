#include "field/FieldEmulator.h"

#include <chrono>
#include <utility>

#include "simt/Executor.h"

namespace haloscope::field {

FieldEmulator::FieldEmulator(std::shared_ptr<const Program> program, Launch launch, FieldPair pair,
                             std::vector<std::byte> field)
    : program_(std::move(program)), launch_(std::move(launch)), pair_(pair) {
  launch_.arrays[pair_.output].bytes = field;
  launch_.arrays[pair_.input].bytes = std::move(field);
}

FieldEmulator::~FieldEmulator() {
  stop_.request_stop();
  if (sweep_.valid()) { sweep_.wait(); }
}

void FieldEmulator::begin(int /*sweeps*/) {
  sweep_ = std::async(std::launch::async, [this]() -> std::string {
    simt::ExecuteOptions options;
    options.stop = stop_.get_token();
    try {
      const simt::ExecuteResult result = simt::execute(*program_, launch_, {}, options);
      return result.outcome == simt::Outcome::Finished ? std::string() : result.message;
    } catch (const std::exception& problem) { return problem.what(); }
  });
}

bool FieldEmulator::finished() {
  if (!sweep_.valid() || sweep_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) { return false; }
  problem_ = sweep_.get();
  if (problem_.empty()) { std::swap(launch_.arrays[pair_.input].bytes, launch_.arrays[pair_.output].bytes); }
  return true;
}

}  // namespace haloscope::field
