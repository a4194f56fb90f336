#include "running/Computation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "analysis/CoefficientArguments.h"
#include "experiment/InputData.h"
#include "language/Text.h"
#include "machine/Execution.h"
#include "program/AccessedObjects.h"
#include "program/SourceLocation.h"
#include "simt/Executor.h"

namespace haloscope::running {

namespace {

/// Of one execution, in warp instructions.
constexpr std::uint64_t kBudget = 100'000'000;
/// An array with at most this many elements that is only read holds coefficients.
constexpr std::int64_t kMostCoefficients = 1024;
/// Of a difference.
constexpr std::size_t kMostWrongListed = std::size_t{1} << 20;

ArrayData view(std::span<const std::byte> bytes, std::uint64_t offset, ValueType type) {
  const auto size = static_cast<std::uint64_t>(sizeInMemory(type));
  const std::uint64_t from = std::min<std::uint64_t>(offset, bytes.size());
  const std::uint64_t count = (bytes.size() - from) / size;
  const auto part = bytes.subspan(from, count * size);
  return {.element = type, .extents = {static_cast<std::int64_t>(count)}, .bytes = {part.begin(), part.end()}};
}

/// Where the arrays of a computation are among a kernel's objects.
struct ArrayPlace {
  std::string name;
  ObjectId object = kNone;
  std::uint64_t offset = 0;
};

std::vector<ArrayPlace> placesOf(const KeptLaunch& kept) {
  std::vector<ArrayPlace> places;
  const Program& program = *kept.program;
  std::vector<bool> pointed(program.objects.size(), false);
  for (const BoundPointer& pointer : kept.pointers) {
    if (!pointer.place || pointer.place->offset < 0) { continue; }
    pointed[pointer.object] = true;
    places.push_back({pointer.parameter, pointer.object, static_cast<std::uint64_t>(pointer.place->offset)});
  }
  for (const ObjectId object : kept.arrays) {
    if (!pointed[object]) { places.push_back({program.objects[object].name, object, 0}); }
  }
  return places;
}

std::vector<std::size_t> scalarsOf(const Program& program) {
  std::vector<std::size_t> scalars;
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (program.parameters[i].object == kNone) { scalars.push_back(i); }
  }
  return scalars;
}

double magnitudeOf(const ArrayData& array, std::int64_t count) {
  double largest = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = std::abs(experiment::valueAt(array, i));
    if (std::isfinite(value)) { largest = std::max(largest, value); }
  }
  return largest;
}

/// What a different order of summation explains, for values of this magnitude.
double toleranceOf(ValueType type, double magnitude) {
  switch (type) {
    case ValueType::F16:
      return 1e-2 * magnitude;
    case ValueType::F32:
      return 2e-5 * magnitude;
    case ValueType::F64:
      return 1e-10 * magnitude;
    case ValueType::U8:
    case ValueType::I8:
      return 1;  // rounded, or cut off
    default:
      return 0;
  }
}

/// Whether two arrays hold the same, as far as both go.
bool sameContents(const ArrayData& a, const ArrayData& b) {
  const std::int64_t count = std::min(a.elementCount(), b.elementCount());
  if (count == 0 || 4 * count < 3 * a.elementCount()) { return false; }
  if (a.element == b.element) {
    return std::memcmp(a.bytes.data(), b.bytes.data(), static_cast<std::size_t>(count * sizeInMemory(a.element))) == 0;
  }
  if (!isFloating(a.element) || !isFloating(b.element)) { return false; }
  for (std::int64_t i = 0; i < count; ++i) {
    const double one = experiment::valueAt(a, i);
    const double other = experiment::valueAt(b, i);
    if (!(std::abs(one - other) <= 1e-6 * std::max(std::abs(one), std::abs(other)))) { return false; }
  }
  return true;
}

std::uint64_t bitsOf(ValueType type, double value) {
  ArrayData one{.element = type, .extents = {1}, .bytes = std::vector<std::byte>(sizeof(std::uint64_t))};
  experiment::setValue(one, 0, value);
  std::uint64_t bits = 0;
  std::memcpy(&bits, one.bytes.data(), sizeof bits);
  return bits;
}

