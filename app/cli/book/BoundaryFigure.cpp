#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "book/Figure.h"
#include "book/FigureCommand.h"
#include "book/FigureTask.h"
#include "figures/BlockBoundary.h"
#include "figures/ProblemText.h"
#include "language/Text.h"
#include "recording/GridShape.h"
#include "state/AppState.h"
#include "text/Print.h"

/// What the points around a block are to it.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::BlockBoundary;
using figures::BoundaryCounts;
using figures::GhostConvention;

const char* word(GhostConvention convention) {
  switch (convention) {
    case GhostConvention::Zero:
      return "zero";
    case GhostConvention::Otherwise:
      return tr("replaced by other values");
    case GhostConvention::None:
      break;
  }
  return tr("none needed");
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

void printCounts(const BlockBoundary& boundary, const std::optional<std::int64_t>& plane) {
  if (!boundary.reason.empty()) {
    printText("{}\n", boundary.reason);
    return;
  }
  const BoundaryCounts counts = plane ? countPlane(boundary, *plane) : countAll(boundary);
  trPrint("block {} {}\n", text(boundary.block), plane ? trf("in plane {}", *plane) : tr("in all planes"));
  trPrint("  interior points   {:>8}   loaded, and computed by this block\n", counts.interior);
  trPrint("  halo cells        {:>8}   loaded around the output tile\n", counts.halo);
  trPrint("  ... at the border {:>8}   of these: border points that keep their value\n", counts.haloKept);
  trPrint("  ghost cells       {:>8}   outside the array\n", counts.ghosts);
  trPrint("  output cells      {:>8}   written by this block\n", counts.outputs);
  trPrint("  keep their value  {:>8}   written by no block of the grid\n", counts.kept);
  printText("{}\n", ghostSentence(boundary));
}

/// Throws InputError for a --plane that the boundary's grid does not have.
void expectPlane(const std::optional<std::int64_t>& plane, const BlockBoundary& boundary) {
  if (!plane || !boundary.reason.empty()) { return; }
  if (boundary.extents.size() < 3) {
    throw InputError(trf("--plane {}: {} has {}, so there is no other plane", *plane, boundary.input,
                         boundary.extents.size() == 1 ? tr("one axis") : tr("two axes")));
  }
  const std::int64_t low = std::min<std::int64_t>(0, boundary.lowest.z);
  const std::int64_t high = std::max(recording::GridShape(boundary.extents).planes() - 1, boundary.highest.z);
  if (*plane < low || *plane > high) {
    throw InputError(trf("--plane {}: there are planes {} to {}", *plane, low, high));
  }
}

class BoundaryCommand final : public FigureCommand {
 public:
  void addTo(CLI::App& command) override {
    kernel_.addTo(command, true);
    kernel_.addDataTo(command);
    command.add_option("--plane", plane_, tr("Count in this plane of a 3D grid"));
  }
  void print(const Catalogue& catalogue) const override {
    const auto experiment = kernel_.run(catalogue);
    const BlockBoundary boundary = figures::blockBoundary(*experiment);
    expectPlane(plane_, boundary);
    if (kernel_.json) {
      printJson(toJson(*experiment, boundary, plane_));
    } else {
      printCounts(boundary, plane_);
    }
  }
  /// The figure says nothing about a step: --plane is a plane of its grid.
  void prepare(FigurePicture& of) const override {
    const auto plane = std::exchange(of.picture.place.plane, std::nullopt);
    expectPlane(plane, figures::blockBoundary(of.recorded));
    of.state.figures.boundary.plane = plane;
    if (plane) { of.picture.firstFinding = false; }  // it belongs to the block in which the plane was looked for
  }

 private:
  std::optional<std::int64_t> plane_;
};

/// The points around the focused block, as far as they could be found.
struct FoundBoundary {
  std::shared_ptr<const experiment::Experiment> experiment;
  std::shared_ptr<const BlockBoundary> boundary;
  std::string problem;
};

FoundBoundary findBoundary(const std::shared_ptr<const experiment::Experiment>& experiment,
                           const std::stop_token& stop) {
  FoundBoundary found{experiment, nullptr, {}};
  try {
    found.boundary = std::make_shared<const BlockBoundary>(figures::blockBoundary(*experiment, stop));
  } catch (const UserError& error) { found.problem = figures::problemText(experiment->file, error); }
  return found;
}

std::unique_ptr<FigureWork> boundaryWork(work::Pool& pool) {
  using Task = FigureTask<std::shared_ptr<const experiment::Experiment>, FoundBoundary>;
  return std::make_unique<Task>(
      pool,
      [](const AppState& state) -> Task::Wanted {
        if (!state.figures.shows("boundary") || state.experiment == nullptr || state.experiment->recording == nullptr) {
          return {};
        }
        return state.experiment;
      },
      findBoundary,
      [](AppState& state, FoundBoundary found) {
        BoundaryFigure& figure = state.figures.boundary;
        // The plane that a picture begins with was chosen before anything was found.
        if (figure.experiment != nullptr && figure.experiment != found.experiment) { figure.plane.reset(); }
        figure.experiment = std::move(found.experiment);
        figure.found = std::move(found.boundary);
        figure.problem = std::move(found.problem);
      });
}

}  // namespace

extern const Figure kBoundaryFigure{
    trMark("Interior, halo and ghost cells of a block, and points that keep their value"), newCommand<BoundaryCommand>,
    boundaryWork};

}  // namespace haloscope
