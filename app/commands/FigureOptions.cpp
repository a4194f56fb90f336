#include "commands/FigureOptions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "commands/Commands.h"
#include "experiment/Experiment.h"
#include "figures/BlockBoundary.h"
#include "figures/OpPerByteCurve.h"
#include "figures/SmallGrid.h"
#include "figures/StencilShape.h"
#include "recording/GridShape.h"

namespace haloscope {

namespace {

constexpr int kLargestEdge = 1024, kLargestSolidEdge = 128;

using FigureIds = std::array<std::string_view, 3>;

/// One option, and the figures that have it.
struct FigureOption {
  const char* name;
  FigureIds figures;
  CLI::Option* (*add)(CLI::App& command, FigureOptions& options);

  [[nodiscard]] bool isOf(std::string_view figure) const { return std::ranges::find(figures, figure) != figures.end(); }
};

constexpr std::array kOptions = {
    FigureOption{"--points",
                 {"discretise"},
                 [](CLI::App& command, FigureOptions& options) {
                   return command.add_option("--points", options.points, "Grid points of the sine, from 0 to pi")
                       ->check(CLI::Range(figures::kFewestSamples, figures::kMostSamples));
                 }},
    FigureOption{"--type",
                 {"discretise"},
                 [](CLI::App& command, FigureOptions& options) {
                   return command
                       .add_option("--type", options.type, "Of the samples' derivatives: half, float or double")
                       ->check(CLI::IsMember({"half", "float", "double"}));
                 }},
    FigureOption{"--over",
                 {"opb"},
                 [](CLI::App& command, FigureOptions& options) {
                   return command.add_option("--over", options.over,
                                             "Tunable that runs along the curve (default: the first of a tile)");
                 }},
    FigureOption{"--gpu",
                 {"opb", "tail", "registers"},
                 [](CLI::App& command, FigureOptions& options) {
                   return command.add_option("--gpu", options.target.gpu,
                                             "A GPU of assets/gpus.json, or a part of its name");
                 }},
    FigureOption{"--arch",
                 {"opb", "tail", "registers"},
                 [](CLI::App& command, FigureOptions& options) {
                   return command.add_option("--arch", options.target.architecture,
                                             "An architecture, such as sm_75, sm_86 or sm_90, instead of a GPU");
                 }},
    FigureOption{"--sizes",
                 {"registers"},
                 [](CLI::App& command, FigureOptions& options) -> CLI::Option* {
                   return command.add_flag("--sizes", options.sizes,
                                           "This kernel alone, at each size of its tile or block");
                 }},
    FigureOption{"--edge",
                 {"layout"},
                 [](CLI::App& command, FigureOptions& options) {
                   return command.add_option("--edge", options.edge, "Grid points along each axis of the small grid")
                       ->check(CLI::Range(1, kLargestEdge));
                 }},
    FigureOption{"--point",
                 {"layout"},
                 [](CLI::App& command, FigureOptions& options) {
                   return command.add_option("--point", options.point,
                                             "The point of the small grid: K,J,I, slowest axis first");
                 }},
    FigureOption{"--warp",
                 {"layout"},
                 [](CLI::App& command, FigureOptions& options) {
                   return command.add_option("--warp", options.warp,
                                             "What this warp of the block needs, in the kernel's own array");
                 }},
};

std::vector<std::string_view> namesOf(const FigureIds& figures) {
  std::vector<std::string_view> names;
  std::ranges::copy_if(figures, std::back_inserter(names), [](std::string_view one) { return !one.empty(); });
  return names;
}

/// "layout", "opb, tail or registers"
std::string eitherOf(const FigureIds& figures) {
  const std::vector<std::string_view> names = namesOf(figures);
  if (names.size() == 1) { return std::string(names.front()); }
  return fmt::format("{} or {}", fmt::join(std::span(names).first(names.size() - 1), ", "), names.back());
}

}  // namespace

void addFigureOptions(CLI::App& command, const std::string& figure, FigureOptions& options) {
  for (const FigureOption& one : kOptions) {
    if (one.isOf(figure)) { one.add(command, options); }
  }
}

void addAllFigureOptions(CLI::App& command, FigureOptions& options) {
  for (const FigureOption& one : kOptions) {
    CLI::Option* added = one.add(command, options);
    added->description(fmt::format("With --figure {}: {}", eitherOf(one.figures), added->get_description()));
  }
}

void expectOptionsOf(const CLI::App& command, const std::string& figure) {
  for (const FigureOption& one : kOptions) {
    const CLI::Option* option = command.get_option_no_throw(one.name);
    if (option == nullptr || option->count() == 0 || (!figure.empty() && one.isOf(figure))) { continue; }
    throw InputError(figure.empty() ? fmt::format("{} belongs to --figure {}", one.name, eitherOf(one.figures))
                                    : fmt::format("{}: the figure \"{}\" has no such option; it belongs to --figure {}",
                                                  one.name, figure, eitherOf(one.figures)));
  }
}

std::string tunableOf(const FigureOptions& options, const KernelFile& file) {
  if (options.over.empty()) { return figures::defaultTunable(file); }
  if (file.findTunable(options.over) != nullptr) { return options.over; }
  std::vector<std::string> known;
  for (const Tunable& tunable : file.tunables) { known.push_back(tunable.name); }
  throw InputError(fmt::format("--over {}: {} has no such tunable; it has: {}", options.over, file.id,
                               known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
}

LayoutFigure layoutOf(const FigureOptions& options, const experiment::Experiment& experiment,
                      const figures::StencilShape& shape) {
  LayoutFigure layout;
  if (options.warp) {
    const char* const ofPoint = options.edge ? "--edge" : options.point.empty() ? nullptr : "--point";
    if (ofPoint != nullptr) {
      throw InputError(
          fmt::format("{} is about a point of the small grid, --warp about the kernel's own array: give "
                      "one of them",
                      ofPoint));
    }
    const std::uint32_t warps = experiment.configuration.warpsPerBlock();
    if (*options.warp >= warps) {
      throw InputError(fmt::format("--warp {}: a block of this launch has {} {}", *options.warp, warps,
                                   warps == 1 ? "warp" : "warps"));
    }
    layout.ofWarp = true;
    layout.warpIndex = *options.warp;
    return layout;
  }
  if (!shape.reason.empty()) { return layout; }
  const std::size_t rank = shape.rank();
  layout.edge = options.edge.value_or(figures::drawnEdges(shape).smallest);
  if (rank == 3 && layout.edge > kLargestSolidEdge) {
    throw InputError(fmt::format("--edge {}: of three axes, at most {}", layout.edge, kLargestSolidEdge));
  }
  if (options.point.empty()) { return layout; }
  const std::vector<std::int64_t> extents(rank, layout.edge);
  try {
    const recording::GridPoint at = recording::GridShape(extents).point(parseCell(options.point, "the grid", extents));
    layout.point = {at.z, at.y, at.x};
  } catch (const InputError&) {
    throw InputError(fmt::format("--point {}: write {} from 0 to {}{}", options.point,
                                 rank == 1 ? "one whole number" : fmt::format("{} whole numbers", rank),
                                 layout.edge - 1, rank == 1 ? "" : ", slowest axis first, with commas"));
  }
  return layout;
}

void expectPlane(const FigureOptions& options, const figures::BlockBoundary& boundary) {
  if (!options.plane || !boundary.reason.empty()) { return; }
  if (boundary.extents.size() < 3) {
    throw InputError(fmt::format("--plane {}: {} has {}, so there is no other plane", *options.plane, boundary.input,
                                 boundary.extents.size() == 1 ? "one axis" : "two axes"));
  }
  const std::int64_t low = std::min<std::int64_t>(0, boundary.lowest.z);
  const std::int64_t high = std::max(recording::GridShape(boundary.extents).planes() - 1, boundary.highest.z);
  if (*options.plane < low || *options.plane > high) {
    throw InputError(fmt::format("--plane {}: there are planes {} to {}", *options.plane, low, high));
  }
}

}  // namespace haloscope