/// Coefficients of both by their names; otherwise floating-point numbers by their order, where all their values agree.
std::vector<Correspondence::Pair> pairNumbers(const Computation& of, const Computation& other) {
  const auto equal = [&](std::size_t a, std::size_t b) {
    const double one = valueOf(of.numbers[a]);
    const double two = valueOf(other.numbers[b]);
    return std::abs(one - two) <= 1e-6 * std::max(std::abs(one), std::abs(two));
  };
  std::vector<Correspondence::Pair> pairs;
  for (std::size_t a = 0; a < of.numbers.size(); ++a) {
    for (std::size_t b = 0; b < other.numbers.size(); ++b) {
      const bool named = of.numbers[a].isCoefficient && of.numbers[a].name == other.numbers[b].name;
      if (named && other.numbers[b].isCoefficient && equal(a, b)) { pairs.push_back({a, b}); }
    }
  }
  if (!pairs.empty()) { return pairs; }
  const auto floating = [](const Computation& one) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < one.numbers.size(); ++i) {
      if (isFloating(one.numbers[i].type)) { all.push_back(i); }
    }
    return all;
  };
  const std::vector<std::size_t> mine = floating(of);
  const std::vector<std::size_t> theirs = floating(other);
  if (mine.size() != theirs.size()) { return {}; }
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (!equal(mine[i], theirs[i])) { return {}; }
    pairs.push_back({mine[i], theirs[i]});
  }
  return pairs;
}

bool isChanged(const ComputedArray& array) { return array.writes && array.before.bytes != array.after.bytes; }

/// From the first to the last as from the last to the first.
bool isSymmetric(const ArrayData& array) {
  const std::int64_t count = array.elementCount();
  for (std::int64_t i = 0; i < count / 2; ++i) {
    if (experiment::valueAt(array, i) != experiment::valueAt(array, count - 1 - i)) { return false; }
  }
  return true;
}

/// Other values in the range of those that the program has, or in that of a byte; coefficients all differ.
ArrayData othersLike(const ArrayData& array, std::uint64_t seed, bool allBytes) {
  ArrayData fresh = array;
  const std::int64_t count = array.elementCount();
  if (count <= kMostCoefficients && isFloating(array.element)) {
    experiment::fillWeights(fresh);
    if (isSymmetric(array)) {
      for (std::int64_t i = 0; i < count / 2; ++i) {
        experiment::setValue(fresh, count - 1 - i, experiment::valueAt(fresh, i));
      }
    }
    return fresh;
  }
  double low = INFINITY;
  double high = -INFINITY;
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = experiment::valueAt(array, i);
    if (!std::isfinite(value)) { continue; }
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low < high)) {
    low = 0;
    high = 1;
  }
  if (allBytes) {
    low = 0;
    high = 255;
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const double unit = experiment::randomUnit(seed, i);
    const double value =
        isFloating(array.element) ? low + (high - low) * unit : low + std::floor((high - low + 1) * unit);
    experiment::setValue(fresh, i, value);
  }
  return fresh;
}

void copyInto(ArrayData& to, const ArrayData& from) {
  const std::int64_t count = std::min(to.elementCount(), from.elementCount());
  for (std::int64_t i = 0; i < count; ++i) { experiment::setValue(to, i, experiment::valueAt(from, i)); }
}

/// Integers may be indices; images of bytes are not.
bool isReplaceable(const ArrayData& array) {
  return isFloating(array.element) || array.element == ValueType::U8 || array.element == ValueType::I8;
}

}  // namespace

double valueOf(const ComputedNumber& number) {
  ArrayData one{.element = number.type, .extents = {1}, .bytes = std::vector<std::byte>(sizeof number.bits)};
  std::memcpy(one.bytes.data(), &number.bits, sizeof number.bits);
  return experiment::valueAt(one, 0);
}

Computation computationOf(const ExecutedKernel& kernel) {
  const Program& program = *kernel.before.program;
  const std::vector<bool> written = writtenObjects(program);
  const std::vector<bool> read = readObjects(program);
  Computation computation;
  for (const ArrayPlace& place : placesOf(kernel.before)) {
    const ArrayData& array = kernel.before.launch.arrays[place.object];
    const auto changed = kernel.after.find(place.object);
    const ValueType type = program.objects[place.object].element;
    if (type == ValueType::Pointer) { continue; }
    computation.arrays.push_back(
        {.name = place.name,
         .before = view(array.bytes, place.offset, type),
         .after = view(changed == kernel.after.end() ? array.bytes : changed->second, place.offset, type),
         .reads = read[place.object],
         .writes = written[place.object],
         .isVariable = place.object < program.objects.size() &&
                       std::ranges::find(kernel.before.pointers, place.object, &BoundPointer::object) ==
                           kernel.before.pointers.end()});
  }
  const std::vector<std::size_t> coefficients = analysis::coefficientArguments(program);
  for (const std::size_t scalar : scalarsOf(program)) {
    computation.numbers.push_back({.name = program.parameters[scalar].name,
                                   .type = program.parameters[scalar].type,
                                   .bits = kernel.before.launch.arguments[scalar],
                                   .isCoefficient = std::ranges::find(coefficients, scalar) != coefficients.end()});
  }
  return computation;
}

