#include "checking/SiblingRunner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "catalogue/Precision.h"
#include "experiment/InputData.h"
#include "simt/Executor.h"

namespace haloscope::checking {

namespace {

/// Of one execution, in warp instructions.
constexpr std::uint64_t kBudget = 100'000'000;
/// Of a difference.
constexpr std::size_t kMostPoints = std::size_t{1} << 20;

std::string typeText(ValueType type) {
  if (isFloating(type)) { return realTypeName(type); }
  const int bytes = sizeInMemory(type);
  const char* const whole = bytes == 1 ? "char" : bytes == 2 ? "short" : bytes == 4 ? "int" : "long long";
  return std::string(isSigned(type) ? "" : "unsigned ") + whole;
}

}  // namespace

double toleranceOf(ValueType type) { return type == ValueType::F16 ? 1e-2 : type == ValueType::F64 ? 1e-10 : 1e-5; }

std::optional<SiblingRunner> runnerOf(std::shared_ptr<const Program> kernel, Launch launch) {
  SiblingRunner runner;
  runner.kernel = std::move(kernel);
  runner.launch = std::move(launch);
  const Program& program = runner.program();
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    const Parameter& parameter = program.parameters[i];
    if (parameter.object == kNone) {
      runner.scalars.push_back(i);
    } else {
      runner.arrays.push_back(parameter.object);
    }
  }
  for (ObjectId object = 0; object < program.objects.size(); ++object) {
    const bool variable =
        program.objects[object].space == MemorySpace::Constant && program.objects[object].argument == kNone;
    if (variable) { runner.arrays.push_back(object); }
  }
  const std::vector<bool> written = writtenObjects(program);
  for (const ObjectId object : runner.arrays) { runner.written.push_back(written[object]); }
  // Without a result there is nothing to agree on.
  if (std::ranges::find(runner.written, true) == runner.written.end()) { return std::nullopt; }
  return runner;
}

std::optional<SiblingRunner> runnerOf(const Sibling& sibling, const Bindings& bindings) {
  const std::shared_ptr<const Program>& program = sibling.report->program;
  if (program == nullptr || !sibling.report->notChecked.empty()) { return std::nullopt; }
  try {
    std::optional<SiblingRunner> runner =
        runnerOf(program, experiment::makeLaunch(*sibling.file, bindings, *program, experiment::InputKind::Random));
    if (runner) { runner->sibling = &sibling; }
    return runner;
  } catch (const InputError&) { return std::nullopt; } catch (const SourceError&) {
    return std::nullopt;
  }
}

namespace {

/// Each of a few values once: flags of which most are 0 would leave most rules untried. Of many values all.
ArrayData withoutRepetition(const ArrayData& values) {
  constexpr std::size_t kMost = 16;
  std::set<double> few;
  for (std::int64_t i = 0; i < values.elementCount() && few.size() <= kMost; ++i) {
    few.insert(experiment::valueAt(values, i));
  }
  if (few.size() > kMost) { return values; }
  ArrayData once{.element = values.element, .extents = {static_cast<std::int64_t>(few.size())}, .bytes = {}};
  once.bytes.resize(few.size() * static_cast<std::size_t>(sizeInMemory(values.element)));
  std::int64_t at = 0;
  for (const double value : few) { experiment::setValue(once, at++, value); }
  return once;
}

}  // namespace

bool takeOwnIntegers(const Sibling& sibling, std::vector<ArrayData>& data) {
  constexpr std::uint64_t kSeed = 47;
  const auto own = sibling.own == nullptr ? std::nullopt : runnerOf(sibling.ownProgram, *sibling.own);
  if (!own || own->arrays.size() != data.size()) { return false; }
  for (std::size_t i = 0; i < data.size(); ++i) {
    const ArrayData& values = own->launch.arrays[own->arrays[i]];
    const bool isOther = values.element != data[i].element || values.bytes.empty();
    if (isFloating(values.element) || isOther || experiment::isPicture(values)) { continue; }
    ArrayData few = withoutRepetition(values);
    // An input of one value would not tell one of its elements from another.
    if (const double only = experiment::valueAt(few, 0); few.elementCount() == 1 && only != 0 && !own->written[i]) {
      few.extents = {2};
      few.bytes.resize(2 * few.bytes.size());
      experiment::setValue(few, 1, 0);
    }
    experiment::fillFrom(data[i], few, kSeed + i);
  }
  return true;
}

