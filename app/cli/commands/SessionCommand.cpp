#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actions/Comparing.h"
#include "actions/SceneActions.h"
#include "commands/Command.h"
#include "commands/StartingState.h"
#include "documents/SessionFile.h"
#include "documents/SessionFiles.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "options/KernelArguments.h"
#include "program/SourceLocation.h"
#include "reports/SceneExecution.h"
#include "state/ComparedBlock.h"
#include "tables/BindingsJson.h"
#include "text/Print.h"

/// `haloscope session`: the scenes of a session, and whether they can be executed.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;

struct SessionOptions {
  std::filesystem::path file;
  bool json = false, check = false;
};

/// The variants beside the scene's own, at its sizes and with its data: each one's block that computes the same cell.
void checkCompared(const AppState& state, const Scene& scene, const experiment::Experiment& own,
                   std::optional<std::int64_t> element) {
  const std::vector<std::int64_t>& outputs = own.footprint.outputs;
  if (!element && !outputs.empty()) { element = outputs[outputs.size() / 2]; }
  if (!element) { return; }
  for (const std::string& other : scene.compare) {
    experiment::Choice choice;
    choice.kernel = other;
    choice.order = scene.choice.order;
    choice.orderSeed = scene.choice.orderSeed;
    takeSettings(choice, state.catalogue.at(other), own);
    const ComparedBlock block = compareBlock({.request = requestOfScene(state, choice), .known = nullptr},
                                             {*element, own.footprint.outputExtents}, {});
    if (!block.problem.empty()) { throw InputError(fmt::format("{}: {}", other, block.problem)); }
  }
}

/// Shows the scene in the state and executes it. Throws UserError for what cannot be executed, and for a place that is
/// not there.
Json checkScene(AppState& state, const Scene& scene) {
  showScene(state, scene);
  if (scene.workspace) {
    for (const Tab tab : scene.panels) {
      if (rowOf(*scene.workspace, tab) != nullptr) { continue; }
      throw InputError(trf("workspace {} has no panel {}", layoutOf(*scene.workspace).name, nameOf(tab)));
    }
  }
  const auto executed = executeScene(state, scene.choice, scene.launch);
  const auto thread = threadAt(scene.thread, *executed);
  const auto element = elementAt(scene.element, *executed);
  checkCompared(state, scene, *executed, element);
  return {{"steps", executed->recording->steps.size()}, {"position", positionOf(scene.moment, thread, *executed)}};
}

Json sceneJson(const Scene& scene, std::size_t number) {
  Json json = {{"scene", number}, {"title", scene.title}, {"kernel", scene.choice.kernel}};
  for (const auto& text : scene.texts) {
    if (text->kernel == scene.choice.kernel && !text->file.empty()) { json["kernel"] = text->file; }
    json["texts"].push_back(text->file.empty() ? text->kernel : text->file);
  }
  if (!scene.note.empty()) { json["note"] = scene.note; }
  if (!scene.choice.bindings.empty()) { json["with"] = scene.choice.bindings; }
  if (!scene.choice.data.empty()) { json["data"] = dataToJson(scene.choice.data); }
  if (const auto [key, value] = momentText(scene.moment); !key.empty()) { json["place"] = {{key, value}}; }
  if (scene.play) { json["play"] = {{"problem", scene.play->problem}, {"sweeps", scene.play->sweeps}}; }
  if (scene.workspace) { json["workspace"] = workspaceNames().at(static_cast<std::size_t>(*scene.workspace)); }
  return json;
}

ExitCode session(const CommandContext& context, const SessionOptions& options) {
  AppState state;
  addResources(state, context.catalogue);
  Session session = readSession(options.file);
  if (options.check) { unpack(session, state); }
  Json list = Json::array();
  std::size_t number = 0, problems = 0;
  for (const Scene& scene : session.scenes) {
    Json json = sceneJson(scene, ++number);
    std::string problem;
    if (options.check) {
      try {
        json.update(checkScene(state, scene));
      } catch (const UserError& error) { problem = error.what(); }
      if (!problem.empty()) {
        json["problem"] = problem;
        ++problems;
      }
    }
    if (!options.json) {
      printText("{:>3}  {:<34} {}\n", number, json["kernel"].get<std::string>(), scene.title);
      if (!problem.empty()) { printText("     {}\n", problem); }
    }
    list.push_back(std::move(json));
  }
  if (options.json) {
    Json json = {{"file", options.file.string()}, {"version", kSessionVersion}, {"scenes", std::move(list)}};
    if (options.check) { json["problems"] = problems; }
    printJson(json);
  } else if (options.check) {
    printText("{}\n", problems == 0
                          ? trf("all {} scenes were executed, and their places found", number)
                          : trf("{} of {} scenes cannot be executed, or their place is not there", problems, number));
  }
  return problems == 0 ? ExitCode::Good : ExitCode::Mismatch;
}

CommandRun addSession(CLI::App& command) {
  const auto options = std::make_shared<SessionOptions>();
  command.add_option("FILE", options->file, tr("A session: a .halo file"))->required();
  command.add_flag("--check", options->check, tr("Execute every scene, and look for its place in the execution"));
  addJson(command, options->json);
  return [options](const CommandContext& context) { return session(context, *options); };
}

}  // namespace

extern const Command sessionCommand{"session", trMark("List the scenes of a session, check them"), addSession};

}  // namespace haloscope