std::uint64_t computedBytes(const ExecutedKernel& kernel) {
  std::uint64_t bytes = 0;
  for (const ArrayPlace& place : placesOf(kernel.before)) {
    bytes += 2 * kernel.before.launch.arrays[place.object].bytes.size();
  }
  return bytes;
}

OwnCall ownCallOf(const host::FunctionCall& message, std::vector<std::vector<std::byte>> before,
                  std::vector<std::vector<std::byte>> after) {
  const auto require = [](bool good) {
    if (!good) { throw InputError(tr("the host process sent a call whose description cannot be read")); }
  };
  OwnCall call{.function = host::functionIn(message.function),
               .arguments = message.arguments,
               .offsets = message.offsets,
               .before = std::move(before),
               .after = std::move(after)};
  const std::size_t parameters = call.function.parameters.size();
  require(message.arguments.size() == parameters && message.offsets.size() == parameters &&
          call.before.size() == call.after.size());
  for (std::size_t i = 0; i < parameters; ++i) {
    const bool number = call.function.parameters[i].form == host::HostParameter::Form::Number;
    require(number || message.arguments[i] < call.before.size());
  }
  return call;
}

Computation computationOf(const OwnCall& call) {
  Computation computation;
  for (std::size_t i = 0; i < call.function.parameters.size(); ++i) {
    const host::HostParameter& parameter = call.function.parameters[i];
    if (parameter.form == host::HostParameter::Form::Number) {
      computation.numbers.push_back(
          {.name = parameter.name, .type = parameter.type, .bits = call.arguments[i], .isCoefficient = true});
      continue;
    }
    computation.arrays.push_back({.name = parameter.name,
                                  .before = view(call.before[call.arguments[i]], call.offsets[i], parameter.type),
                                  .after = view(call.after[call.arguments[i]], call.offsets[i], parameter.type),
                                  .reads = true,
                                  .writes = parameter.written});
  }
  return computation;
}

std::uint64_t computedBytes(const OwnCall& call) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < call.function.parameters.size(); ++i) {
    if (call.function.parameters[i].form == host::HostParameter::Form::Number) { continue; }
    bytes += call.before[call.arguments[i]].size() + call.after[call.arguments[i]].size();
  }
  return bytes;
}

std::optional<Correspondence> correspondence(const Computation& of, const Computation& other,
                                             const ComparisonLimit& limit) {
  Correspondence pairs;
  bool telling = false;
  for (std::size_t i = 0; i < of.arrays.size(); ++i) {
    const ComputedArray& array = of.arrays[i];
    if (!array.reads) { continue; }
    std::optional<std::size_t> found;
    for (std::size_t k = 0; k < other.arrays.size(); ++k) {
      if (limit.isReached()) { return std::nullopt; }
      if (!other.arrays[k].reads || !sameContents(array.before, other.arrays[k].before)) { continue; }
      if (!found || (other.arrays[k].name == array.name && other.arrays[*found].name != array.name)) { found = k; }
    }
    if (found) {
      pairs.inputs.push_back({i, *found});
      telling = telling || (!array.isVariable && array.before.elementCount() > 1 && !isConstant(array.before));
    } else if (!array.isVariable && !array.writes && array.before.elementCount() > kMostCoefficients) {
      return std::nullopt;
    }
  }
  if (!telling) { return std::nullopt; }
  for (std::size_t i = 0; i < of.arrays.size(); ++i) {
    if (!of.arrays[i].writes) { continue; }
    for (std::size_t k = 0; k < other.arrays.size(); ++k) {
      const std::int64_t mine = of.arrays[i].after.elementCount();
      const std::int64_t theirs = other.arrays[k].after.elementCount();
      const bool alike = isFloating(of.arrays[i].after.element) == isFloating(other.arrays[k].after.element);
      if (isChanged(other.arrays[k]) && alike && 4 * std::min(mine, theirs) >= 3 * mine) {
        pairs.outputs.push_back({i, k});
      }
    }
  }
  if (pairs.outputs.empty()) { return std::nullopt; }
  pairs.numbers = pairNumbers(of, other);
  return pairs;
}