std::string parametersOf(const Program& program) {
  std::vector<std::string> all;
  for (const Parameter& parameter : program.parameters) {
    const bool array = parameter.object != kNone;
    all.push_back(array ? typeText(program.objects[parameter.object].element) + "*"
                        : fmt::format("{} {}", typeText(parameter.type), parameter.name));
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string shapeOf(const SiblingRunner& runner) {
  std::string shape = parametersOf(runner.program());
  for (std::size_t i = 0; i < runner.arrays.size(); ++i) {
    const ArrayData& array = runner.launch.arrays[runner.arrays[i]];
    shape += fmt::format(" {}{}{}", name(array.element), runner.written[i] ? '>' : '<', array.elementCount());
  }
  return shape;
}

std::optional<SiblingRunner> atSizesOf(const SiblingRunner& other, const Sibling& sibling) {
  Bindings bindings = sibling.bindings;
  for (const SizeParameter& size : sibling.file->sizes) {
    if (const auto known = other.sibling->bindings.find(size.name); known != other.sibling->bindings.end()) {
      bindings[size.name] = known->second;
    }
    for (const std::size_t scalar : other.scalars) {
      const Parameter& parameter = other.program().parameters[scalar];
      if (parameter.name != size.name || isFloating(parameter.type)) { continue; }
      ArrayData bits{.element = parameter.type, .extents = {1}, .bytes = std::vector<std::byte>(8)};
      std::memcpy(bits.bytes.data(), &other.launch.arguments[scalar], bits.bytes.size());
      bindings[size.name] = static_cast<std::int64_t>(experiment::valueAt(bits, 0));
    }
  }
  return runnerOf(sibling, bindings);
}

std::optional<std::vector<ArrayData>> executed(const SiblingRunner& runner, const std::vector<ArrayData>& data,
                                               const std::vector<std::uint64_t>& scalars, const std::stop_token& stop) {
  Launch launch = runner.launch;
  for (std::size_t i = 0; i < runner.arrays.size(); ++i) { launch.arrays[runner.arrays[i]].bytes = data[i].bytes; }
  for (std::size_t i = 0; i < runner.scalars.size(); ++i) { launch.arguments[runner.scalars[i]] = scalars[i]; }
  simt::ExecuteOptions options;
  options.launchBudget = kBudget;
  options.stop = stop;
  const simt::ExecuteResult result = simt::execute(runner.program(), launch, {}, options);
  if (result.outcome == simt::Outcome::Stopped) { throw experiment::Cancelled{}; }
  if (result.outcome != simt::Outcome::Finished || result.outOfBounds > 0) { return std::nullopt; }
  std::vector<ArrayData> after;
  for (const ObjectId object : runner.arrays) { after.push_back(launch.arrays[object]); }
  return after;
}

std::int64_t changedPoints(const SiblingRunner& runner, const std::vector<ArrayData>& before,
                           const std::vector<ArrayData>& after) {
  std::int64_t points = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!runner.written[i]) { continue; }
    const auto size = static_cast<std::size_t>(sizeInMemory(before[i].element));
    for (std::size_t at = 0; at + size <= before[i].bytes.size(); at += size) {
      points += std::memcmp(&before[i].bytes[at], &after[i].bytes[at], size) != 0 ? 1 : 0;
    }
  }
  return points;
}

ResultDifference differenceOf(const SiblingRunner& runner, const std::vector<ArrayData>& expected,
                              const std::vector<ArrayData>& found) {
  ResultDifference difference;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!runner.written[i] || expected[i].bytes == found[i].bytes) { continue; }
    const std::int64_t count = expected[i].elementCount();
    double largest = 0;
    for (std::int64_t at = 0; at < count; ++at) {
      const double value = std::abs(experiment::valueAt(expected[i], at));
      if (std::isfinite(value)) { largest = std::max(largest, value); }
    }
    for (std::int64_t at = 0; at < count; ++at) {
      const double a = experiment::valueAt(expected[i], at);
      const double b = experiment::valueAt(found[i], at);
      if (std::abs(a - b) <= toleranceOf(expected[i].element) * largest || (std::isnan(a) && std::isnan(b))) {
        continue;
      }
      if (difference.count++ == 0) {
        difference.array = i;
        difference.expected = a;
        difference.found = b;
      }
      if (difference.array == i && difference.points.size() < kMostPoints) { difference.points.push_back(at); }
    }
  }
  return difference;
}

}  // namespace haloscope::checking
