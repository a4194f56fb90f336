#include "actions/Requests.h"

#include "actions/ProgramSteps.h"

#include <utility>

namespace haloscope {

opening::Request requestOf(const KernelFile& file, experiment::Choice choice) { return {std::move(choice), file}; }

opening::Request requestOf(const AppState& state, const experiment::Choice& choice) {
  const KernelFile& known = state.catalogue.at(choice.kernel);
  opening::Request request = requestOf(known, choice);
  const auto copy = state.copies.find(choice.kernel);
  const auto launch = state.launches.find(choice.kernel);
  const bool launched = launch != state.launches.end();
  if (launched) { request.overrides = launch->second.overrides; }
  if (copy == state.copies.end()) { return request; }
  const bool launchChanged = launched && (launch->second.revision != launch->second.readRevision ||
                                          launch->second.readProgram != state.program.revision);
  if (copy->second.text == known.text && !launchChanged) { return request; }
  request.reread = true;
  request.file.text = copy->second.text;
  request.file.path = copy->second.path;  // of a kernel in a header, the program's or the header's
  if (!launched) { return request; }
  request.file.kernel = launch->second.kernel;
  request.overrides.executed = executedLaunches(state, copy->second);
  request.file.data = request.overrides.executed.empty() ? nullptr : state.program.data;
  return request;
}

}  // namespace haloscope
