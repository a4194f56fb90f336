#include "commands/SceneExecution.h"

#include <utility>

#include "opening/KernelReading.h"
#include "options/ProgramLaunches.h"
#include "options/ProgramOptions.h"
#include "state/Requests.h"

namespace haloscope {

namespace {

/// How the program of an own file launches its kernels, as in the window.
void addLaunches(opening::Request& request) {
  ProgramLaunches executed = launchesOfProgram(request.file.path, {}, request.overrides.defines);
  request.overrides.headerTexts = std::move(executed.texts);
  request.overrides.executed = std::move(executed.launches);
  const auto data = executed.data.find(request.file.kernel);
  if (data != executed.data.end()) { request.file.data = data->second; }
}

}  // namespace

std::shared_ptr<const experiment::Experiment> executeScene(const AppState& state, const experiment::Choice& choice) {
  opening::Request request = requestOf(state, choice);
  KernelFile file = request.file;
  if (request.reread) {
    if (file.isOpened() && !KernelFile::hasHeader(file.text)) { addLaunches(request); }
    file = opening::readKernel(request).proposed.file;
    file.data = request.file.data;
  }
  experiment::RunOptions options;
  options.countGrid = false;
  return experiment::run(file, choice, options);
}

}  // namespace haloscope
