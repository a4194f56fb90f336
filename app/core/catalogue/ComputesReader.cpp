#include "catalogue/ComputesReader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "language/Text.h"

namespace haloscope {

namespace {

std::vector<std::array<int, 3>> readTaps(const HeaderReader& header, const YAML::Node& node) {
  if (!node.IsSequence()) {
    header.fail(node, tr("\"taps\" must be a list of offsets, slowest axis first: [[0, 0, -1], …]"));
  }
  std::vector<std::array<int, 3>> taps;
  for (const auto& entry : node) {
    if (!entry.IsSequence() || entry.size() < 1 || entry.size() > 3) {
      header.fail(entry, tr("an offset has one to three integers, slowest axis first"));
    }
    std::array<int, 3> tap{};
    for (std::size_t axis = 0; axis < entry.size(); ++axis) {
      const std::int64_t offset = header.integer(entry[axis], tr("an offset"));
      if (offset < -Computes::kMaxOffset || offset > Computes::kMaxOffset) {
        header.fail(entry[axis], trf("an offset lies between -{0} and {0}", Computes::kMaxOffset));
      }
      tap[3 - entry.size() + axis] = static_cast<int>(offset);
    }
    taps.push_back(tap);
  }
  return taps;
}

std::vector<std::string> readFactors(const HeaderReader& header, const YAML::Node& node) {
  if (!node.IsSequence() || node.size() == 0) {
    header.fail(node, tr("\"product\" lists an array for each axis of the window: [column, row]"));
  }
  std::vector<std::string> factors;
  for (const YAML::Node& entry : node) { factors.push_back(header.text(entry, tr("an array of the product"))); }
  return factors;
}

}  // namespace

Computes readComputes(const HeaderReader& header, const YAML::Node& node) {
  header.expectKeys(node, "computes", {"output", "input", "weights", "taps", "window", "border", "steps", "points"});
  Computes computes;
  computes.output = header.text(header.need(node, "computes", "output"), "output");
  computes.input = header.text(header.need(node, "computes", "input"), "input");
  const YAML::Node weights = header.need(node, "computes", "weights");
  if (weights.IsSequence()) {
    computes.coefficients = header.expressions(weights, "weights", 0);
    if (computes.coefficients.empty()) { header.fail(weights, tr("\"weights\" needs an expression for each tap")); }
  } else if (weights.IsMap()) {
    header.expectKeys(weights, "weights", {"product"});
    computes.factors = readFactors(header, header.need(weights, "weights", "product"));
  } else {
    computes.weights = header.text(weights, tr("weights, an array's name or a list of expressions,"));
  }
  if (static_cast<bool>(node["taps"]) == static_cast<bool>(node["window"])) {
    header.fail(node, tr("computes needs either \"taps\" (a list of offsets) or \"window\" (a radius for each axis)"));
  }
  if (node["taps"]) {
    computes.taps = readTaps(header, node["taps"]);
  } else {
    computes.window = header.expressions(node["window"], "window", 0);
    if (computes.window.empty() || computes.window.size() > 3) {
      header.fail(node["window"], tr("\"window\" has one radius for each axis, one to three"));
    }
  }
  if (!computes.factors.empty() && computes.factors.size() != computes.window.size()) {
    header.fail(weights, trf("a product of {} arrays needs a \"window\" with as many radii", computes.factors.size()));
  }
  const YAML::Node border = header.need(node, "computes", "border");
  const std::string text = header.text(border, "border");
  if (text == "keeps its value") {
    computes.border = Computes::Border::Keeps;
  } else if (text == "ghost cells are zero") {
    computes.border = Computes::Border::Zero;
  } else {
    header.fail(border, trf("unknown border \"{}\"; known borders: keeps its value, ghost cells are zero", text));
  }
  if (const YAML::Node steps = node["steps"]) { computes.steps = header.expression(steps, "steps"); }
  if (const YAML::Node points = node["points"]) { computes.points = header.expressions(points, "points", 0); }
  return computes;
}

}  // namespace haloscope
