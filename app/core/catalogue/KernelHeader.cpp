#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "catalogue/ComputesReader.h"
#include "catalogue/KernelFile.h"
#include "catalogue/ProblemReader.h"
#include "catalogue/YamlReader.h"
#include "language/Text.h"
#include "program/Words.h"

// Reads the header of a kernel file.

namespace haloscope {

namespace {

constexpr int kMaxAxes = 3;

/// A size or a tunable: {default, min, max, meaning}.
template <typename Knob>
std::vector<Knob> readKnobs(const HeaderReader& header, const char* word) {
  std::vector<Knob> knobs;
  const YAML::Node node = header.root()[word];
  if (!node) { return knobs; }
  if (!node.IsMap()) {
    header.fail(node, trf("\"{}\" must be a list of \"NAME: {{default: …, min: …, max: …}}\"", word));
  }
  for (const auto& entry : node) {
    Knob knob;
    knob.name = header.text(entry.first, word);
    const std::string what = fmt::format("{} {}", word, knob.name);
    header.expectKeys(entry.second, what, {"default", "min", "max", "meaning"});
    knob.defaultValue = header.integer(header.need(entry.second, what, "default"), what + " default");
    knob.minimum = header.integer(header.need(entry.second, what, "min"), what + " min");
    knob.maximum = header.integer(header.need(entry.second, what, "max"), what + " max");
    if (knob.minimum > knob.maximum || knob.defaultValue < knob.minimum || knob.defaultValue > knob.maximum) {
      header.fail(entry.second, trf("{}: min {}, default {}, max {} are not in ascending order", what, knob.minimum,
                                    knob.defaultValue, knob.maximum));
    }
    if (const YAML::Node meaning = entry.second["meaning"]) {
      knob.meaning = header.text(meaning, what + tr(" meaning"));
    }
    knobs.push_back(knob);
  }
  return knobs;
}

/// 90 for "9.0".
int readCapability(const HeaderReader& header, const YAML::Node& node) {
  const std::string text = header.text(node, "compute_capability");
  const std::size_t point = text.find('.');
  const bool digits = std::ranges::all_of(text, [](char c) { return c == '.' || isDigit(c); });
  if (!digits || point == 0 || point > 2 || text.size() != point + 2 || text.back() == '.') {
    header.fail(node, trf("\"{}\" is not a compute capability, such as 9.0", text));
  }
  return std::stoi(text.substr(0, point)) * 10 + std::stoi(text.substr(point + 1));
}

Precision readPrecision(const HeaderReader& header, const YAML::Node& node) {
  header.expectKeys(node, "precision", {"macro", "types"});
  Precision precision;
  precision.macro = header.text(header.need(node, "precision", "macro"), tr("precision macro"));
  const YAML::Node types = header.need(node, "precision", "types");
  if (!types.IsSequence() || types.size() == 0) {
    header.fail(types, tr("\"types\" must be a list of half, float, double: the first is the default"));
  }
  for (const auto& entry : types) {
    try {
      const ValueType type = realTypeNamed(header.text(entry, tr("a type")));
      if (precision.offers(Precision::valueOf(type))) {
        header.fail(entry, trf("precision has the type {} twice", realTypeName(type)));
      }
      precision.types.push_back(type);
    } catch (const InputError& error) { header.fail(entry, error.what()); }
  }
  return precision;
}

}  // namespace

bool KernelFile::hasHeader(const std::string& text) { return text.find(HeaderReader::kOpening) != std::string::npos; }

KernelFile KernelFile::parse(std::string id, std::filesystem::path path, std::string text) {
  const HeaderReader header(path.string(), text);
  header.expectKeys(header.root(), tr("the header"),
                    {"title",      "book",     "idea",      "extends",          "climb",
                     "task",       "hint",     "order",     "kernel",           "compute_capability",
                     "sizes",      "tunables", "precision", "requires",         "arrays",
                     "arguments",  "launch",   "computes",  "first_derivative", "op_per_byte",
                     "definition", "problem",  "make"});  // the last: see making/MakeTask.h
  KernelFile file;
  file.id = std::move(id);
  file.path = std::move(path);
  file.chapter = file.id.substr(0, file.id.find('/'));
  file.firstCodeLine = header.firstCodeLine();
  const YAML::Node& root = header.root();
  file.title = header.text(header.need(root, tr("the header"), "title"), "title");
  file.book = root["book"] ? header.text(root["book"], "book") : "";
  file.idea = root["idea"] ? header.text(root["idea"], "idea") : "";
  if (root["extends"] && root["climb"]) {
    header.fail(root["climb"],
                tr("\"climb\" is the name of a climb, at its lowest rung, but this variant extends another"));
  }
  for (const auto& [word, value] : {std::pair("extends", &file.extends), std::pair("climb", &file.climb)}) {
    const YAML::Node node = root[word];
    if (!node) { continue; }
    *value = header.text(node, word);
    if (value->empty()) { header.fail(node, trf("\"{}\" is empty", word)); }
    file.rungAt = header.place(node);
  }
  file.task = root["task"] ? header.text(root["task"], "task") : "";
  file.hint = root["hint"] ? header.text(root["hint"], "hint") : "";
  file.kernel = root["kernel"] ? header.text(root["kernel"], "kernel") : "";
  file.order = root["order"] ? static_cast<int>(header.integer(root["order"], "order")) : 1000;
  if (const YAML::Node capability = root["compute_capability"]) {
    file.leastCapability = readCapability(header, capability);
  }
  file.sizes = readKnobs<SizeParameter>(header, "sizes");
  file.tunables = readKnobs<Tunable>(header, "tunables");
  if (const YAML::Node precision = root["precision"]) {
    file.precision = readPrecision(header, precision);
    const std::string& macro = file.precision->macro;
    if (file.findSize(macro) != nullptr || file.findTunable(macro) != nullptr) {
      header.fail(precision, trf("the precision's macro {} is a size or a tunable already", macro));
    }
  }

  if (const YAML::Node conditions = root["requires"]) {
    file.conditions = header.expressions(conditions, "requires", 0);
  }
  if (const YAML::Node arrays = header.need(root, tr("the header"), "arrays"); arrays.IsMap()) {
    for (const auto& entry : arrays) {
      ArrayDeclaration array;
      array.name = header.text(entry.first, "arrays");
      header.expectKeys(entry.second, tr("array ") + array.name, {"shape", "values", "tensor_map", "box"});
      const YAML::Node shape = header.need(entry.second, tr("array ") + array.name, "shape");
      array.shape = header.expressions(shape, "shape", 0);
      if (array.shape.size() > kMaxAxes) { header.fail(shape, tr("\"shape\" has at most three extents")); }
      if (const YAML::Node values = entry.second["values"]) { array.values = header.expression(values, "values"); }
      if (const YAML::Node map = entry.second["tensor_map"]) {
        array.tensorMap = header.text(map, "tensor_map");
        const YAML::Node box = header.need(entry.second, tr("array ") + array.name, "box");
        array.box = header.expressions(box, "box", array.shape.size());
      }
      file.arrays.push_back(array);
    }
  } else {
    header.fail(arrays, tr("\"arrays\" must be a list of \"NAME: {shape: […]}\""));
  }
  if (const YAML::Node arguments = root["arguments"]) {
    if (!arguments.IsMap()) { header.fail(arguments, tr("\"arguments\" must be a list of \"PARAMETER: expression\"")); }
    for (const auto& entry : arguments) {
      file.arguments[header.text(entry.first, "arguments")] = header.expression(entry.second, "arguments");
    }
  }

  const YAML::Node launch = header.need(root, tr("the header"), "launch");
  header.expectKeys(launch, "launch", {"grid", "block", "dynamic_shared_bytes"});
  const auto grid = header.expressions(header.need(launch, "launch", "grid"), tr("launch grid"), 3);
  const auto block = header.expressions(header.need(launch, "launch", "block"), tr("launch block"), 3);
  std::copy(grid.begin(), grid.end(), file.grid.begin());
  std::copy(block.begin(), block.end(), file.block.begin());
  if (launch["dynamic_shared_bytes"]) {
    file.dynamicSharedBytes = header.expression(launch["dynamic_shared_bytes"], "dynamic_shared_bytes");
  }
  if (root["computes"]) { file.computes = readComputes(header, root["computes"]); }
  if (root["op_per_byte"]) { file.opPerByte = header.expression(root["op_per_byte"], "op_per_byte"); }

  // Every expression must have a value at the defaults, so that a misspelt name is found when the file is read.
  const Bindings defaults = file.defaults();
  const auto check = [&](const Expression& expression, const YAML::Node& node) {
    for (const std::string& type : expression.sizedTypes()) {
      if (file.isPrecision(type)) { continue; }
      header.fail(node, trf("in the expression \"{}\": sizeof takes {}", expression.text(),
                            file.precision ? tr("the precision's macro ") + file.precision->macro
                                           : std::string(tr("the macro of \"precision\", which is missing"))));
    }
    try {
      static_cast<void>(expression.evaluate(defaults));
    } catch (const InputError& error) { header.fail(node, error.what()); }
  };
  for (const Expression& condition : file.conditions) { check(condition, root["requires"]); }
  for (int axis = 0; axis < 3; ++axis) {
    check(file.grid[static_cast<std::size_t>(axis)], launch["grid"]);
    check(file.block[static_cast<std::size_t>(axis)], launch["block"]);
  }
  if (file.dynamicSharedBytes) { check(*file.dynamicSharedBytes, launch["dynamic_shared_bytes"]); }
  for (const ArrayDeclaration& array : file.arrays) {
    for (const Expression& extent : array.shape) { check(extent, root["arrays"][array.name]); }
    for (const Expression& extent : array.box) { check(extent, root["arrays"][array.name]["box"]); }
    if (array.values) {
      const YAML::Node node = root["arrays"][array.name]["values"];
      try {
        array.values->evaluateOver({1, 1, 1}, defaults, [](double) {});
      } catch (const InputError& error) { header.fail(node, error.what()); }
    }
  }
  for (const auto& [name, value] : file.arguments) { check(value, root["arguments"][name]); }
  if (file.opPerByte) { check(*file.opPerByte, root["op_per_byte"]); }
  if (file.computes) {
    std::vector<std::string> named = file.computes->weightArrays();
    named.insert(named.begin(), {file.computes->output, file.computes->input});
    for (const std::string& name : named) {
      if (std::none_of(file.arrays.begin(), file.arrays.end(), [&](const auto& a) { return a.name == name; })) {
        header.fail(root["computes"], trf("computes names \"{}\", which is not among the arrays", name));
      }
    }
    for (const Expression& radius : file.computes->window) { check(radius, root["computes"]["window"]); }
    try {
      static_cast<void>(file.steps(defaults));
    } catch (const InputError& error) { header.fail(root["computes"]["steps"], error.what()); }
    for (const Expression& count : file.computes->points) { check(count, root["computes"]["points"]); }
    try {
      static_cast<void>(file.points(defaults));
    } catch (const InputError& error) { header.fail(root["computes"]["points"], error.what()); }
    const std::size_t taps = file.computes->taps.size();
    const std::size_t coefficients = file.computes->coefficients.size();
    if (taps != 0 && coefficients != 0 && taps != coefficients) {
      header.fail(root["computes"]["weights"], trf("there are {} weights for {} taps", coefficients, taps));
    }
    try {
      static_cast<void>(file.coefficients(defaults));
    } catch (const InputError& error) { header.fail(root["computes"]["weights"], error.what()); }
  }
  if (const YAML::Node node = root["first_derivative"]) {
    if (!file.computes) {
      header.fail(node, tr("first_derivative is about the taps of \"computes\", which is missing"));
    }
    if (file.computes->steps != Expression()) { header.fail(node, tr("first_derivative is taken in one step")); }
    if (!file.computes->factors.empty()) { header.fail(node, tr("first_derivative takes its weights from one array")); }
    try {
      std::vector<double> coefficients;
      for (const Expression& one : header.expressions(node, "first_derivative", 0)) {
        coefficients.push_back(one.evaluate({}));
      }
      file.firstDerivative = Derivative::of(coefficients, file.taps(defaults));
    } catch (const InputError& error) { header.fail(node, error.what()); }
  }
  if (const YAML::Node node = root["definition"]) {
    if (file.computes) { header.fail(node, tr("the result is stated twice: by \"computes\" and by \"definition\"")); }
    file.definition = readDefinition(header, node, file);
  }
  if (const YAML::Node node = root["problem"]) { file.problem = readProblem(header, node, file); }
  file.text = std::move(text);
  return file;
}

}  // namespace haloscope
