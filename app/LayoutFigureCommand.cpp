#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "Commands.h"
#include "FigureCommands.h"
#include "FigureKernel.h"
#include "figures/GridLayout.h"
#include "figures/StencilShape.h"
#include "figures/WarpLayout.h"
#include "recording/GridShape.h"

/// `haloscope figure layout`: where the points that belong together lie in the linear array.
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

constexpr int kLargestEdge = 1024;

struct LayoutOptions {
  FigureKernel kernel;
  int edge = 5;
  std::string point;                  ///< "K,J,I", slowest axis first; empty: the middle one
  std::optional<std::uint32_t> warp;  ///< of the block; none: one point of a small grid
};

Json toJson(const NeededElements& needed) {
  return {{"elements", needed.elements},
          {"sectors", needed.sectors},
          {"least_sectors", needed.least},
          {"outside", needed.outside}};
}

/// What one point needs in a grid with this edge.
Json pointJson(const experiment::Experiment& experiment, const StencilShape& shape, const LayoutOptions& options) {
  const std::vector<std::int64_t> extents(shape.rank(), options.edge);
  const recording::GridShape grid(extents);
  const std::int64_t middle = options.edge / 2;
  GridPoint at{shape.rank() > 2 ? middle : 0, shape.rank() > 1 ? middle : 0, middle};
  if (!options.point.empty()) {
    try {
      at = grid.point(parseCell(options.point, "the grid", extents));
    } catch (const InputError&) {
      throw InputError(fmt::format("--point {}: write {} whole numbers from 0 to {}, slowest axis first, with commas",
                                   options.point, extents.size(), options.edge - 1));
    }
  }
  std::vector<GridPoint> points;
  for (const ShapePoint& point : shape.points) { points.push_back(at + point.offset); }
  const int bytes = sizeInMemory(experiment.program->objects[experiment.footprint.input].element);
  Json orders = Json::array();
  for (const figures::IndexOrder order : kIndexOrders) {
    const GridLayout layout(extents, bytes, order);
    Json one = {{"order", layout.name()}, {"index", layout.formula(shape.input)}, {"point", layout.index(at)}};
    one.update(toJson(neededElements(layout, points)));
    orders.push_back(std::move(one));
  }
  return {{"extents", extents}, {"element_bytes", bytes}, {"from", "formula"}, {"orders", std::move(orders)}};
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

void printLayout(const Json& layout) {
  if (layout.contains("reason")) {
    fmt::print("{}\n", layout["reason"].get<std::string>());
    return;
  }
  if (layout.contains("orders")) {
    for (const Json& order : layout["orders"]) {
      fmt::print("{:<28}{} elements in {} sectors of 32 bytes (at least {}): {}\n", order["index"].get<std::string>(),
                 order["elements"].size(), order["sectors"].size(), order["least_sectors"].get<int>(),
                 order["elements"].dump());
    }
    return;
  }
  const auto line = [](const std::string& name, const Json& one) {
    std::string text = fmt::format("{:<24}", name);
    for (const auto& [key, value] : one.items()) {
      if (key != "needed_for") { text += fmt::format("  {} {}", key, value.dump()); }
    }
    fmt::print("{}\n", text);
  };
  line("all points together", layout["together"]);
  for (const Json& operand : layout["operands"]) { line(operand["needed_for"].get<std::string>(), operand); }
  line("executed", layout["executed"]);
}

}  // namespace

FigureRun addLayoutFigure(CLI::App& command) {
  auto options = std::make_shared<LayoutOptions>();
  options->kernel.addTo(command, true);
  command.add_option("--edge", options->edge, "Grid points along each axis of the small grid")
      ->check(CLI::Range(1, kLargestEdge))
      ->capture_default_str();
  CLI::Option* point =
      command.add_option("--point", options->point, "The point of the small grid: K,J,I, slowest axis first");
  command.add_option("--warp", options->warp, "What this warp of the block needs, in the kernel's own array")
      ->excludes(point);
  return [options](const Catalogue& catalogue) {
    const auto experiment = options->kernel.run(catalogue);
    const StencilShape shape = figures::stencilShape(*experiment);
    const std::uint32_t warps = experiment->configuration.warpsPerBlock();
    if (options->warp && *options->warp >= warps) {
      throw InputError(fmt::format("--warp {}: a block of this launch has {} warps", *options->warp, warps));
    }
    if (shape.rank() == 3 && options->edge > 128) { throw InputError("--edge: of three axes, at most 128"); }
    Json json = {{"kernel", experiment->file.id}, {"title", title(shape)}};
    if (!shape.reason.empty()) {
      json["reason"] = shape.reason;
    } else if (options->warp) {
      json.update(warpJson(warpLayout(*experiment, shape, *options->warp), shape));
    } else {
      json.update(pointJson(*experiment, shape, *options));
    }
    if (options->kernel.json) {
      std::cout << json.dump(2) << '\n';
    } else {
      printLayout(json);
    }
    return ExitCode::Good;
  };
}

}  // namespace haloscope
