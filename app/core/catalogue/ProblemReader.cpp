#include "catalogue/ProblemReader.h"

#include <algorithm>
#include <set>

#include "language/Text.h"

namespace haloscope {

namespace {

void expectArray(const HeaderReader& header, const YAML::Node& node, const KernelFile& file, const std::string& name) {
  if (file.findArray(name) == nullptr) { header.fail(node, trf("\"{}\" is not among the arrays", name)); }
}

/// A formula whose names the file knows.
TapFormula readFormula(const HeaderReader& header, const YAML::Node& node, const std::string& what,
                       const KernelFile& file) {
  try {
    TapFormula formula(header.text(node, what));
    for (const TapFormula::Tap& tap : formula.taps()) { expectArray(header, node, file, tap.array); }
    for (const std::string& name : formula.scalars()) {
      const bool index = name == "x" || name == "y" || name == "z";
      const bool known =
          file.findSize(name) != nullptr || file.findTunable(name) != nullptr || file.arguments.contains(name);
      if (!index && !known) {
        header.fail(node,
                    trf("the formula \"{}\" has \"{}\", which is no size, tunable or argument", formula.text(), name));
      }
    }
    return formula;
  } catch (const SourceError&) { throw; } catch (const InputError& error) {
    header.fail(node, error.what());
  }
}

/// "0,1,0;1,-4,1;0,1,0": rows of a square with an odd edge.
std::vector<double> readWeights(const HeaderReader& header, const YAML::Node& node, const std::string& text) {
  std::vector<double> weights;
  std::size_t rows = 1;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(",;", at), text.size());
    try {
      weights.push_back(Expression(text.substr(at, end - at)).evaluate({}));
    } catch (const InputError& error) { header.fail(node, error.what()); }
    rows += end < text.size() && text[end] == ';' ? 1 : 0;
    at = end + 1;
  }
  if (weights.size() != rows * rows || rows % 2 == 0) {
    header.fail(node, tr("a filter has as many rows as columns, an odd number: 0,1,0;1,-4,1;0,1,0"));
  }
  return weights;
}

void expectMap(const HeaderReader& header, const YAML::Node& node, const char* what) {
  if (!node.IsMap()) { header.fail(node, trf("\"{}\" must be a list of \"NAME: …\"", what)); }
}

}  // namespace

Definition readDefinition(const HeaderReader& header, const YAML::Node& node, const KernelFile& file) {
  expectMap(header, node, "definition");
  Definition definition;
  const std::string border = header.text(header.need(node, "definition", "border"), "border");
  if (border == "ghost cells are zero") {
    definition.border = Definition::Border::Zero;
  } else if (border == "wraps around") {
    definition.border = Definition::Border::Wraps;
  } else if (border != "keeps its value") {
    header.fail(
        node["border"],
        trf("unknown border \"{}\"; known borders: keeps its value, ghost cells are zero, wraps around", border));
  }
  for (const auto& entry : node) {
    const std::string name = header.text(entry.first, "definition");
    if (name == "border") { continue; }
    expectArray(header, entry.first, file, name);
    definition.outputs.emplace_back(name, readFormula(header, entry.second, name, file));
  }
  if (definition.outputs.empty()) { header.fail(node, tr("\"definition\" has a formula for no array")); }
  return definition;
}

SweptProblem readProblem(const HeaderReader& header, const YAML::Node& node, const KernelFile& file) {
  header.expectKeys(
      node, "problem",
      {"shows", "legend", "range", "advance", "brush", "alternates", "residual", "filters", "size", "pace"});
  SweptProblem problem;
  problem.shows = header.text(header.need(node, "problem", "shows"), "shows");
  expectArray(header, node["shows"], file, problem.shows);
  problem.legend = header.text(header.need(node, "problem", "legend"), "legend");
  if (const YAML::Node range = node["range"]) {
    if (!range.IsSequence() || range.size() != 2) { header.fail(range, tr("\"range\" has two numbers")); }
    problem.range = {header.number(range[0], "range"), header.number(range[1], "range")};
    if ((*problem.range)[0] >= (*problem.range)[1]) { header.fail(range, tr("\"range\" is empty")); }
  }
  if (const YAML::Node advance = node["advance"]) {
    expectMap(header, advance, "advance");
    std::set<std::string> before, after;
    for (const auto& entry : advance) {
      const std::string to = header.text(entry.first, "advance");
      const std::string from = header.text(entry.second, "advance");
      expectArray(header, entry.first, file, to);
      expectArray(header, entry.second, file, from);
      if (!before.insert(to).second || !after.insert(from).second || to == from) {
        header.fail(entry.first, tr("each array takes the place of one other"));
      }
      const auto texts = [&](const std::string& name) {
        std::vector<std::string> all;
        for (const Expression& extent : file.findArray(name)->shape) { all.push_back(extent.text()); }
        return all;
      };
      if (texts(to) != texts(problem.shows) || texts(from) != texts(problem.shows)) {
        header.fail(entry.first, trf("arrays that change places have the shape of \"{}\"", problem.shows));
      }
      problem.advance.emplace_back(to, from);
    }
    if (std::ranges::all_of(before, [&](const std::string& name) { return after.contains(name); })) {
      header.fail(advance, tr("these arrays take each other's places in a circle: leave out the array that is free"));
    }
  }
  if (const YAML::Node brush = node["brush"]) {
    expectMap(header, brush, "brush");
    for (const auto& entry : brush) {
      const std::string name = header.text(entry.first, "brush");
      expectArray(header, entry.first, file, name);
      if (!entry.second.IsSequence() || entry.second.size() != 2) {
        header.fail(entry.second, tr("a brush has two numbers: what it paints, and what erases that"));
      }
      problem.brushes.push_back(
          {name, header.number(entry.second[0], "brush"), header.number(entry.second[1], "brush")});
    }
  }
  if (node["alternates"]) { problem.alternates = header.text(node["alternates"], "alternates"); }
  if (node["residual"]) { problem.residual = readFormula(header, node["residual"], "residual", file); }
  if (const YAML::Node filters = node["filters"]) {
    expectMap(header, filters, "filters");
    for (const auto& entry : filters) {
      problem.filters.push_back({header.text(entry.first, "filters"),
                                 readWeights(header, entry.second, header.text(entry.second, "filters"))});
    }
  }
  if (node["size"]) { problem.size = header.integer(node["size"], "size"); }
  if (node["pace"]) { problem.pace = header.number(node["pace"], "pace"); }
  const bool sized = std::ranges::all_of(file.sizes, [&](const SizeParameter& size) {
    return problem.size >= size.minimum && problem.size <= size.maximum;
  });
  if (!sized) { header.fail(node["size"], tr("\"size\" is outside the range of the sizes")); }
  return problem;
}

std::string SweptProblem::successor(const std::string& array) const {
  const auto next = std::ranges::find(advance, array, &std::pair<std::string, std::string>::first);
  if (next != advance.end()) { return next->second; }
  std::string first = array;
  while (true) {
    const auto before = std::ranges::find(advance, first, &std::pair<std::string, std::string>::second);
    if (before == advance.end()) { return first; }
    first = before->first;
  }
}

}  // namespace haloscope