namespace {

constexpr std::int64_t kLeastTimesRounded = 50;

/// Cells of an automaton, classes, a mask.
bool hasFewValues(const ArrayData& array) {
  constexpr double kFew = 16;
  double low = 0, high = 0;
  for (std::int64_t i = 0; i < array.elementCount(); ++i) {
    const double value = experiment::valueAt(array, i);
    low = i == 0 ? value : std::min(low, value);
    high = i == 0 ? value : std::max(high, value);
  }
  return high - low < kFew;
}

/// Among the points that the expected one was written at, or among the others.
ComputedDifference differenceAt(bool written, const ArrayData& expectedBefore, const ArrayData& expected,
                                const ArrayData& found, const ComparisonLimit& limit, bool exactly = false) {
  ComputedDifference difference;
  const std::int64_t count = std::min(expected.elementCount(), found.elementCount());
  difference.points = count;
  const double magnitude = magnitudeOf(expected, count);
  const double tolerance =
      exactly ? 0 : std::max(toleranceOf(expected.element, magnitude), toleranceOf(found.element, magnitude));
  const auto size = static_cast<std::size_t>(sizeInMemory(expected.element));
  constexpr std::int64_t kBetween = 1 << 20;
  const bool rounded = tolerance >= 1 && !isFloating(expected.element);
  std::int64_t byOne = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % kBetween == 0 && limit.isReached()) { return {}; }
    const std::size_t at = static_cast<std::size_t>(i) * size;
    const bool kept = at + size <= expectedBefore.bytes.size() &&
                      std::memcmp(&expected.bytes[at], &expectedBefore.bytes[at], size) == 0;
    if (kept == written) { continue; }
    ++difference.compared;
    const double a = experiment::valueAt(expected, i);
    const double b = experiment::valueAt(found, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) { continue; }
    if (std::abs(a - b) <= tolerance) {
      byOne += rounded ? 1 : 0;
      continue;
    }
    if (difference.wrong.size() < kMostWrongListed) { difference.wrong.push_back(i); }
    if (difference.count++ == 0) {
      difference.expected = a;
      difference.found = b;
    }
  }
  // Rounding moves few values of many kinds; states, or a value that is cut off everywhere, are another matter.
  if (byOne == 0) { return difference; }
  const bool isRounding = kLeastTimesRounded * byOne <= difference.compared && !hasFewValues(expected);
  return isRounding ? difference : differenceAt(written, expectedBefore, expected, found, limit, /*exactly=*/true);
}

}  // namespace

bool isConstant(const ArrayData& array) {
  for (std::int64_t i = 1; i < array.elementCount(); ++i) {
    if (experiment::valueAt(array, i) != experiment::valueAt(array, 0)) { return false; }
  }
  return true;
}

ComputedDifference differenceOf(const ArrayData& expectedBefore, const ArrayData& expected, const ArrayData& found,
                                const ComparisonLimit& limit) {
  return differenceAt(true, expectedBefore, expected, found, limit);
}

ComputedDifference overwrittenIn(const ComputedArray& expected, const ArrayData& before, const ArrayData& found,
                                 const ComparisonLimit& limit) {
  if (!sameContents(before, expected.before) || isConstant(before)) { return {}; }
  return differenceAt(false, expected.before, expected.after, found, limit);
}

ComputedDifference changedBeyond(const ComputedArray& expected, const ComputedArray& found,
                                 const ComparisonLimit& limit) {
  ComputedDifference difference = differenceAt(false, expected.before, expected.after, found.after, limit);
  std::erase_if(difference.wrong, [&](std::int64_t at) {
    return at >= found.before.elementCount() ||
           experiment::valueAt(found.before, at) == experiment::valueAt(found.after, at);
  });
  difference.count = static_cast<std::int64_t>(difference.wrong.size());
  return difference;
}

