#include "experiment/InputData.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>
#include <set>
#include <utility>

#include "experiment/ArrayFilling.h"
#include "experiment/ChosenArrays.h"
#include "experiment/Reference.h"
#include "language/Text.h"
#include "program/Half.h"
#include "program/RealBits.h"
#include "program/TensorMap.h"

namespace haloscope::experiment {

namespace {

/// SplitMix64: a well-mixed 64-bit value for each index (Steele, Lea, Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// A number in [0, 1).
double unit(std::uint64_t x) { return static_cast<double>(mix(x) >> 11U) * 0x1p-53; }

/// Sizes and tunables are bound by name, other scalars by the header's "arguments".
std::uint64_t scalarArgument(const KernelFile& file, const Bindings& bindings, const Parameter& parameter) {
  double value = 0;
  if (const auto bound = bindings.find(parameter.name); bound != bindings.end()) {
    value = static_cast<double>(bound->second);
  } else if (const auto given = file.arguments.find(parameter.name); given != file.arguments.end()) {
    value = given->second.evaluate(bindings);
  } else {
    throw SourceError(
        file.path.string(), parameter.declared,
        trf("the header gives no value for the parameter \"{}\": name it under sizes or arguments", parameter.name));
  }
  switch (parameter.type) {
    case ValueType::F16:
      return halfBits(static_cast<float>(roundedToHalf(value)));
    case ValueType::F32:
      return std::bit_cast<std::uint32_t>(static_cast<float>(value));
    case ValueType::F64:
      return std::bit_cast<std::uint64_t>(value);
    default:
      if (!(std::abs(value) < 0x1p63)) {
        throw InputError(
            trf("{}: the argument {} = {} is not an integer in its range", file.id, parameter.name, value));
      }
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  }
}

/// Whether the launch provides the array. Shared and local arrays, and constant arrays initialised in the source, are
/// not provided; a `__device__` array with an initialiser is provided with those values.
bool isGiven(const MemoryObject& object) {
  if (object.tensorMap) { return false; }
  return object.space == MemorySpace::Global || (object.space == MemorySpace::Constant && object.initial.empty());
}

/// An array of the launch without data, and its size in bytes.
std::pair<ArrayData, std::int64_t> shaped(const KernelFile& file, const Bindings& bindings,
                                          const MemoryObject& object) {
  const ArrayDeclaration* declared = file.findArray(object.name);
  ArrayData array;
  array.element = object.element;
  if (declared != nullptr) {
    for (const Expression& extent : declared->shape) {
      array.extents.push_back(extent.evaluateInteger(bindings));
      if (array.extents.back() < 1) {
        throw InputError(
            trf("{}: the array {} would have {} elements along an axis", file.id, object.name, array.extents.back()));
      }
    }
  } else if (!object.extentsAtLaunch) {  // the source declares a __constant__ or __device__ variable's extents
    array.extents = object.extents;
  } else {
    throw SourceError(file.path.string(), object.declared,
                      trf("the header gives no shape for \"{}\": name it under arrays", object.name));
  }
  constexpr std::int64_t kMaxBytes = std::int64_t{16} << 30;
  std::int64_t bytes = sizeInMemory(object.element);
  for (const std::int64_t extent : array.extents) {
    if (extent > kMaxBytes / bytes) {
      throw InputError(trf("{}: the array {} would take more than 16 GiB", file.id, object.name));
    }
    bytes *= extent;
  }
  if (object.space == MemorySpace::Constant && array.elementCount() != object.elementCount()) {
    throw SourceError(file.path.string(), object.declared,
                      trf("\"{}\" has {} elements in the source, but {} by the header's shape", object.name,
                          object.elementCount(), array.elementCount()));
  }
  return {std::move(array), bytes};
}

/// What a launch of the program had in an array of this size; null: no such launch is given.
const std::vector<std::byte>* launchBytes(const KernelFile& file, const MemoryObject& object, std::int64_t bytes) {
  if (file.data == nullptr) { return nullptr; }
  const auto array = file.data->arrays.find(object.name);
  const bool fits = array != file.data->arrays.end() && array->second.size() == static_cast<std::size_t>(bytes);
  return fits ? &array->second : nullptr;
}

/// What the program that launches the kernel has there, if other integers would be other sizes or offsets.
const std::vector<std::byte>* programsIntegers(const KernelFile& file, const Program& program, ObjectId id,
                                               std::int64_t bytes) {
  const MemoryObject& object = program.objects[id];
  if (file.integers == nullptr || isFloating(object.element)) { return nullptr; }
  const auto array = file.integers->find(object.name);
  const bool fits = array != file.integers->end() && array->second.size() == static_cast<std::size_t>(bytes);
  return fits && (object.space == MemorySpace::Constant || steers(program, id)) ? &array->second : nullptr;
}

/// Height of the hills in an integer image.
constexpr double kGreyOfHill = 180;

/// Fills with the header's values, random numbers, or the filling of an integer array.
void fillByType(Launch& launch, const KernelFile& file, const Bindings& bindings, const Program& program, ObjectId id,
                InputKind kind, std::uint64_t seed) {
  ArrayData& array = launch.arrays[id];
  const std::string& name = program.objects[id].name;
  const ArrayDeclaration* declared = file.findArray(name);
  if (kind == InputKind::Blobs && declared != nullptr && declared->values) {
    fillShown(file, bindings, name, array);
    return;
  }
  const Filling filling = fillingOf(program, id, array.elementCount());
  const bool picture = filling == Filling::Reals || filling == Filling::Bytes;
  if (kind == InputKind::Blobs && picture && array.extents.size() > 1) {
    fillBlobs(array);
  } else {
    fill(array, filling, seed, filling == Filling::Indices ? indexBound(program, launch, id) : 0);
  }
}

/// An output that is no input.
bool isOnlyWritten(const KernelFile& file, const std::string& name) {
  if (file.computes) { return name == file.computes->output; }
  if (!file.definition) { return false; }
  const auto& outputs = file.definition->outputs;
  const bool read = std::ranges::any_of(outputs, [&](const auto& output) {
    return std::ranges::any_of(output.second.taps(), [&](const auto& tap) { return tap.array == name; });
  });
  return !read && std::ranges::any_of(outputs, [&](const auto& output) { return output.first == name; });
}

/// The coefficients at a spacing of 1.
void fillDerivative(const Derivative& derivative, ArrayData& weights) {
  for (std::size_t tap = 0; tap < derivative.coefficients.size(); ++tap) {
    setValue(weights, static_cast<std::int64_t>(tap), derivative.coefficients[tap]);
  }
}

}  // namespace

double randomUnit(std::uint64_t seed, std::int64_t index) {
  return unit(mix(seed) ^ static_cast<std::uint64_t>(index));
}

double valueAt(const ArrayData& array, std::int64_t element) {
  const auto size = static_cast<std::size_t>(sizeInMemory(array.element));
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data() + static_cast<std::size_t>(element) * size, size);
  if (isFloating(array.element)) { return numberOf(array.element, bits); }
  const std::uint64_t whole = integerOf(array.element, bits);
  return isSigned(array.element) ? static_cast<double>(static_cast<std::int64_t>(whole)) : static_cast<double>(whole);
}

