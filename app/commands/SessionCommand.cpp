#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "commands/Command.h"
#include "commands/SceneExecution.h"
#include "commands/StartingState.h"
#include "documents/SessionFile.h"
#include "experiment/Experiment.h"
#include "language/Text.h"
#include "lessons/Course.h"
#include "options/BindingsJson.h"
#include "options/KernelArguments.h"
#include "program/SourceLocation.h"

/// `haloscope session`: the scenes of a session, and whether they can be executed and shown.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;

struct SessionOptions {
  std::filesystem::path file;
  bool json = false, check = false;
};

/// Shows the scene in the state and executes it. Throws UserError for what cannot be executed or shown.
Json checkScene(AppState& state, const Scene& scene) {
  showScene(state, scene);
  if (scene.lesson && !scene.lesson->id.empty() && state.lesson.course != nullptr) {
    static_cast<void>(state.lesson.course->at(scene.lesson->id));
  }
  if (scene.workspace) {
    for (const Tab tab : scene.panels) {
      if (rowOf(*scene.workspace, tab) != nullptr) { continue; }
      throw InputError(trf("workspace {} has no panel {}", layoutOf(*scene.workspace).name, nameOf(tab)));
    }
  }
  const auto executed = executeScene(state, scene.choice);
  const auto thread = threadAt(scene.thread, *executed);
  static_cast<void>(elementAt(scene.element, *executed));
  Json json = {{"steps", executed->recording->steps.size()}, {"position", positionOf(scene.moment, thread, *executed)}};
  for (const std::string& other : scene.compare) {
    experiment::Choice choice;
    choice.kernel = other;
    static_cast<void>(executeScene(state, choice));
  }
  return json;
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
  if (scene.workspace) { json["workspace"] = workspaceNames().at(static_cast<std::size_t>(*scene.workspace)); }
  return json;
}

ExitCode session(const CommandContext& context, const SessionOptions& options) {
  AppState state;
  addResources(state, context.catalogue);
  Session session = readSession(options.file);
  unpack(session, state);
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
      fmt::print("{:>3}  {:<34} {}\n", number, json["kernel"].get<std::string>(), scene.title);
      if (!problem.empty()) { fmt::print("     {}\n", problem); }
    }
    list.push_back(std::move(json));
  }
  if (options.json) {
    Json json = {{"file", options.file.string()}, {"version", kSessionVersion}, {"scenes", std::move(list)}};
    if (options.check) { json["problems"] = problems; }
    std::cout << json.dump(2) << '\n';
  } else if (options.check) {
    fmt::print("{}\n", problems == 0 ? trf("all {} scenes can be executed and shown", number)
                                     : trf("{} of {} scenes cannot be executed or shown", problems, number));
  }
  return problems == 0 ? ExitCode::Good : ExitCode::Mismatch;
}

CommandRun addSession(CLI::App& command) {
  const auto options = std::make_shared<SessionOptions>();
  command.add_option("FILE", options->file, tr("A session: a .halo file"))->required();
  command.add_flag("--check", options->check, tr("Execute every scene, and find out whether it can be shown"));
  addJson(command, options->json);
  return [options](const CommandContext& context) { return session(context, *options); };
}

}  // namespace

extern const Command sessionCommand{"session", trMark("List the scenes of a session, check them"), addSession};

}  // namespace haloscope
