#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands/FigureCommands.h"
#include "commands/FigureKernel.h"
#include "commands/FigureOptions.h"
#include "figures/GridLayout.h"
#include "figures/SmallGrid.h"
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

struct LayoutOptions {
  FigureKernel kernel;
  FigureOptions figure;
};

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
                                    : figures::pointBesideMiddle(shape.rank(), layout.edge);
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
  fmt::print("point {} of a grid of {}", layout["point"].dump(), layout["extents"].dump());
  if (!layout["border"].is_null()) { fmt::print(", {}", layout["border"].get<std::string>()); }
  fmt::print("\n");
  for (const Json& order : layout["orders"]) {
    fmt::print("{:<28}{} {} in {} of 32 bytes (at least {}): {}\n", order["index"].get<std::string>(),
               order["elements"].size(), order["elements"].size() == 1 ? "element" : "elements",
               figures::sectorText(static_cast<std::int64_t>(order["sectors"].size())),
               order["least_sectors"].get<int>(), order["elements"].dump());
  }
}

/// Sectors of 32 bytes for each point of the shape, in both orders of the indices.
void printWarp(const WarpLayout& warp, const StencilShape& shape) {
  std::array<std::string, kIndexOrders.size()> orders;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    orders.at(i) = GridLayout(warp.extents, warp.elementBytes, kIndexOrders.at(i)).name();
  }
  fmt::print("warp {}: {} {}; sectors of 32 bytes\n", warp.warp, warp.computed.size(),
             warp.computed.size() == 1 ? "lane computes" : "lanes compute");
  fmt::print("  {:<28}{:>9}{:>10}{:>12}{:>12}{:>10}\n", "needed for", "elements", "at least", orders[0], orders[1],
             "executed");
  const auto row = [](const std::string& name, const std::array<NeededElements, kIndexOrders.size()>& needed,
                      const std::string& executed) {
    fmt::print("  {:<28}{:>9}{:>10}{:>12}{:>12}{:>10}\n", name, needed[0].elements.size(), needed[0].least,
               needed[0].sectors.size(), needed[1].sectors.size(), executed);
  };
  for (const WarpOperand& operand : warp.operands) {
    row(figures::pointName(shape.input, shape.rank(), operand.point.offset), operand.needed,
        operand.executed ? std::to_string(*operand.executed) : "-");
  }
  row("all points together", warp.together, "-");
  fmt::print("executed: {} load {} of {}, {} (at least {})\n", warp.requests,
             warp.requests == 1 ? "request" : "requests", shape.input, figures::sectorText(warp.sectors),
             warp.idealSectors);
}

/// Throws InputError for what chooses a block or a size, where one point of the small grid is shown.
void expectNoLaunch(const LayoutOptions& options, const KernelFile& file) {
  if (options.figure.warp) { return; }
  const std::string size = options.kernel.kernel.knobs.sizeOption(file);
  if (!size.empty()) {
    throw InputError(
        fmt::format("{} is of the kernel's own array, which --warp shows; the small grid has --edge", size));
  }
  if (!options.kernel.block.empty()) {
    throw InputError(
        fmt::format("--block {} is of the kernel's own grid, which --warp shows; a point of the small grid "
                    "belongs to no block",
                    options.kernel.block));
  }
}

}  // namespace

FigureRun addLayoutFigure(CLI::App& command) {
  auto options = std::make_shared<LayoutOptions>();
  options->kernel.addTo(command, true);
  addFigureOptions(command, "layout", options->figure);
  return [options](const Catalogue& catalogue) {
    const auto experiment = options->kernel.run(catalogue);
    expectNoLaunch(*options, experiment->file);
    const StencilShape shape = figures::stencilShape(*experiment);
    const LayoutFigure wanted = layoutOf(options->figure, *experiment, shape);
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
    if (options->kernel.json) {
      std::cout << json.dump(2) << '\n';
    } else if (!reason.empty()) {
      fmt::print("{}\n", reason);
    } else if (warp) {
      printWarp(*warp, shape);
    } else {
      printPoint(json);
    }
    return ExitCode::Good;
  };
}

}  // namespace haloscope
