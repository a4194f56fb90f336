#include "reports/SceneExecution.h"

#include <utility>

#include "actions/Choices.h"
#include "options/ProgramLaunches.h"
#include "options/ProgramOptions.h"

namespace haloscope {

opening::Request requestOfScene(const AppState& state, const experiment::Choice& choice,
                                std::optional<std::size_t> launch) {
  opening::Request request = requestOf(state, choice);
  const KernelFile& file = request.file;
  if (!request.reread || !file.isOpened() || KernelFile::hasHeader(file.text)) { return request; }
  ProgramOptions program;
  program.arguments = state.launches.at(choice.kernel).arguments;
  ProgramLaunches executed = launchesOfProgram(file.path, program, request.overrides.defines, launch);
  request.overrides.headerTexts = std::move(executed.texts);
  request.overrides.executed = std::move(executed.launches);
  const auto data = executed.data.find(file.kernel);
  if (data != executed.data.end()) { request.file.data = data->second; }
  return request;
}

std::shared_ptr<const experiment::Experiment> executeScene(const AppState& state, const experiment::Choice& choice,
                                                           std::optional<std::size_t> launch) {
  const opening::Request request = requestOfScene(state, choice, launch);
  KernelFile file = request.file;
  if (request.reread) {
    file = opening::readKernel(request).proposed.file;
    file.data = request.file.data;
  }
  experiment::RunOptions options;
  options.countGrid = false;
  return experiment::run(file, request.choice, options);
}

}  // namespace haloscope