void setValue(ArrayData& array, std::int64_t element, double value) {
  const auto size = static_cast<std::size_t>(sizeInMemory(array.element));
  std::byte* at = array.bytes.data() + static_cast<std::size_t>(element) * size;
  const std::uint64_t bits = isFloating(array.element) ? bitsOf(array.element, value)
                                                       : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  std::memcpy(at, &bits, size);
}

/// e^x for x from -700 to 0, to the last bit or two, and the same bits on every machine: those of std::exp() differ
/// from one C library and processor to the next.
double exponential(double x) {
  constexpr double kLn2High = 0x1.62e42feep-1, kLn2Low = 0x1.a39ef35793c76p-33;
  const double twos = std::round(x / std::numbers::ln2);
  const double rest = (x - twos * kLn2High) - twos * kLn2Low;
  double sum = 1;
  for (int term = 14; term > 0; --term) { sum = 1 + rest / term * sum; }
  return std::ldexp(sum, static_cast<int>(twos));
}

void fillBlobs(ArrayData& array) {
  std::array<std::int64_t, 3> extent{1, 1, 1};
  const std::size_t rank = std::min<std::size_t>(array.extents.size(), 3);
  for (std::size_t axis = 0; axis < rank; ++axis) { extent[3 - rank + axis] = array.extents[axis]; }
  // Centres and widths as fractions of the grid; different heights make the hills distinguishable.
  struct Hill {
    double z, y, x, width, height;
  };
  constexpr std::array<Hill, 5> hills{{{0.42, 0.38, 0.33, 0.16, 1.0},
                                       {0.60, 0.68, 0.64, 0.12, 0.85},
                                       {0.35, 0.72, 0.30, 0.09, 0.7},
                                       {0.70, 0.28, 0.72, 0.10, 0.75},
                                       {0.50, 0.50, 0.86, 0.07, 0.6}}};
  // Separable: one table of exp() per axis and hill keeps a 512^3 grid affordable.
  std::array<std::array<std::vector<double>, 3>, hills.size()> bell;
  for (std::size_t h = 0; h < hills.size(); ++h) {
    const std::array<double, 3> centre{hills[h].z, hills[h].y, hills[h].x};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (std::int64_t i = 0; i < extent[axis]; ++i) {
        const double at =
            extent[axis] == 1 ? centre[axis] : (static_cast<double>(i) + 0.5) / static_cast<double>(extent[axis]);
        const double d = (at - centre[axis]) / hills[h].width;
        bell[h][axis].push_back(exponential(-0.5 * d * d));
      }
    }
  }
  std::int64_t element = 0;
  for (std::int64_t z = 0; z < extent[0]; ++z) {
    for (std::int64_t y = 0; y < extent[1]; ++y) {
      for (std::int64_t x = 0; x < extent[2]; ++x, ++element) {
        double value = 0.02 * unit(static_cast<std::uint64_t>(element));  // so that no two points are equal
        for (std::size_t h = 0; h < hills.size(); ++h) {
          value += hills[h].height * bell[h][0][static_cast<std::size_t>(z)] * bell[h][1][static_cast<std::size_t>(y)] *
                   bell[h][2][static_cast<std::size_t>(x)];
        }
        setValue(array, element, isFloating(array.element) ? value : std::min(255.0, kGreyOfHill * value));
      }
    }
  }
}

