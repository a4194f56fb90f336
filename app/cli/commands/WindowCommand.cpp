#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "actions/Choices.h"
#include "actions/SessionActions.h"
#include "actions/StartPageActions.h"
#include "commands/Command.h"
#include "commands/CompareOptions.h"
#include "commands/Screen.h"
#include "commands/StartingState.h"
#include "documents/SessionFile.h"
#include "documents/SessionFiles.h"
#include "language/Text.h"
#include "options/KernelArguments.h"

/// `haloscope` without a command: the window.
namespace haloscope {
namespace {

namespace fs = std::filesystem;

struct WindowCommandOptions {
  fs::path file;         ///< a .cu file to open, or a folder to choose one from; empty: none
  KernelOptions kernel;  ///< its `kernel` is the variant to open first where there is no file
  CompareOptions compare;
  AppState state;  ///< what is shown, as far as flags say it
  WindowOptions window;
};

/// The window shows a file that has no kernel yet, too: only what is said about its launch must have a meaning.
OpenedText openedFile(const WindowCommandOptions& options) {
  const std::string text = opening::readOpenedText(options.file);
  const opening::LaunchOverrides overrides = options.kernel.overridesFor(options.file, text);
  if (!overrides.empty() || !options.kernel.kernel.empty()) {
    const opening::OpenedFile opened = openWithOptions(options.file, options.kernel).file;
    const bool known = std::ranges::any_of(opened.kernels, [&](const opening::ProposedKernel& one) {
      return options.kernel.kernel.empty() || one.file.kernel == options.kernel.kernel;
    });
    if (!known && !opened.kernels.empty()) {
      throw InputError(trf("--kernel {}: {} has no such kernel", options.kernel.kernel, options.file.string()));
    }
  }
  return openedText(options.file, options.kernel.kernel, overrides);
}

/// Chooses the variant that is shown first, with what the command line says about it.
void chooseVariant(AppState& state, const KernelOptions& options) {
  if (!options.kernel.empty()) { state.choice.kernel = options.kernel; }
  KernelOptions knobs = options;
  knobs.kernel.clear();
  knobs.expectOnlyKnobs(state.choice.kernel);
  const KernelFile& variant = state.catalogue.at(state.choice.kernel);
  if (knobs.knobs.given()) { state.choice.bindings = knobs.knobs.bindings(variant); }
  state.choice.data = chosenData(options.data);
  state.choice.bindings =
      fittingSizes(variant, std::move(state.choice.bindings), state.choice.data, knobs.knobs.namesSet(variant));
}

/// The list of --compare takes every argument that follows: in `--compare stencil/basic mine.cu`, the file is FILE.
/// Not the list's only argument, and not after --kernel with a variant: that one is shown, and the file next to it.
void takeFileFromList(WindowCommandOptions& options, const Catalogue& catalogue) {
  std::vector<std::string>& targets = options.compare.targets;
  const bool variantIsNamed = catalogue.find(options.kernel.kernel) != nullptr;
  if (!options.file.empty() || variantIsNamed || targets.size() < 2 || !isFile(targets.back())) { return; }
  options.file = targets.back();
  targets.pop_back();
}

/// Without --kernel and FILE, the list's first is shown and the others are compared with it; of one alone, the
/// workspace proposes what to compare it with.
void showFirstOfList(WindowCommandOptions& options) {
  std::vector<std::string>& targets = options.compare.targets;
  if (targets.empty() || !options.file.empty() || !options.kernel.kernel.empty()) { return; }
  if (isFile(targets.front())) {
    options.file = targets.front();
  } else {
    options.kernel.kernel = targets.front();
  }
  targets.erase(targets.begin());
  options.state.view.tabs.enter(Workspace::Compare);
}

ExitCode openWindow(const CommandContext& context, const WindowCommandOptions& options) {
  if (options.window.offscreen && options.window.frames <= 0) {
    throw InputError(tr("--offscreen shows nothing: give --frames as well, or use the command \"render\""));
  }
  if (std::error_code error; !options.file.empty() && !fs::exists(options.file, error)) {
    const std::string meant = commandMeant(options.file.string());
    throw InputError(
        meant.empty() ? trf("{}: there is no such file or folder, and no such command", options.file.string())
                      : trf("{}: there is no such file or folder, and no such command; did you mean \"haloscope {}\"?",
                            options.file.string(), meant));
  }
  AppState state = options.state;
  state.view.language = context.language;
  addProgram(state, options.kernel.program);
  addResources(state, context.catalogue);
  state.playback.beginsAtTelling = true;
  state.choice.kernel = kStartPicture;
  if (isSession(options.file)) {
    if (!options.kernel.leaveLaunch() || !options.kernel.kernel.empty() || !options.kernel.data.empty() ||
        !options.compare.targets.empty()) {
      throw InputError(trf("{} is a session, whose scenes say what is launched: leave out the other options",
                           options.file.string()));
    }
    Session session = readSession(options.file);
    unpack(session, state);
    openSession(state, std::move(session));
    context.screen.show(std::move(state), options.window);
    return ExitCode::Good;
  }
  const bool chosen = !options.kernel.kernel.empty() || options.kernel.knobs.given() || !options.kernel.data.empty() ||
                      !options.compare.targets.empty() || state.view.tabs.workspace() != Workspace::Walk;
  if (options.file.empty() && !chosen) {
    showStartPage(state);
    state.playback.playing = true;  // until the page is left
  } else if (options.file.empty()) {
    chooseVariant(state, options.kernel);
  } else if (fs::is_directory(options.file)) {
    state.fileRequests.open = fs::absolute(options.file).lexically_normal();
  } else {
    state.fileRequests.text = openedFile(options);
    state.choice.kernel = openedVariant(state.catalogue, state.fileRequests.text->path).id;
    state.choice.data = chosenData(options.kernel.data);
  }
  const auto& text = state.fileRequests.text;
  const KernelFile first = text ? openedVariant(state.catalogue, text->path) : state.catalogue.at(state.choice.kernel);
  if (!options.compare.targets.empty()) { options.compare.apply(state, first, options.kernel.program); }
  context.screen.show(std::move(state), options.window);
  return ExitCode::Good;
}

CommandRun addWindow(CLI::App& command) {
  const auto options = std::make_shared<WindowCommandOptions>();
  addKernel(command, options->kernel, tr("Variant to open first, or which kernel of FILE"));
  addData(command, options->kernel.data);
  command.add_option("FILE", options->file, tr("A .cu file or a session (.halo) to open in the window"));
  options->compare.addTo(command);
  command.add_flag("--uncapped", options->window.uncapped,
                   tr("Draw as many frames as possible instead of one per display refresh"));
  command.add_option("--frames", options->window.frames,
                     tr("Exit after this many frames and print their times as JSON"));
  command.add_flag("--offscreen", options->window.offscreen, tr("With --frames: draw without a display"));
  command.add_flag_callback(
      "--tuning", [&state = options->state] { state.view.tabs.bringHome(Tab::Tuning); },
      tr("Show the tuning map first"));
  return [options](const CommandContext& context) {
    takeFileFromList(*options, context.catalogue);
    showFirstOfList(*options);
    return openWindow(context, *options);
  };
}

}  // namespace

extern const Command windowCommand{"", "", addWindow};

}  // namespace haloscope
