#include "catalogue/KernelFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "language/Text.h"
#include "program/Words.h"

namespace haloscope {

namespace {

constexpr std::int64_t kMaxTaps = 100'000;
constexpr std::int64_t kMaxSteps = 64;

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
    if (chosen < 0 || chosen > Computes::kMaxOffset) {
      throw InputError(trf("{}: the window has a radius of {} = {}; 0 to {} are possible", id,
                           computes->window[axis].text(), chosen, Computes::kMaxOffset));
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

std::string Computes::filterName() const {
  if (!factors.empty()) { return trf("the product of {}", fmt::join(factors, tr(" and "))); }
  return weights.empty() ? tr("the filter") : weights;
}

std::vector<std::string> Computes::weightArrays() const {
  return weights.empty() ? factors : std::vector<std::string>{weights};
}

}  // namespace haloscope