void fillShown(const KernelFile& file, const Bindings& bindings, const std::string& name, ArrayData& array) {
  const ArrayDeclaration* declared = file.findArray(name);
  if (declared == nullptr || !declared->values) {
    fillBlobs(array);
    return;
  }
  std::array<std::int64_t, 3> extents{1, 1, 1};
  for (std::size_t axis = 0; axis < array.extents.size(); ++axis) {
    extents[3 - array.extents.size() + axis] = array.extents[axis];
  }
  std::int64_t element = 0;
  declared->values->evaluateOver(extents, bindings, [&](double value) { setValue(array, element++, value); });
}

void fillRandom(ArrayData& array, std::uint64_t seed) {
  const std::uint64_t key = mix(seed);
  const std::int64_t count = array.elementCount();
  const auto value = [key](std::int64_t i) { return 2 * unit(key ^ static_cast<std::uint64_t>(i)) - 1; };
  if (array.element == ValueType::F32) {  // a bench fills half a gigabyte of these
    for (std::int64_t i = 0; i < count; ++i) {
      const auto narrow = static_cast<float>(value(i));
      std::memcpy(array.bytes.data() + static_cast<std::size_t>(i) * sizeof narrow, &narrow, sizeof narrow);
    }
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) { setValue(array, i, value(i)); }
}

bool isPicture(const ArrayData& array) {
  constexpr std::size_t kMostKinds = 16;
  return array.element == ValueType::U8 && std::set(array.bytes.begin(), array.bytes.end()).size() > kMostKinds;
}

void fillFrom(ArrayData& array, const ArrayData& values, std::uint64_t seed) {
  const auto size = static_cast<std::size_t>(sizeInMemory(array.element));
  const auto count = static_cast<std::uint64_t>(values.elementCount());
  const std::uint64_t key = mix(seed);
  for (std::size_t at = 0; at + size <= array.bytes.size() && count > 0; at += size) {
    const auto one = static_cast<std::size_t>(mix(key ^ at) % count);
    std::memcpy(&array.bytes[at], &values.bytes[one * size], size);
  }
}

