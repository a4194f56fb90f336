#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "book/Figure.h"
#include "book/FigureCommand.h"
#include "book/FigureTask.h"
#include "figures/GridLayout.h"
#include "figures/SmallGrid.h"
#include "figures/StencilShape.h"
#include "figures/WarpLayout.h"
#include "language/Text.h"
#include "options/OutputCell.h"
#include "recording/GridShape.h"
#include "state/AppState.h"
#include "text/Print.h"

/// Where the points that belong together lie in the linear array.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::GridLayout;
using figures::kIndexOrders;
using figures::NeededElements;
using figures::ShapePoint;
using figures::StencilShape;
using figures::WarpLayout;
using figures::WarpOperand;
using recording::GridPoint;

Json toJson(const NeededElements& needed) {
  return {{"elements", needed.elements},
          {"sectors", needed.sectors},
          {"least_sectors", needed.least},
          {"outside", needed.outside}};
}

/// What one point of the small grid needs.
Json pointJson(const experiment::Experiment& experiment, const StencilShape& shape, const LayoutFigure& layout) {
  const std::vector<std::int64_t> extents(shape.rank(), layout.edge);
  const GridPoint at = layout.point ? GridPoint{(*layout.point)[0], (*layout.point)[1], (*layout.point)[2]}
                                    : figures::pointNextToMiddle(shape.rank(), layout.edge);
  const std::array<std::int64_t, 3> coordinates = {at.z, at.y, at.x};
  std::vector<GridPoint> points;
  for (const ShapePoint& point : shape.points) { points.push_back(at + point.offset); }
  const int bytes = sizeInMemory(experiment.program->objects[experiment.footprint.input].element);
  Json orders = Json::array();
  for (const figures::IndexOrder order : kIndexOrders) {
    const GridLayout linear(extents, bytes, order);
    Json one = {{"order", linear.name()}, {"index", linear.formula(shape.input)}, {"point", linear.index(at)}};
    one.update(toJson(neededElements(linear, points)));
    orders.push_back(std::move(one));
  }
  const std::int64_t outside = orders[0]["outside"];
  return {{"extents", extents},
          {"element_bytes", bytes},
          {"from", "formula"},
          {"point", std::vector(coordinates.end() - static_cast<std::ptrdiff_t>(shape.rank()), coordinates.end())},
          {"border", outside > 0 ? Json(figures::borderText(outside)) : Json(nullptr)},
          {"orders", std::move(orders)}};
}

Json warpJson(const WarpLayout& warp, const StencilShape& shape) {
  if (!warp.reason.empty()) { return {{"warp", warp.warp}, {"reason", warp.reason}}; }
  const auto both = [&](const std::array<NeededElements, kIndexOrders.size()>& needed) {
    Json json = {{"elements", needed[0].elements.size()}, {"least_sectors", needed[0].least}};
    for (std::size_t i = 0; i < kIndexOrders.size(); ++i) {
      const GridLayout layout(warp.extents, warp.elementBytes, kIndexOrders[i]);
      json["sectors_" + layout.name().substr(0, 1) + "_fastest"] = needed[i].sectors.size();
    }
    return json;
  };
  Json operands = Json::array();
  for (const WarpOperand& operand : warp.operands) {
    Json one = {{"needed_for", figures::pointName(shape.input, shape.rank(), operand.point.offset)}};
    one.update(both(operand.needed));
    one["executed_sectors"] = operand.executed ? Json(*operand.executed) : Json(nullptr);
    operands.push_back(std::move(one));
  }
  return {{"warp", warp.warp},
          {"extents", warp.extents},
          {"element_bytes", warp.elementBytes},
          {"lanes_that_compute", warp.computed.size()},
          {"together", both(warp.together)},
          {"operands", std::move(operands)},
          {"executed",
           {{"load_requests", warp.requests}, {"sectors", warp.sectors}, {"least_sectors", warp.idealSectors}}}};
}

void printPoint(const Json& layout) {
  trPrint("point {} of a grid of {}", layout["point"].dump(), layout["extents"].dump());
  if (!layout["border"].is_null()) { printText(", {}", layout["border"].get<std::string>()); }
  printText("\n");
  for (const Json& order : layout["orders"]) {
    const std::size_t elements = order["elements"].size();
    trPrint("{:<28}{} in {} of 32 bytes (at least {}): {}\n", order["index"].get<std::string>(),
            trn("{} element", "{} elements", elements, elements),
            figures::sectorText(static_cast<std::int64_t>(order["sectors"].size())), order["least_sectors"].get<int>(),
            order["elements"].dump());
  }
}

