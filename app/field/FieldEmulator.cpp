#include "field/FieldEmulator.h"

#include <exception>
#include <optional>
#include <utility>

#include "simt/Executor.h"

namespace haloscope::field {

FieldEmulator::FieldEmulator(work::Pool& pool, std::shared_ptr<const Program> program, Launch launch, FieldPair pair,
                             std::vector<std::byte> field)
    : program_(std::move(program)),
      launch_(std::move(launch)),
      pair_(pair),
      sweep_(pool, {work::Priority::Foreground, work::Cores::All}, [this](int, const std::stop_token& stop) {
        simt::ExecuteOptions options;
        options.stop = stop;
        try {
          const simt::ExecuteResult result = simt::execute(*program_, launch_, {}, options);
          return result.outcome == simt::Outcome::Finished ? std::string() : result.message;
        } catch (const std::exception& problem) { return std::string(problem.what()); }
      }) {
  launch_.arrays[pair_.output].bytes = field;
  launch_.arrays[pair_.input].bytes = std::move(field);
}

void FieldEmulator::begin(int sweeps) { sweep_.request(sweeps); }

bool FieldEmulator::finished() {
  auto problem = sweep_.running() ? std::nullopt : sweep_.poll();
  if (!problem) { return false; }
  problem_ = *std::move(problem);
  if (problem_.empty()) { std::swap(launch_.arrays[pair_.input].bytes, launch_.arrays[pair_.output].bytes); }
  return true;
}

}  // namespace haloscope::field