void fillWeights(ArrayData& array, std::size_t factor) {
  const std::int64_t count = array.elementCount();
  if (!isFloating(array.element)) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t weight = 1 + (i + static_cast<std::int64_t>(factor)) * 5 % 7 + 7 * (i / 7);
      setValue(array, i, static_cast<double>(weight));
    }
    return;
  }
  constexpr std::uint64_t kBetweenFactors = 1000;
  const auto value = [&](std::int64_t i) {
    return 0.5 + unit(77 + kBetweenFactors * factor + static_cast<std::uint64_t>(i));
  };
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) { sum += value(i); }
  for (std::int64_t i = 0; i < count; ++i) { setValue(array, i, value(i) / sum); }
}

/// The parameter that describes an array to tensor copies. It describes none where the array's rows do not begin at
/// multiples of 16 bytes: the driver makes no map of it, and a kernel must not use it.
ArrayData tensorMap(const KernelFile& file, const Bindings& bindings, const Program& program,
                    const MemoryObject& parameter) {
  const auto declared = std::ranges::find(file.arrays, parameter.name, &ArrayDeclaration::tensorMap);
  const ObjectId array = declared == file.arrays.end() ? kNone : program.findObject(declared->name);
  if (array == kNone) {
    throw SourceError(file.path.string(), parameter.declared,
                      trf("the header does not say of which array \"{0}\" is the map: \"ARRAY: {{shape: […], "
                          "tensor_map: {0}, box: […]}}\", with an array that the kernel takes as a pointer",
                          parameter.name));
  }
  TensorMap map{.base = PackedPointer::pack(array, 0),
                .elementBytes = static_cast<std::uint32_t>(sizeInMemory(program.objects[array].element))};
  std::uint64_t bytes = map.elementBytes;
  for (std::size_t axis = declared->shape.size(); axis-- > 0;) {
    map.sizes.push_back(static_cast<std::uint64_t>(declared->shape[axis].evaluateInteger(bindings)));
    map.box.push_back(static_cast<std::uint32_t>(declared->box[axis].evaluateInteger(bindings)));
    bytes *= map.sizes.back();
    if (axis > 0) { map.strides.push_back(bytes); }
  }
  if (const std::string problem = map.problem(); !problem.empty()) {
    throw InputError(trf("{}: the tensor map {}: {}", file.id, parameter.name, problem));
  }
  ArrayData words{ValueType::Pointer, {static_cast<std::int64_t>(TensorMap::kWords)}, map.words()};
  if (!map.isAligned()) {
    const std::uint64_t null = PackedPointer::kNull;
    for (std::size_t word = 0; word < TensorMap::kWords; ++word) {
      std::memcpy(words.bytes.data() + word * sizeof null, &null, sizeof null);
    }
  }
  return words;
}

bool fillIfWeights(const KernelFile& file, const std::string& name, ArrayData& array) {
  if (!file.computes) { return false; }
  const std::vector<std::string> arrays = file.computes->weightArrays();
  const auto found = std::ranges::find(arrays, name);
  if (found == arrays.end()) { return false; }
  fillWeights(array, static_cast<std::size_t>(found - arrays.begin()));
  return true;
}

std::int64_t arrayBytes(const KernelFile& file, const Bindings& bindings, const Program& program) {
  std::int64_t all = 0;
  for (const MemoryObject& object : program.objects) {
    if (isGiven(object)) { all += shaped(file, bindings, object).second; }
  }
  return all;
}

bool holdsLaunchData(const KernelFile& file, const Program& program, const Launch& launch) {
  return file.data != nullptr &&
         std::ranges::all_of(program.objects, [&, id = ObjectId{0}](const MemoryObject& object) mutable {
           const ArrayData& array = launch.arrays[id++];
           const bool outside = object.space == MemorySpace::Global && object.extentsAtLaunch;
           return !outside || launchBytes(file, object, static_cast<std::int64_t>(array.bytes.size())) != nullptr;
         });
}