/// Sectors of 32 bytes for each point of the shape, in both orders of the indices.
void printWarp(const WarpLayout& warp, const StencilShape& shape) {
  std::array<std::string, kIndexOrders.size()> orders;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    orders.at(i) = GridLayout(warp.extents, warp.elementBytes, kIndexOrders.at(i)).name();
  }
  trPrint("warp {}: {}; sectors of 32 bytes\n", warp.warp,
          trn("{} lane computes", "{} lanes compute", warp.computed.size(), warp.computed.size()));
  printText("  {:<28}{:>9}{:>10}{:>12}{:>12}{:>10}\n", tr("needed for"), tr("elements"), tr("at least"), orders[0],
            orders[1], tr("executed"));
  const auto row = [](const std::string& name, const std::array<NeededElements, kIndexOrders.size()>& needed,
                      const std::string& executed) {
    printText("  {:<28}{:>9}{:>10}{:>12}{:>12}{:>10}\n", name, needed[0].elements.size(), needed[0].least,
              needed[0].sectors.size(), needed[1].sectors.size(), executed);
  };
  for (const WarpOperand& operand : warp.operands) {
    row(figures::pointName(shape.input, shape.rank(), operand.point.offset), operand.needed,
        operand.executed ? std::to_string(*operand.executed) : "-");
  }
  row(tr("all points"), warp.together, "-");
  trPrint("executed: {} of {}, {} (at least {})\n",
          trn("{} load request", "{} load requests", warp.requests, warp.requests), shape.input,
          figures::sectorText(warp.sectors), warp.idealSectors);
}

struct LayoutOptions {
  std::optional<int> edge;            ///< of the small grid; none: as small as the window draws it
  std::string point;                  ///< of the small grid: "K,J,I", slowest axis first; empty: one next to the middle
  std::optional<std::uint32_t> warp;  ///< of the block, instead of a point of the small grid
};

constexpr int kLargestEdge = 1024, kLargestSolidEdge = 128;

/// What to show of the linear array. Throws InputError for a point, a grid or a warp that does not exist, and for
/// options of a point combined with a warp. A kernel without a stencil has no grid: its point is not looked at.
LayoutFigure layoutOf(const LayoutOptions& options, const experiment::Experiment& experiment,
                      const StencilShape& shape) {
  LayoutFigure layout;
  if (options.warp) {
    const char* const ofPoint = options.edge ? "--edge" : options.point.empty() ? nullptr : "--point";
    if (ofPoint != nullptr) {
      throw InputError(
          trf("{} selects a point of the small grid, --warp lanes in the kernel's own array: give "
              "one of them",
              ofPoint));
    }
    const std::uint32_t warps = experiment.configuration.warpsPerBlock();
    if (*options.warp >= warps) {
      throw InputError(trn("--warp {}: a block of this launch has {} warp",
                           "--warp {}: a block of this launch has {} warps", warps, *options.warp, warps));
    }
    layout.ofWarp = true;
    layout.warpIndex = *options.warp;
    return layout;
  }
  if (!shape.reason.empty()) { return layout; }
  const std::size_t rank = shape.rank();
  layout.edge = options.edge.value_or(figures::drawnEdges(shape).smallest);
  if (rank == 3 && layout.edge > kLargestSolidEdge) {
    throw InputError(trf("--edge {}: at most {} in three dimensions", layout.edge, kLargestSolidEdge));
  }
  if (options.point.empty()) { return layout; }
  const std::vector<std::int64_t> extents(rank, layout.edge);
  try {
    const recording::GridPoint at =
        recording::GridShape(extents).point(parseCell(options.point, tr("the grid"), extents));
    layout.point = {at.z, at.y, at.x};
  } catch (const InputError&) {
    throw InputError(trf("--point {}: write {} from 0 to {}{}", options.point,
                         rank == 1 ? tr("one integer") : trf("{} integers", rank), layout.edge - 1,
                         rank == 1 ? "" : tr(", separated by commas, slowest axis first")));
  }
  return layout;
}

