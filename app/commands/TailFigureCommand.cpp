#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/FigureCommands.h"
#include "commands/FigureKernel.h"
#include "commands/FigureOptions.h"
#include "figures/LaunchTail.h"
#include "figures/TailWaves.h"
#include "program/NumberText.h"

/// `haloscope figure tail`: threads, warps and blocks without work.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::LaunchTail;
using figures::TailCurve;
using figures::TailSample;

/// The GPU that waves are predicted for.
struct Waves {
  figures::CodeTarget target;
  figures::CodeReport code;
  std::optional<figures::TailWaves> found;  ///< none: not known
};

const TailSample* sampleAt(const TailCurve& curve, std::int64_t size) {
  for (const TailSample& sample : curve.samples) {
    if (sample.size == size) { return &sample; }
  }
  return nullptr;
}

Json workJson(const analysis::WorkTally& work) {
  return {{"threads", work.threads},
          {"threads_that_store", work.working},
          {"threads_that_only_help", work.helping},
          {"threads_idle", work.idle},
          {"warps", work.warps},
          {"warps_full", work.fullWarps},
          {"warps_partly_working", work.partialWarps},
          {"warps_only_helping", work.helpingWarps},
          {"warps_that_only_leave", work.idleWarps}};
}

Json toJson(const KernelFile& file, const LaunchTail& tail, const TailCurve& curve, const Waves& waves) {
  const Dim3& grid = tail.configuration.grid;
  const Dim3& block = tail.configuration.block;
  Json json = {{"kernel", file.id},
               {"bindings", tail.bindings},
               {"grid", {grid.x, grid.y, grid.z}},
               {"block", {block.x, block.y, block.z}},
               {"executed", tail.executed ? workJson(tail.work) : Json(nullptr)},
               {"problem", tail.problem.empty() ? Json(nullptr) : Json(tail.problem)}};
  if (tail.executed) {
    json["executed"]["blocks"] = tail.blocks.size();
    json["executed"]["blocks_without_work"] = tail.blocksWithoutWork();
  }
  Json samples = Json::array();
  for (const TailSample& sample : curve.samples) {
    const auto share = sample.withoutWork();
    samples.push_back({{"size", sample.size},
                       {"blocks", sample.blocks},
                       {"threads", sample.threads},
                       {"threads_that_store", sample.working ? Json(*sample.working) : Json(nullptr)},
                       {"share_without_work", share ? Json(*share) : Json(nullptr)}});
  }
  json["by_formula"] = {{"over", curve.size}, {"note", curve.note}, {"samples", std::move(samples)}};
  json["gpu"] = {{"name", waves.target.name},
                 {"resident_blocks", waves.found ? Json(waves.found->residentBlocks) : Json(nullptr)},
                 {"waves", waves.found ? Json(waves.found->waves) : Json(nullptr)},
                 {"problem", waves.code.problem.empty() ? Json(nullptr) : Json(waves.code.problem)}};
  return json;
}

void print(const KernelFile& file, const LaunchTail& tail, const TailCurve& curve, const Waves& waves) {
  const Dim3& grid = tail.configuration.grid;
  const Dim3& block = tail.configuration.block;
  std::string sizes;
  for (const SizeParameter& size : file.sizes) {
    sizes += fmt::format("{}{} = {}", sizes.empty() ? " at " : ", ", size.name, tail.bindings.at(size.name));
  }
  fmt::print("{}{}: grid {}×{}×{} of blocks {}×{}×{}\n", file.id, sizes, grid.x, grid.y, grid.z, block.x, block.y,
             block.z);
  if (!tail.problem.empty()) { fmt::print("{}\n", tail.problem); }
  if (tail.executed) {
    const analysis::WorkTally& work = tail.work;
    const auto line = [](const char* what, std::uint64_t part, std::uint64_t all) {
      fmt::print("  {:<44}{:>14}{:>7.1f} %\n", what, grouped(part),
                 100 * static_cast<double>(part) / static_cast<double>(all));
    };
    line("threads launched, executed", work.threads, work.threads);
    line("... that store a result", work.working, work.threads);
    line("... that only fill a tile", work.helping, work.threads);
    line("... that touch no memory", work.idle, work.threads);
    line("warps", work.warps, work.warps);
    line("... with all 32 lanes at work", work.fullWarps, work.warps);
    line("... partly at work", work.partialWarps, work.warps);
    line("... that only fill a tile", work.helpingWarps, work.warps);
    line("... that only leave", work.idleWarps, work.warps);
    line("blocks without a result", tail.blocksWithoutWork(), grid.count());
  }
  if (!curve.note.empty()) { fmt::print("{}\n", curve.note); }
  const TailSample* sample = curve.size.empty() ? nullptr : sampleAt(curve, tail.bindings.at(curve.size));
  if (sample != nullptr && sample->working) {
    fmt::print("  by formula {} of {} threads store a result\n", grouped(*sample->working), grouped(sample->threads));
  }
  if (waves.found) {
    fmt::print("  {}: {} blocks at once, {:.2f} waves\n", waves.target.name, grouped(waves.found->residentBlocks),
               waves.found->waves);
  } else if (!waves.code.problem.empty()) {
    fmt::print("  {}: waves are not known. {}\n", waves.target.name, waves.code.problem);
  }
}

struct TailOptions {
  FigureKernel kernel;
  FigureOptions figure;
};

ExitCode run(const TailOptions& options, const Catalogue& catalogue) {
  const ChosenKernel chosen = chosenKernel(catalogue, options.kernel.id, options.kernel.kernel);
  const KernelFile& file = chosen.file;
  const KnobOptions& knobs = options.kernel.kernel.knobs;
  const Bindings all = file.bind(chosen.bindings);
  const Bindings bindings = knobs.sizeOption(file).empty() ? figures::tailDefaults(file, all) : all;
  const LaunchTail tail = figures::countTail(file, bindings);
  TailCurve curve;
  if (!file.sizes.empty()) {
    const SizeParameter& size = file.sizes.front();
    const std::int64_t n = bindings.at(size.name);
    curve =
        figures::tailCurve(file, bindings, size.name, std::max(size.minimum, n - 300), std::min(size.maximum, n + 299));
  }
  Waves waves{options.figure.target.find(), {}, {}};
  waves.code.bindings = bindings;
  figures::CodeReporter().report(file, waves.code, waves.target);
  waves.found = figures::tailWaves(tail.configuration, waves.code, waves.target);
  if (options.kernel.json) {
    std::cout << toJson(file, tail, curve, waves).dump(2) << '\n';
  } else {
    print(file, tail, curve, waves);
  }
  return ExitCode::Good;
}

}  // namespace

FigureRun addTailFigure(CLI::App& command) {
  auto options = std::make_shared<TailOptions>();
  options->kernel.addTo(command);
  addFigureOptions(command, "tail", options->figure);
  return [options](const Catalogue& catalogue) { return run(*options, catalogue); };
}

}  // namespace haloscope
