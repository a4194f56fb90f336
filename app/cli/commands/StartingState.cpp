#include "commands/StartingState.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <utility>

#include "catalogue/LimitSuite.h"
#include "commands/ManualPages.h"
#include "language/Language.h"
#include "lessons/Course.h"
#include "measuring/RecordedLimits.h"
#include "options/GpuOption.h"
#include "program/ResourceFolder.h"
#include "text/Print.h"

namespace haloscope {

namespace fs = std::filesystem;

void addResources(AppState& state, const Catalogue& catalogue) {
  state.catalogue = catalogue;
  try {
    state.bugLab = BugLab::read(resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "buglab");
  } catch (const std::exception& problem) {  // the rest of the program needs no tasks
    printText(stderr, "haloscope: warning: {}\n", problem.what());
  }
  try {
    const fs::path lessons = resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "lessons";
    state.lesson.course =
        std::make_shared<const lessons::Course>(lessons::Course::read(lessons, languageCode(language()), catalogue));
    state.lesson.manual = std::make_shared<const lessons::Course>(readManual());
  } catch (const std::exception& problem) {  // the window without its course and manual
    printText(stderr, "haloscope: warning: {}\n", problem.what());
  }
  try {
    state.shippedSessions = resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "sessions";
    state.exercise.kernels = exercises::readKernels(resourceFolder("assets", HALOSCOPE_SOURCE_DIR));
  } catch (const std::exception& problem) {  // the other exercises need none of their own
    printText(stderr, "haloscope: warning: {}\n", problem.what());
  }
  try {
    state.make.tasks = making::readMakeTasks(making::ownTasks(resourceFolder("assets", HALOSCOPE_SOURCE_DIR)));
  } catch (const std::exception& problem) {  // the window without them
    printText(stderr, "haloscope: warning: {}\n", problem.what());
  }
  state.gpuSpecs = measuring::knownGpus();
  // A convention of reproducible builds: the same inputs give the same output.
  state.view.ownTimes = std::getenv("SOURCE_DATE_EPOCH") == nullptr;
  try {
    const fs::path assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
    state.climb.classes = LimitSuite::named("limit", assets / "suites").classes;
    state.climb.recorded = measuring::readRecordedLimits(assets / "recorded" / "h200_limit.json");
  } catch (const std::exception& problem) {  // the bars of the climb alone need it
    printText(stderr, "haloscope: warning: {}\n", problem.what());
  }
}

void addProgram(AppState& state, const ProgramOptions& options) {
  state.program.allowed = !options.noHost;
  state.program.arguments = options.arguments;
  state.program.files = options.readFiles();
}

OpenedText openedText(const fs::path& path, const std::string& kernel, opening::LaunchOverrides overrides) {
  return {fs::absolute(path).lexically_normal(), opening::readOpenedText(path), std::move(overrides), kernel};
}

}  // namespace haloscope