class LayoutCommand final : public FigureCommand {
 public:
  void addTo(CLI::App& command) override {
    kernel_.addTo(command, true);
    addOwn(command);
  }
  void addOwn(CLI::App& command) override {
    command.add_option("--edge", options_.edge, tr("Grid points along each axis of the small grid"))
        ->check(CLI::Range(1, kLargestEdge));
    command.add_option("--point", options_.point, tr("Point of the small grid, K,J,I, slowest axis first"));
    command.add_option("--warp", options_.warp, tr("Show what this warp of the block needs in the kernel's own array"));
  }
  void print(const Catalogue& catalogue) const override {
    const auto experiment = kernel_.run(catalogue);
    expectNoLaunch(experiment->file);
    const StencilShape shape = figures::stencilShape(*experiment);
    const LayoutFigure wanted = layoutOf(options_, *experiment, shape);
    std::optional<WarpLayout> warp;
    if (wanted.ofWarp) { warp = warpLayout(*experiment, shape, wanted.warpIndex); }
    const std::string& reason = warp ? warp->reason : shape.reason;
    Json json = {{"kernel", experiment->file.id}, {"title", title(shape)}};
    if (warp) {
      json.update(warpJson(*warp, shape));
    } else if (!reason.empty()) {
      json["reason"] = reason;
    } else {
      json.update(pointJson(*experiment, shape, wanted));
    }
    if (kernel_.json) {
      printJson(json);
    } else if (!reason.empty()) {
      printText("{}\n", reason);
    } else if (warp) {
      printWarp(*warp, shape);
    } else {
      printPoint(json);
    }
  }
  void prepare(FigurePicture& of) const override {
    const StencilShape shape = figures::stencilShape(of.recorded);
    LayoutFigure& layout = of.state.figures.layout;
    layout = layoutOf(options_, of.recorded, shape);
    if (layout.ofWarp) {
      if (of.picture.element) {
        throw InputError(tr("--output-cell and --warp both select a thread: give one of them"));
      }
      of.picture.warp = layout.warpIndex;
      of.picture.firstFinding = false;
    } else if (options_.edge && shape.reason.empty()) {
      const figures::DrawnEdges drawn = figures::drawnEdges(shape);
      if (*options_.edge < drawn.smallest || *options_.edge > drawn.largest) {
        throw InputError(trf(
            "--edge {}: grids of {} to {} points along each axis are drawn; \"haloscope figure layout\" prints others",
            *options_.edge, drawn.smallest, drawn.largest));
      }
    }
  }

 private:
  /// Throws InputError for what chooses a block or a size, where one point of the small grid is shown.
  void expectNoLaunch(const KernelFile& file) const {
    if (options_.warp) { return; }
    const std::string size = kernel_.kernel.knobs.sizeOption(file);
    if (!size.empty()) {
      throw InputError(
          trf("{} applies to the kernel's own array, which --warp shows; for the small grid use --edge", size));
    }
    if (!kernel_.block.empty()) {
      throw InputError(
          trf("--block {} applies to the kernel's own grid, which --warp shows; a point of the small grid "
              "belongs to no block",
              kernel_.block));
    }
  }

  LayoutOptions options_;
};

struct LayoutRequest {
  FoundShape found;
  std::uint32_t warp = 0;
  bool operator==(const LayoutRequest& other) const {
    return found.experiment == other.found.experiment && warp == other.warp;
  }
};

struct FoundLayout {
  LayoutRequest request;
  std::shared_ptr<const WarpLayout> warp;
};

FoundLayout findLayout(const LayoutRequest& request, const std::stop_token&) {
  WarpLayout layout;
  try {
    layout = figures::warpLayout(*request.found.experiment, *request.found.shape, request.warp);
  } catch (const std::exception& problem) {
    layout.reason = trf("The loads of the warp could not be determined: {}", problem.what());
  }
  return {request, std::make_shared<const WarpLayout>(std::move(layout))};
}

std::unique_ptr<FigureWork> layoutWork(work::Pool& pool) {
  using Task = FigureTask<LayoutRequest, FoundLayout>;
  return std::make_unique<Task>(
      pool,
      [](const AppState& state) -> Task::Wanted {
        const Figures& figures = state.figures;
        if (!figures.shows("layout") || !figures.layout.ofWarp || figures.shape.shape == nullptr) { return {}; }
        return LayoutRequest{figures.shape, state.selection.thread / kWarpSize};
      },
      findLayout,
      [](AppState& state, FoundLayout found) {
        LayoutFigure& figure = state.figures.layout;
        figure.experiment = std::move(found.request.found.experiment);
        figure.warpIndex = found.request.warp;
        figure.warp = std::move(found.warp);
      });
}

}  // namespace

extern const Figure kLayoutFigure{
    trMark("The elements that a point, or a warp, needs in the linear array, and their sectors"),
    newCommand<LayoutCommand>, layoutWork};

}  // namespace haloscope