Launch makeLaunch(const KernelFile& file, const Bindings& bindings, const Program& program, InputKind kind,
                  const inputs::ChosenData& chosen) {
  Launch launch;
  launch.configuration = file.configuration(bindings);
  for (const Parameter& parameter : program.parameters) {
    launch.arguments.push_back(parameter.type == ValueType::Pointer ? 0 : scalarArgument(file, bindings, parameter));
  }
  launch.arrays.resize(program.objects.size());
  std::vector<ObjectId> shapedArrays;
  const bool filled = kind != InputKind::Zero && kind != InputKind::Shape;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    const MemoryObject& object = program.objects[id];
    if (object.tensorMap) {
      launch.arrays[id] = tensorMap(file, bindings, program, object);
      continue;
    }
    if (filled && (object.space == MemorySpace::Global || object.space == MemorySpace::Constant)) {
      // A program also writes to constant arrays that the source initialises.
      auto [array, bytes] = shaped(file, bindings, object);
      const std::vector<std::byte>* given = launchBytes(file, object, bytes);
      if (given == nullptr && !chosen.contains(object.name)) { given = programsIntegers(file, program, id, bytes); }
      if (given != nullptr) {
        array.bytes = *given;
        launch.arrays[id] = std::move(array);
        continue;
      }
    }
    // Of a constant array that the source initialises, elements may be chosen, too; a task's host fills it all.
    const bool isConstant = object.space == MemorySpace::Constant;
    const bool filledByHost = isConstant && file.isForTask() && file.findArray(object.name) != nullptr;
    if (!isGiven(object) && !filledByHost && !(isConstant && chosen.contains(object.name))) { continue; }
    auto [array, bytes] = shaped(file, bindings, object);
    if (kind == InputKind::Shape && object.space == MemorySpace::Global && object.extentsAtLaunch) {
      launch.arrays[id] = std::move(array);
      continue;
    }
    array.bytes.assign(static_cast<std::size_t>(bytes), kind == InputKind::Zero ? std::byte{0} : std::byte{0xff});
    const bool isFilled = object.initial.empty() || filledByHost;  // otherwise the source initialises it
    const auto size = static_cast<std::size_t>(sizeInMemory(object.element));
    for (std::size_t i = 0; i < object.initial.size() && (i + 1) * size <= array.bytes.size(); ++i) {
      std::memcpy(array.bytes.data() + i * size, &object.initial[i], size);
    }
    launch.arrays[id] = std::move(array);
    if (isFilled) { shapedArrays.push_back(id); }
  }
  std::uint64_t seed = 1;
  for (const ObjectId id : shapedArrays) {
    ++seed;
    const std::string& name = program.objects[id].name;
    if (kind == InputKind::Zero || isOnlyWritten(file, name)) {
      continue;  // it is zero, or poisoned
    }
    const ArrayDeclaration* const declared = file.findArray(name);
    const bool given = kind == InputKind::Blobs && declared != nullptr && declared->values;
    if (given || !fillIfWeights(file, name, launch.arrays[id])) {
      fillByType(launch, file, bindings, program, id, kind, seed);
    } else if (kind == InputKind::Blobs && file.firstDerivative) {
      fillDerivative(*file.firstDerivative, launch.arrays[id]);
    }
  }
  if (kind != InputKind::Shape) { fillChosen(file, bindings, program, chosen, launch); }
  if (filled && file.problem && file.definition && file.definition->border == Definition::Border::Keeps) {
    // What no sweep computes is the same in arrays that take each other's places.
    for (const auto& [to, from] : file.problem->advance) {
      const ObjectId source = program.findObject(to);
      const ObjectId free = program.findObject(from);
      if (source == kNone || free == kNone || !isOnlyWritten(file, from)) { continue; }
      if (launch.arrays[source].bytes.size() == launch.arrays[free].bytes.size()) {
        launch.arrays[free].bytes = launch.arrays[source].bytes;
      }
    }
  }
  if (filled && file.computes && file.data == nullptr && file.computes->border == Computes::Border::Keeps) {
    const ObjectId input = program.findObject(file.computes->input);
    const ObjectId output = program.findObject(file.computes->output);
    const bool known = input != kNone && output != kNone && !launch.arrays[input].bytes.empty();
    if (known && launch.arrays[input].extents == launch.arrays[output].extents &&
        launch.arrays[input].bytes.size() == launch.arrays[output].bytes.size()) {
      copyBorder(file.taps(bindings), gridOf(file, bindings, launch.arrays[input]), launch.arrays[input],
                 launch.arrays[output]);
    }
  }
  return launch;
}

}  // namespace haloscope::experiment
