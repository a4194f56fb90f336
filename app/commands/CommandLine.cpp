#include "commands/CommandLine.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "commands/Commands.h"
#include "commands/FigureCommands.h"
#include "commands/KernelArguments.h"
#include "gpu/KernelProcess.h"
#include "program/Catalogue.h"
#include "program/ResourceFolder.h"
#include "ui/figures/FigureList.h"

namespace haloscope {

namespace {

constexpr const char* kWhich = "Which kernel of the file";

Catalogue openCatalogue(const std::string& folder) {
  Catalogue catalogue =
      Catalogue::read(folder.empty() ? resourceFolder("kernels", HALOSCOPE_SOURCE_DIR) : std::filesystem::path(folder));
  for (const SourceError& problem : catalogue.problems()) {
    std::fprintf(stderr, "haloscope: warning: %s\n", problem.what());
  }
  return catalogue;
}

/// An option of the window's before a command would be ignored. Throws InputError.
void expectOnlyCommand(const CLI::App& app, const std::vector<const CLI::Option*>& ofTheWindow) {
  if (app.get_subcommands().empty()) { return; }
  const std::string command = app.get_subcommands().front()->get_name();
  for (const CLI::Option* option : ofTheWindow) {
    if (option->count() == 0) { continue; }
    throw InputError(fmt::format("{} before \"{}\" means the window: write it after \"{}\", if that takes it",
                                 option->get_name(), command, command));
  }
}

void addSchedule(CLI::App& command, ScheduleOptions& schedule) {
  using simt::WarpOrder;
  static const std::map<std::string, WarpOrder> kOrders = {{"side-by-side", WarpOrder::SideBySide},
                                                           {"in-order", WarpOrder::InOrder},
                                                           {"reversed", WarpOrder::Reversed},
                                                           {"random", WarpOrder::Random},
                                                           {"adversarial", WarpOrder::Adversarial}};
  command
      .add_option("--order", schedule.order,
                  "Which warp of the block goes first: side-by-side, in-order, reversed, random, adversarial")
      ->transform(CLI::CheckedTransformer(kOrders, CLI::ignore_case).description(""))
      ->default_str("side-by-side");
  command.add_option("--seed", schedule.seed, "Of --order random");
  command.add_option("--without-barrier", schedule.withoutBarriers, "Leave out the __syncthreads() on this line")
      ->allow_extra_args(false);
}

CLI::Option* addCompare(CLI::App& command, CompareOptions& compare) {
  static const std::map<std::string, LineUp> kLineUps = {{"interval", LineUp::Interval}, {"cell", LineUp::Cell}};
  CLI::Option* targets = command
                             .add_option("--compare", compare.targets,
                                         "Variant or .cu file to stand beside it, in lockstep; up to three times")
                             ->allow_extra_args(false);
  command.add_option("--line-up", compare.lineUp, "With --compare, what is the same in all: interval or cell")
      ->transform(CLI::CheckedTransformer(kLineUps, CLI::ignore_case).description(""))
      ->default_str("interval")
      ->needs(targets);
  return targets;
}

}  // namespace

ExitCode runCommandLine(int argc, char** argv) {
  CLI::App app{
      "Haloscope: a microscope for GPU stencil and convolution kernels.\n"
      "Without a command it opens the window."};
  app.set_version_flag("--version", std::string("haloscope ") + HALOSCOPE_VERSION);
  app.require_subcommand(0, 1);
  std::string kernelsFolder;
  app.add_option("--kernels", kernelsFolder, "Folder of kernels to use instead of the program's own");
  WindowOptions window;
  window.started = std::chrono::steady_clock::now();
  const std::vector<const CLI::Option*> ofTheProgram = std::as_const(app).get_options();
  addKernel(app, window.kernel, "Variant to open first, or which kernel of FILE");
  app.add_option("FILE", window.file, "A .cu file to open in the window");
  addCompare(app, window.compare);
  app.add_flag("--uncapped", window.uncapped, "Draw as many frames as possible instead of one per display refresh");
  app.add_option("--frames", window.frames, "Leave after that many frames and print their times as JSON");
  app.add_flag("--offscreen", window.offscreen, "With --frames: draw without a display");

  app.add_flag("--tuning", window.tuning, "The map of tile and block sizes in front");

  std::vector<const CLI::Option*> ofTheWindow = std::as_const(app).get_options();
  std::erase_if(ofTheWindow,
                [&](const CLI::Option* one) { return std::ranges::find(ofTheProgram, one) != ofTheProgram.end(); });

  bool json = false;
  KnobOptions knobs;
  KernelOptions counted;
  std::string id;
  std::vector<std::string> ids;
  RenderOptions render;
  const auto addJson = [&](CLI::App* command) { command->add_flag("--json", json, "Print one JSON document"); };

  CLI::App* list = app.add_subcommand("list", "Name the variants");
  addJson(list);
  CLI::App* count = app.add_subcommand("count", "Execute a variant on the emulator and count what it did");
  count->add_option("ID", id, "Variant, e.g. stencil/tiled, or a .cu file")->required();
  addKernel(*count, counted, kWhich);
  bool hardware = false;
  count->add_flag("--hardware", hardware,
                  "Beside what the GPU's own counters say and its time; without a size, at one that no cache holds");
  addJson(count);
  CLI::App* verify = app.add_subcommand("verify", "Check kernels against a double-precision reference, and on the GPU");
  verify->add_option("ID", ids, "Variants or .cu files; all variants when none is named");
  addKnobs(*verify, knobs);
  measuring::VerifyOptions verifying;
  verify->add_flag("--insist", verifying.insist,
                   "Also give the GPU what the emulator finds a fault in; it runs in a process of its own");
  bool recording = false;
  verify
      ->add_flag("--recording", recording,
                 "Instead: record blocks step by step on the GPU itself, and compare them with the emulator's")
      ->excludes("--insist");
  addJson(verify);
  CheckCommandOptions check;
  CLI::App* checks =
      app.add_subcommand("check", "Find what is wrong with a kernel: races, bounds, initialisation, results");
  checks->add_option("TARGET", check.targets, "A .cu file, a folder of them, or a variant")->required();
  addKernel(*checks, check.kernel, "Only this kernel of the file");
  CLI::Option* checkJson = checks->add_flag("--json", check.json, "Print one JSON document");
  checks->add_flag("--quiet", check.quiet, "Print the table alone")->excludes(checkJson);
  CLI::App* lower = app.add_subcommand("lower", "Print the lowered program of a variant");
  lower->add_option("ID", id, "Variant")->required();
  addKnobs(*lower, knobs);
  TraceOptions tracing;
  CLI::App* trace = app.add_subcommand("trace", "Tell where the value of an output element came from");
  trace->add_option("ID", tracing.id, "Variant, or a .cu file")->required();
  trace->add_option("--output-cell", tracing.cell, "Element of the output array: I,J,K, slowest axis first")
      ->required();
  addKernel(*trace, tracing.kernel, kWhich);
  addSchedule(*trace, tracing.schedule);
  trace->add_flag("--json", tracing.json, "Print one JSON document");
  CompareCommandOptions comparing;
  CLI::App* comparison =
      app.add_subcommand("compare", "Set the blocks of up to four variants that compute one output cell side by side");
  comparison->add_option("ID", comparing.ids, "Variants, or .cu files")->required();
  comparison->add_option("--output-cell", comparing.cell, "Element of the output array: I,J,K, slowest axis first");
  addKernel(*comparison, comparing.kernel, "Which kernel of the first file");
  comparison->add_flag("--json", comparing.json, "Print one JSON document");
  CLI::App* bench = app.add_subcommand("bench", "Time variants on the GPU, beside its copy bandwidth");
  bench->add_option("ID", ids, "Variants; all when none is named");
  addKnobs(*bench, knobs);
  addJson(bench);

  TuneOptions tuning;
  CLI::App* tune = app.add_subcommand("tune", "Time a kernel at many tile and block sizes, and at many problem sizes");
  tune->add_option("ID", tuning.id, "Variant, or a .cu file")->required();
  addKernel(*tune, tuning.kernel, kWhich);
  tune->add_option("--columns", tuning.columns, "Tunable that changes from left to right");
  tune->add_option("--rows", tuning.rows, "Tunable that changes from top to bottom");
  tune->add_option("--gpu", tuning.gpu, "What this GPU of assets/gpus.json would hold, instead of timing");
  tune->add_flag("--json", tuning.json, "Print one JSON document");

  CLI::App* figure = app.add_subcommand("figure", "Print the numbers of one of the book's figures");
  figure->require_subcommand(1);
  FigureRun drawn;
  for (const FigureCommand& one : figureCommands()) {
    CLI::App* command = figure->add_subcommand(one.name, one.help);
    command->callback([&drawn, run = one.add(*command)] { drawn = run; });
  }

  CLI::App* picture = app.add_subcommand("render", "Draw the window to a PNG file; needs no display");
  picture->add_option("ID", render.id, "Variant, or a .cu file")->required();
  addKernel(*picture, render.kernel, kWhich);
  addSchedule(*picture, render.schedule);
  CLI::Option* step = picture->add_option("--step", render.position.step, "Position: after that many steps");
  CLI::Option* barrier = picture
                             ->add_option("--barrier", render.position.barrier,
                                          "Position: after the first step of that barrier interval, counted from 0")
                             ->excludes(step);
  CLI::Option* plane =
      picture
          ->add_option("--plane", render.position.plane,
                       "Position: after the first step of that plane, counted from 0; with --figure boundary "
                       "the plane of the grid that is drawn")
          ->excludes(step)
          ->excludes(barrier);
  CLI::Option* block = addBlock(*picture, render.block);
  picture
      ->add_option("--finding", render.position.finding,
                   "Position: where that finding shows, counted from 1; of a .cu file the first one (default)")
      ->excludes(step)
      ->excludes(barrier)
      ->excludes(plane)
      ->excludes(block);
  picture->add_flag("--end", render.position.end, "Position: after the last step")
      ->excludes(step)
      ->excludes(barrier)
      ->excludes(plane);
  picture->add_option("--width", render.width, "Pixels")->check(CLI::Range(320, 7680))->capture_default_str();
  picture->add_option("--height", render.height, "Pixels")->check(CLI::Range(240, 4320))->capture_default_str();
  picture->add_flag("--light", render.light, "The light theme");
  CLI::Option* field = picture->add_flag("--field", render.field, "The field instead of the block");
  CLI::Option* map =
      picture->add_flag("--tuning", render.tuning, "The map of tile and block sizes instead of the block")
          ->excludes(field);
  CLI::Option* ofTheBook =
      picture->add_option("--figure", render.figure, "One of the book's figures, of this kernel, instead of the block")
          ->check(CLI::IsMember(ui::figureIds()))
          ->excludes(field)
          ->excludes(map);
  addAllFigureOptions(*picture, render.ofFigure);
  picture->add_flag("--addresses", render.addresses, "The addresses of the step's accesses instead of the memory");
  picture->add_option("--output-cell", render.cell, "Select the thread that writes this element: I,J,K");
  picture->add_flag("--origins", render.origins, "Where the selected thread's output came from instead of the memory");
  // Variants side by side take the place of all of these.
  addCompare(*picture, render.compare)->excludes(field)->excludes(map)->excludes(ofTheBook);
  picture->add_flag("--lab", render.bugLab, "The bug lab's tasks in front");
  picture->add_flag("--edit", render.edit, "The editor instead of the text to be read");
  picture->add_option("--sweeps", render.sweeps, "Sweeps of the field before the picture")
      ->check(CLI::Range(0, 100000))
      ->needs(field);
  picture->add_flag("--on-gpu", render.onGpu, "The block as the GPU itself ran it, instead of the emulator");
  picture->add_flag("--hardware", render.hardware, "With what the GPU's own counters say");
  picture->add_option("-o,--output", render.output, "PNG file to write")->required();

  // What gpu::KernelProcess starts; of no use to a person.
  CLI::App* apart = app.add_subcommand("kernel-process", "Run a kernel for another Haloscope")->group("");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      app.exit(error);
      return ExitCode::Good;
    }
    throw InputError(fmt::format("{}; --help tells the options", error.what()));
  }

  if (*apart) { return static_cast<ExitCode>(gpu::serveKernelProcess()); }
  expectOnlyCommand(app, ofTheWindow);
  const Catalogue catalogue = openCatalogue(kernelsFolder);
  if (*list) { return listCommand(catalogue, json); }
  if (*count) { return (hardware ? hardwareCommand : countCommand)(catalogue, id, counted, json); }
  if (*verify) { return verifyCommand(catalogue, ids, knobs, verifying, recording, json); }
  if (*checks) { return checkCommand(catalogue, check); }
  if (*lower) { return lowerCommand(catalogue, id, knobs); }
  if (*trace) { return traceCommand(catalogue, tracing); }
  if (*comparison) { return compareCommand(catalogue, comparing); }
  if (*bench) { return benchCommand(catalogue, ids, knobs, json); }
  if (*tune) { return tuneCommand(catalogue, tuning); }
  if (*figure) { return drawn(catalogue); }
  if (*picture) {
    expectOptionsOf(*picture, render.figure);
    return renderCommand(catalogue, render);
  }
  return windowCommand(catalogue, window);
}

}  // namespace haloscope
