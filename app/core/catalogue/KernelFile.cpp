#include "catalogue/KernelFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "catalogue/ComputesReader.h"
#include "catalogue/ProblemReader.h"
#include "catalogue/YamlReader.h"
#include "language/Text.h"
#include "program/Words.h"

namespace haloscope {

namespace {

constexpr int kMaxAxes = 3;
constexpr std::int64_t kMaxTaps = 100'000;
constexpr std::int64_t kMaxSteps = 64;

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

/// The first array, if any, with more elements than an int can count.
const ArrayDeclaration* beyondInt(const KernelFile& file, const Bindings& bindings) {
  const auto isBeyond = [&](const ArrayDeclaration& array) {
    double elements = 1;
    try {
      for (const Expression& extent : array.shape) { elements *= extent.evaluate(bindings); }
    } catch (const InputError&) { return false; }
    return elements > static_cast<double>(std::numeric_limits<std::int32_t>::max());
  };
  const auto found = std::ranges::find_if(file.arrays, isBeyond);
  return found == file.arrays.end() ? nullptr : &*found;
}

/// "; from N = 1291 on, in has more elements than a 32-bit index can name" where `bindings`, with a value of `name`
/// beyond its maximum, are that large; empty otherwise.
std::string overflowText(const KernelFile& file, const std::string& name, std::int64_t maximum, Bindings bindings) {
  const ArrayDeclaration* array = beyondInt(file, bindings);
  if (array == nullptr || file.findSize(name) == nullptr) { return {}; }
  std::int64_t low = maximum;  // not yet beyond, unless others are
  std::int64_t high = bindings.at(name);
  while (low + 1 < high) {
    bindings[name] = low + (high - low) / 2;
    (beyondInt(file, bindings) != nullptr ? high : low) = bindings.at(name);
  }
  return trf("; from {} = {} on, {} has more elements than a 32-bit index can name", name, high, array->name);
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

Bindings KernelFile::defaults() const {
  Bindings bindings;
  for (const SizeParameter& size : sizes) { bindings[size.name] = size.defaultValue; }
  for (const Tunable& tunable : tunables) { bindings[tunable.name] = tunable.defaultValue; }
  if (precision) { bindings[precision->macro] = precision->defaultValue(); }
  return bindings;
}

Bindings KernelFile::bind(const Bindings& chosen) const {
  Bindings bindings = defaults();
  for (const auto& [name, value] : chosen) {
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    if (const SizeParameter* size = findSize(name)) {
      minimum = size->minimum;
      maximum = size->maximum;
    } else if (const Tunable* tunable = findTunable(name)) {
      minimum = tunable->minimum;
      maximum = tunable->maximum;
    } else if (isPrecision(name)) {
      if (!precision->offers(value)) {
        throw InputError(
            trf("{}: {} has no type of {} bytes; it is one of {}", id, name, value, precision->typeNames()));
      }
      bindings[name] = value;
      continue;
    } else {
      std::vector<std::string> known;
      for (const auto& [knownName, unused] : bindings) { known.push_back(knownName); }
      throw InputError(trf("{} has no size or tunable \"{}\"; it has: {}", id, name, fmt::join(known, ", ")));
    }
    if (value < minimum || value > maximum) {
      Bindings wanted = bindings;
      for (const auto& [other, given] : chosen) { wanted[other] = given; }
      throw InputError(trf("{}: {} = {} is outside its range {} to {}{}", id, name, value, minimum, maximum,
                           overflowText(*this, name, maximum, wanted)));
    }
    bindings[name] = value;
  }
  for (const Expression& condition : conditions) {
    if (condition.evaluate(bindings) == 0) {
      std::vector<std::string> values;
      for (const auto& [name, value] : bindings) {
        if (condition.text().find(name) != std::string::npos) { values.push_back(fmt::format("{} = {}", name, value)); }
      }
      throw InputError(trf("{} needs {}, but {}", id, condition.text(), fmt::join(values, tr(" and "))));
    }
  }
  return bindings;
}

std::map<std::string, std::string> KernelFile::defines(const Bindings& bindings) const {
  std::map<std::string, std::string> all = macros;
  for (const std::string& name : macroNames()) { all[name] = valueText(name, bindings.at(name)); }
  return all;
}

std::vector<std::string> KernelFile::macroNames() const {
  std::vector<std::string> names;
  for (const Tunable& tunable : tunables) { names.push_back(tunable.name); }
  if (precision) { names.push_back(precision->macro); }
  return names;
}

bool KernelFile::offers(const std::string& name, std::int64_t value) const {
  if (isPrecision(name)) { return precision->offers(value); }
  const auto holds = [&](const auto* knob) {
    return knob != nullptr && value >= knob->minimum && value <= knob->maximum;
  };
  return holds(findSize(name)) || holds(findTunable(name));
}

const ArrayDeclaration* KernelFile::findArray(const std::string& name) const {
  const auto found = std::ranges::find(arrays, name, &ArrayDeclaration::name);
  return found == arrays.end() ? nullptr : &*found;
}

std::string KernelFile::valueText(const std::string& name, std::int64_t value) const {
  return isPrecision(name) ? realTypeName(value) : std::to_string(value);
}

std::string KernelFile::sizesText(const Bindings& bindings) const {
  std::vector<std::string> words;
  for (const SizeParameter& size : sizes) {
    const auto bound = bindings.find(size.name);
    if (bound != bindings.end()) { words.push_back(fmt::format("{} = {}", size.name, bound->second)); }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

LaunchConfiguration KernelFile::configuration(const Bindings& bindings) const {
  std::array<std::int64_t, 3> g{};
  std::array<std::int64_t, 3> b{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    g[axis] = grid[axis].evaluateInteger(bindings);
    b[axis] = block[axis].evaluateInteger(bindings);
    if (b[axis] < 1 || b[axis] > static_cast<std::int64_t>(kMaxThreadsPerBlock)) {
      throw InputError(trf("{}: the block has {} threads along {}; 1 to {} are possible", id, b[axis], "xyz"[axis],
                           kMaxThreadsPerBlock));
    }
    if (g[axis] < 1 || g[axis] > 2147483647 || (axis > 0 && g[axis] > 65535)) {
      throw InputError(trf("{}: the grid has {} blocks along {}; 1 to {} are possible", id, g[axis], "xyz"[axis],
                           axis == 0 ? 2147483647 : 65535));
    }
  }
  const std::int64_t threads = b[0] * b[1] * b[2];
  if (threads > static_cast<std::int64_t>(kMaxThreadsPerBlock)) {
    throw InputError(trf("{}: a block of {}×{}×{} has {} threads; a block can have at most {}", id, b[0], b[1], b[2],
                         threads, kMaxThreadsPerBlock));
  }
  if (b[2] > kMaxBlockZ) {
    throw InputError(trf("{}: the block has {} threads along z; at most {} are possible", id, b[2], kMaxBlockZ));
  }
  LaunchConfiguration launch{.cooperative = cooperative, .cluster = cluster};
  const auto toDim3 = [](const std::array<std::int64_t, 3>& v) {
    return Dim3{static_cast<std::uint32_t>(v[0]), static_cast<std::uint32_t>(v[1]), static_cast<std::uint32_t>(v[2])};
  };
  launch.grid = toDim3(g);
  launch.block = toDim3(b);
  if (dynamicSharedBytes) {
    launch.dynamicSharedBytes = dynamicSharedBytes->evaluateInteger(bindings);
    launch.sharedBytesLimit = kMaxRaisedSharedBytesPerBlock;
  }
  return launch;
}

std::vector<const Tunable*> KernelFile::coefficientsOfProblem() const {
  const auto isNamed = [](const std::string& expression, const std::string& name) {
    for (std::size_t at = expression.find(name); at != std::string::npos; at = expression.find(name, at + 1)) {
      const bool begins = at == 0 || !isWord(expression[at - 1]);
      const std::size_t end = at + name.size();
      if (begins && (end == expression.size() || !isWord(expression[end]))) { return true; }
    }
    return false;
  };
  std::vector<const Tunable*> found;
  for (const Tunable& tunable : tunables) {
    const bool inArgument = std::ranges::any_of(
        arguments, [&](const auto& argument) { return isNamed(argument.second.text(), tunable.name); });
    const bool inValues = std::ranges::any_of(arrays, [&](const ArrayDeclaration& array) {
      return array.values && isNamed(array.values->text(), tunable.name);
    });
    if (inArgument || inValues) { found.push_back(&tunable); }
  }
  return found;
}

std::vector<std::array<int, 3>> KernelFile::taps(const Bindings& bindings) const {
  if (!computes) { return {}; }
  if (computes->window.empty()) { return computes->taps; }
  std::array<int, 3> radius{};
  std::int64_t count = 1;
  const std::size_t axes = computes->window.size();
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::int64_t chosen = computes->window[axis].evaluateInteger(bindings);
    if (chosen < 0 || chosen > kMaxOffset) {
      throw InputError(trf("{}: the window has a radius of {} = {}; 0 to {} are possible", id,
                           computes->window[axis].text(), chosen, kMaxOffset));
    }
    radius[3 - axes + axis] = static_cast<int>(chosen);
    count *= 2 * chosen + 1;
  }
  if (count > kMaxTaps) {
    throw InputError(trf("{}: the window has {} points; at most {} are possible", id, count, kMaxTaps));
  }
  std::vector<std::array<int, 3>> offsets;
  for (int z = -radius[0]; z <= radius[0]; ++z) {
    for (int y = -radius[1]; y <= radius[1]; ++y) {
      for (int x = -radius[2]; x <= radius[2]; ++x) { offsets.push_back({z, y, x}); }
    }
  }
  return offsets;
}

std::int64_t KernelFile::steps(const Bindings& bindings) const {
  const std::int64_t count = computes ? computes->steps.evaluateInteger(bindings) : 1;
  if (count < 1 || count > kMaxSteps) {
    throw InputError(trf("{}: a launch computes {} = {} time steps; 1 to {} are possible", id, computes->steps.text(),
                         count, kMaxSteps));
  }
  return count;
}

std::vector<std::int64_t> ArrayDeclaration::extents(const Bindings& bindings) const {
  std::vector<std::int64_t> extents;
  for (const Expression& extent : shape) { extents.push_back(extent.evaluateInteger(bindings)); }
  return extents;
}

std::vector<std::int64_t> KernelFile::points(const Bindings& bindings) const {
  const ArrayDeclaration* const input = computes ? findArray(computes->input) : nullptr;
  if (input == nullptr) { return {}; }
  const std::vector<std::int64_t> extents = input->extents(bindings);
  if (computes->points.empty()) { return extents; }
  const ArrayDeclaration* const output = findArray(computes->output);
  if (output == nullptr || output->extents(bindings) != extents) {
    throw InputError(trf("{}: input and output differ in shape", id));
  }
  std::vector<std::int64_t> points;
  for (const Expression& count : computes->points) { points.push_back(count.evaluateInteger(bindings)); }
  if (points.size() != extents.size()) {
    throw InputError(trf("{}: {} points along {} axes, but {} has {} axes", id, fmt::join(points, " × "), points.size(),
                         input->name, extents.size()));
  }
  for (std::size_t axis = 0; axis < points.size(); ++axis) {
    if (points[axis] < 1 || points[axis] > extents[axis]) {
      throw InputError(trf("{}: {} = {} points do not fit into the {} elements of an axis of {}", id,
                           computes->points[axis].text(), points[axis], extents[axis], input->name));
    }
  }
  return points;
}

std::vector<double> KernelFile::coefficients(const Bindings& bindings) const {
  std::vector<double> weights;
  if (!computes || computes->coefficients.empty()) { return weights; }
  std::map<std::string, double> values;
  for (const auto& [name, value] : bindings) { values[name] = static_cast<double>(value); }
  for (const auto& [name, value] : arguments) { values[name] = value.evaluate(bindings); }
  for (const Expression& coefficient : computes->coefficients) { weights.push_back(coefficient.evaluateReal(values)); }
  return weights;
}

const SizeParameter* KernelFile::findSize(const std::string& name) const {
  const auto it = std::find_if(sizes.begin(), sizes.end(), [&](const SizeParameter& s) { return s.name == name; });
  return it == sizes.end() ? nullptr : &*it;
}

const Tunable* KernelFile::findTunable(const std::string& name) const {
  const auto it = std::find_if(tunables.begin(), tunables.end(), [&](const Tunable& t) { return t.name == name; });
  return it == tunables.end() ? nullptr : &*it;
}

}  // namespace haloscope
