#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/FigureCommands.h"
#include "commands/FigureKernel.h"
#include "commands/FigureOptions.h"
#include "figures/OpPerByteCurve.h"
#include "figures/ReuseBounds.h"
#include "figures/ThreadOrganisation.h"
#include "state/AppState.h"

/// `haloscope figure opb`: OP/B over a tunable.
namespace haloscope {
namespace {

using Json = nlohmann::ordered_json;
using figures::OpPerByteCurve;
using figures::OpPerBytePoint;
using figures::ReuseBound;
using figures::VariantReuse;

template <typename T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json pointJson(const OpPerBytePoint& point, const KernelFile& file) {
  Json json = {{"value", point.value}, {"formula", orNull(point.formula)}, {"formula_bound", orNull(point.bound)}};
  if (!point.count) {
    json["refused"] = point.refused;
    return json;
  }
  const figures::InteriorCount& count = *point.count;
  const figures::ThreadOrganisation organisation = figures::organisationOf(count.tile);
  json["executed"] = point.executed();
  Json sizes = Json::object();
  for (const SizeParameter& size : file.sizes) { sizes[size.name] = count.block.bindings.at(size.name); }
  json["executed_at_sizes"] = std::move(sizes);
  json["operations_per_output"] = count.operationsPerOutput();
  json["reuse_bound"] = count.reuseBound();
  json["halo_share"] = orNull(count.block.haloFraction);
  json["threads"] = count.work.threads;
  json["threads_without_output_share"] = count.withoutOutput();
  json["shared_bytes"] = point.sharedBytes;
  if (!count.tile.empty()) {
    json["input_tile_block"] = {{"idle_share_computing", organisation.idleComputing()}};
    json["output_tile_block"] = {{"load_turns", organisation.loadTurns()},
                                 {"idle_share_loading", organisation.idleLoading()}};
  }
  return json;
}

Json boundsJson() {
  Json bounds = Json::array();
  for (const ReuseBound& bound : figures::reuseBounds()) {
    bounds.push_back({{"dimensions", bound.dimensions},
                      {"order", bound.order},
                      {"stencil_points", bound.stencilPoints()},
                      {"stencil_op_per_byte", ReuseBound::opPerByte(bound.stencilPoints())},
                      {"convolution_points", bound.convolutionPoints()},
                      {"convolution_op_per_byte", ReuseBound::opPerByte(bound.convolutionPoints())}});
  }
  return bounds;
}

Json variantJson(const VariantReuse& variant) {
  return {{"kernel", variant.id},
          {"dimensions", variant.dimensions},
          {"order", variant.order},
          {"points", variant.points},
          {"operations_per_output", variant.operationsPerOutput},
          {"element_bytes", variant.elementBytes},
          {"reuse_bound", variant.bound},
          {"executed", variant.executed},
          {"threads_without_output_share", variant.withoutOutput},
          {"problem", variant.problem.empty() ? Json(nullptr) : Json(variant.problem)}};
}

Json toJson(const OpPerByteCurve& curve, const std::vector<VariantReuse>& variants) {
  Json points = Json::array();
  for (const OpPerBytePoint& point : curve.points) { points.push_back(pointJson(point, *curve.file)); }
  Json walls = Json::array();
  for (const figures::LaunchWall& wall : curve.walls) {
    walls.push_back({{"last_value", wall.last}, {"limit", wall.limit}, {"explanation", wall.explanation}});
  }
  Json executed = Json::array();
  for (const VariantReuse& variant : variants) { executed.push_back(variantJson(variant)); }
  return {{"kernel", curve.file->id},
          {"bindings", curve.bindings},
          {"over", curve.tunable.empty() ? Json(nullptr) : Json(curve.tunable)},
          {"formula", curve.file->opPerByte ? Json(curve.file->opPerByte->text()) : Json(nullptr)},
          {"problem", curve.problem.empty() ? Json(nullptr) : Json(curve.problem)},
          {"points", std::move(points)},
          {"walls", std::move(walls)},
          {"bounds_by_formula", boundsJson()},
          {"variants_executed", std::move(executed)}};
}

std::string numberOr(const std::optional<double>& value) { return value ? fmt::format("{:.4f}", *value) : "-"; }

void print(const OpPerByteCurve& curve, const std::vector<VariantReuse>& variants) {
  if (!curve.problem.empty()) { fmt::print("{}\n", curve.problem); }
  if (!curve.points.empty()) {
    fmt::print("{}: operations per byte loaded, over {}\n", curve.file->id, curve.tunable);
    fmt::print("{:>6}{:>10}{:>10}{:>10}{:>10}{:>8}{:>9}{:>16}{:>10}\n", "value", "formula", "bound", "executed",
               "reuse", "halo", "threads", "without output", "shared B");
  }
  for (const OpPerBytePoint& point : curve.points) {
    if (!point.count && !point.formula) {
      fmt::print("{:>6}  {}\n", point.value, point.refused);
      continue;
    }
    fmt::print("{:>6}{:>10}{:>10}", point.value, numberOr(point.formula), numberOr(point.bound));
    if (!point.count) {
      fmt::print("  {}\n", point.refused);
      continue;
    }
    const auto halo = point.count->block.haloFraction;
    const std::string other = point.otherSizes(*curve.file);
    fmt::print("{:>10.4f}{:>10.4f}{:>8}{:>9}{:>13.1f}%{:>9}{}\n", point.executed(), point.count->reuseBound(),
               halo ? fmt::format("{:.1f}%", 100 * *halo) : "-", point.count->work.threads,
               100 * point.count->withoutOutput(), point.sharedBytes, other.empty() ? "" : "  of a grid of " + other);
  }
  for (const figures::LaunchWall& wall : curve.walls) { fmt::print("wall at {}: {}\n", wall.last, wall.explanation); }
  fmt::print(
      "\nat most, if every 4-byte value is loaded once, 2 operations a point:\n{:>4}{:>7}{:>16}{:>8}{:>16}{:>8}\n",
      "dim", "order", "stencil points", "OP/B", "filter points", "OP/B");
  for (const ReuseBound& bound : figures::reuseBounds()) {
    fmt::print("{:>4}{:>7}{:>16}{:>8.1f}{:>16}{:>8.1f}\n", bound.dimensions, bound.order, bound.stencilPoints(),
               ReuseBound::opPerByte(bound.stencilPoints()), bound.convolutionPoints(),
               ReuseBound::opPerByte(bound.convolutionPoints()));
  }
  fmt::print("\nexecuted by the variants at their defaults:\n{:<34}{:>4}{:>7}{:>8}{:>10}{:>8}{:>10}\n", "variant",
             "dim", "order", "points", "op/output", "bound", "executed");
  for (const VariantReuse& variant : variants) {
    if (!variant.problem.empty()) {
      fmt::print("{:<34}{}\n", variant.id, variant.problem);
      continue;
    }
    fmt::print("{:<34}{:>4}{:>7}{:>8}{:>10.2f}{:>8.2f}{:>10.4f}\n", variant.id, variant.dimensions, variant.order,
               variant.points, variant.operationsPerOutput, variant.bound, variant.executed);
  }
}

struct OpPerByteOptions {
  FigureKernel kernel;
  FigureOptions figure;
};

ExitCode run(const OpPerByteOptions& options, const Catalogue& catalogue) {
  const ChosenKernel chosen = chosenKernel(catalogue, options.kernel.id, options.kernel.kernel);
  const auto file = std::make_shared<const KernelFile>(chosen.file);
  const std::string tunable = tunableOf(options.figure, *file);
  if (tunable.empty() && options.figure.target.given()) {
    throw InputError(
        fmt::format("{} has no tile size, block width or radius to turn: no GPU's limits stand in its way", file->id));
  }
  OpPerByteCurve curve = figures::planOpPerByte(file, file->bind(chosen.bindings), tunable);
  const figures::CodeTarget target = options.figure.target.find();
  figures::findWalls(curve, target.name, figures::computeCapability(target));
  for (OpPerBytePoint& point : curve.points) { figures::execute(*file, point); }
  std::vector<VariantReuse> variants;
  for (const KernelFile* variant : figures::variantsWithTaps(catalogue)) {
    variants.push_back(figures::variantReuse(*variant));
  }
  if (options.kernel.json) {
    std::cout << toJson(curve, variants).dump(2) << '\n';
  } else {
    print(curve, variants);
  }
  return ExitCode::Good;
}

}  // namespace

FigureRun addOpPerByteFigure(CLI::App& command) {
  auto options = std::make_shared<OpPerByteOptions>();
  options->kernel.addTo(command);
  addFigureOptions(command, "opb", options->figure);
  return [options](const Catalogue& catalogue) { return run(*options, catalogue); };
}

}  // namespace haloscope
