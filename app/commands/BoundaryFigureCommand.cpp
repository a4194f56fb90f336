#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/FigureCommands.h"
#include "commands/FigureKernel.h"
#include "commands/FigureOptions.h"
#include "figures/BlockBoundary.h"

/// `haloscope figure boundary`: what the points around a block are to it, counted.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::BlockBoundary;
using figures::BoundaryCounts;
using figures::GhostConvention;

struct BoundaryOptions {
  FigureKernel kernel;
  FigureOptions figure;
};

const char* word(GhostConvention convention) {
  switch (convention) {
    case GhostConvention::Zero:
      return "zero";
    case GhostConvention::Otherwise:
      return "something stands in";
    case GhostConvention::None:
      break;
  }
  return "none needed";
}

Json toJson(const BoundaryCounts& counts) {
  return {{"interior", counts.interior}, {"halo", counts.halo},      {"halo_keeps_value", counts.haloKept},
          {"ghost", counts.ghosts},      {"output", counts.outputs}, {"keeps_value", counts.kept}};
}

Json toJson(const experiment::Experiment& experiment, const BlockBoundary& boundary,
            const std::optional<std::int64_t>& plane) {
  Json json = {{"kernel", experiment.file.id}};
  if (boundary.stencil) { json["block"] = {boundary.block.x, boundary.block.y, boundary.block.z}; }
  if (!boundary.reason.empty()) {
    json["reason"] = boundary.reason;
    return json;
  }
  json["input"] = boundary.input;
  json["output"] = boundary.output;
  json["extents"] = boundary.extents;
  json["counts"] = toJson(countAll(boundary));
  json["ghost_cells_in_sums"] = boundary.neededGhosts();
  json["ghost_cells_count_as"] = word(boundary.convention);
  json["halo_cells_that_keep_their_value"] = boundary.keptInHalo();
  if (plane) {
    json["plane"] = *plane;
    json["counts_in_plane"] = toJson(countPlane(boundary, *plane));
  }
  return json;
}

void print(const BlockBoundary& boundary, const std::optional<std::int64_t>& plane) {
  if (!boundary.reason.empty()) {
    fmt::print("{}\n", boundary.reason);
    return;
  }
  const BoundaryCounts counts = plane ? countPlane(boundary, *plane) : countAll(boundary);
  fmt::print("block {} {}\n", text(boundary.block), plane ? fmt::format("in plane {}", *plane) : "in all planes");
  fmt::print("  interior points   {:>8}   loaded, and computed by this block\n", counts.interior);
  fmt::print("  halo cells        {:>8}   loaded beside the output tile\n", counts.halo);
  fmt::print("  ... at the border {:>8}   of these: border points that keep their value\n", counts.haloKept);
  fmt::print("  ghost cells       {:>8}   outside the array\n", counts.ghosts);
  fmt::print("  output cells      {:>8}   written by this block\n", counts.outputs);
  fmt::print("  keep their value  {:>8}   written by no block of the grid\n", counts.kept);
  fmt::print("{}\n", ghostSentence(boundary));
}

}  // namespace

FigureRun addBoundaryFigure(CLI::App& command) {
  auto options = std::make_shared<BoundaryOptions>();
  options->kernel.addTo(command, true);
  command.add_option("--plane", options->figure.plane, "Count in this plane of a 3D grid");
  return [options](const Catalogue& catalogue) {
    const auto experiment = options->kernel.run(catalogue);
    const BlockBoundary boundary = figures::blockBoundary(*experiment);
    expectPlane(options->figure, boundary);
    if (options->kernel.json) {
      std::cout << toJson(*experiment, boundary, options->figure.plane).dump(2) << '\n';
    } else {
      print(boundary, options->figure.plane);
    }
    return ExitCode::Good;
  };
}

}  // namespace haloscope