bool haveSameResult(const Computation& one, const Computation& other, const ComparisonLimit& limit) {
  const auto pairs = correspondence(one, other, limit);
  return pairs && std::ranges::any_of(pairs->outputs, [&](const Correspondence::Pair& output) {
           const ComputedArray& expected = other.arrays[output.other];
           const ComputedDifference difference =
               differenceOf(expected.before, expected.after, one.arrays[output.of].after, limit);
           return difference.compared > 0 && difference.count == 0;
         });
}

OtherData otherData(const Computation& of, const Computation& other, const Correspondence& pairs, bool beyond) {
  OtherData data;
  std::vector<std::pair<const ArrayData*, ArrayData>> classes;  // of equal contents, and their new ones
  const auto freshFor = [&](const ArrayData& array) {
    const auto known = std::ranges::find_if(classes, [&](const auto& one) {
      return one.first->element == array.element && one.first->bytes == array.bytes;
    });
    if (known != classes.end()) { return known->second; }
    const bool allBytes = beyond && experiment::isPicture(array);
    data.isBeyond = data.isBeyond || allBytes;
    return classes.emplace_back(&array, othersLike(array, 11 + classes.size(), allBytes)).second;
  };
  const auto isClass = [&](const ArrayData& array) {
    return std::ranges::any_of(classes, [&](const auto& one) {
      return one.first->element == array.element && one.first->bytes == array.bytes;
    });
  };
  for (const auto& [mine, theirs] : pairs.inputs) {
    const ArrayData& array = of.arrays[mine].before;
    if (!isReplaceable(array)) { continue; }
    data.of[mine] = freshFor(array);
    data.other[theirs] = other.arrays[theirs].before;
    copyInto(data.other[theirs], data.of[mine]);
  }
  // Arrays that were prepared as copies of an input are copies of the new one.
  for (std::size_t i = 0; i < of.arrays.size(); ++i) {
    if (!data.of.contains(i) && isClass(of.arrays[i].before)) { data.of[i] = freshFor(of.arrays[i].before); }
  }
  for (std::size_t i = 0; i < other.arrays.size(); ++i) {
    if (data.other.contains(i)) { continue; }
    for (const auto& [mine, theirs] : pairs.inputs) {
      if (data.of.contains(mine) && sameContents(of.arrays[mine].before, other.arrays[i].before)) {
        data.other[i] = other.arrays[i].before;
        copyInto(data.other[i], data.of[mine]);
        break;
      }
    }
  }
  double factor = 1;
  double whole = 1;
  for (const auto& [mine, theirs] : pairs.numbers) {
    factor *= 0.93;
    const double value = isFloating(of.numbers[mine].type) ? valueOf(of.numbers[mine]) * factor : ++whole;
    data.numbersOf[mine] = bitsOf(of.numbers[mine].type, value);
    data.numbersOther[theirs] = bitsOf(other.numbers[theirs].type, value);
  }
  return data;
}

std::optional<std::vector<ArrayData>> executeAgain(const ExecutedKernel& kernel,
                                                   const std::map<std::size_t, ArrayData>& arrays,
                                                   const std::map<std::size_t, std::uint64_t>& numbers,
                                                   const std::stop_token& stop) {
  const Program& program = *kernel.before.program;
  Launch launch = kernel.before.launch;
  std::vector<ArrayPlace> places;
  for (ArrayPlace& place : placesOf(kernel.before)) {
    if (program.objects[place.object].element != ValueType::Pointer) { places.push_back(std::move(place)); }
  }
  for (const auto& [index, data] : arrays) {
    std::vector<std::byte>& bytes = launch.arrays[places.at(index).object].bytes;
    std::ranges::copy(data.bytes, bytes.begin() + static_cast<std::ptrdiff_t>(places[index].offset));
  }
  const std::vector<std::size_t> scalars = scalarsOf(program);
  for (const auto& [index, bits] : numbers) { launch.arguments[scalars.at(index)] = bits; }
  simt::ExecuteOptions options;
  options.launchBudget = kBudget;
  options.stop = stop;
  const simt::ExecuteResult result = machine::execute(program, launch, options);
  if (result.outcome != simt::Outcome::Finished || result.outOfBounds > 0) { return std::nullopt; }
  std::vector<ArrayData> after;
  for (const ArrayPlace& place : places) {
    after.push_back(view(launch.arrays[place.object].bytes, place.offset, program.objects[place.object].element));
  }
  return after;
}

}  // namespace haloscope::running
