#include "driver/KernelJob.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "program/Cbor.h"

namespace haloscope::gpu {

namespace {

using nlohmann::json;

constexpr const char* kJob = "the job for the GPU process";

InputError malformed(const std::string& why) { return InputError(std::string(kJob) + " is malformed: " + why); }

template <typename Enum>
Enum enumAt(const json& object, const char* name, Enum last) {
  const auto value = object.at(name).get<std::int64_t>();
  if (value < 0 || value > static_cast<std::int64_t>(last)) { throw malformed(std::string(name) + " is out of range"); }
  return static_cast<Enum>(value);
}

json extentJson(const Dim3& extent) { return {extent.x, extent.y, extent.z}; }

Dim3 extentAt(const json& object, const char* name) {
  const json& extent = object.at(name);
  return {extent.at(0).get<std::uint32_t>(), extent.at(1).get<std::uint32_t>(), extent.at(2).get<std::uint32_t>()};
}

json toJson(const KernelText& text) {
  return {{"file", text.file},         {"text", text.text},           {"defines", text.defines},
          {"prologue", text.prologue}, {"headers", text.headers},     {"kernel", text.kernel},
          {"contract", text.contract}, {"variables", text.variables}, {"register limit", text.registerLimit}};
}

KernelText textOf(const json& from) {
  KernelText text;
  from.at("file").get_to(text.file);
  from.at("text").get_to(text.text);
  from.at("defines").get_to(text.defines);
  from.at("prologue").get_to(text.prologue);
  from.at("headers").get_to(text.headers);
  from.at("kernel").get_to(text.kernel);
  from.at("contract").get_to(text.contract);
  from.at("variables").get_to(text.variables);
  from.at("register limit").get_to(text.registerLimit);
  return text;
}

json toJson(const MemoryObject& object) {
  return {{"name", object.name},
          {"space", static_cast<int>(object.space)},
          {"element", static_cast<int>(object.element)},
          {"extents", object.extents},
          {"read only", object.readOnly},
          {"extents at launch", object.extentsAtLaunch},
          {"initial", object.initial},
          {"argument", object.argument},
          {"argument offset", object.argumentOffset}};
}

MemoryObject objectOf(const json& from) {
  MemoryObject object;
  from.at("name").get_to(object.name);
  object.space = enumAt(from, "space", MemorySpace::Local);
  object.element = enumAt(from, "element", ValueType::Pointer);
  from.at("extents").get_to(object.extents);
  from.at("read only").get_to(object.readOnly);
  from.at("extents at launch").get_to(object.extentsAtLaunch);
  from.at("initial").get_to(object.initial);
  from.at("argument").get_to(object.argument);
  from.at("argument offset").get_to(object.argumentOffset);
  return object;
}

json toJson(const Parameter& parameter) {
  return {{"type", static_cast<int>(parameter.type)},
          {"object", parameter.object},
          {"argument", parameter.argument},
          {"argument offset", parameter.argumentOffset}};
}

Parameter parameterOf(const json& from) {
  Parameter parameter;
  parameter.type = enumAt(from, "type", ValueType::Pointer);
  from.at("object").get_to(parameter.object);
  from.at("argument").get_to(parameter.argument);
  from.at("argument offset").get_to(parameter.argumentOffset);
  return parameter;
}

json toJson(const ArrayData& array) {
  return {{"element", static_cast<int>(array.element)}, {"extents", array.extents}, {"bytes", array.bytes.size()}};
}

/// Takes the array's bytes from the front of `arrays`.
ArrayData arrayOf(const json& from, std::span<const std::byte>& arrays) {
  ArrayData array;
  array.element = enumAt(from, "element", ValueType::Pointer);
  from.at("extents").get_to(array.extents);
  const auto count = from.at("bytes").get<std::uint64_t>();
  if (count > arrays.size()) { throw malformed("its arrays are larger than the memory that holds them"); }
  const std::span<const std::byte> own = arrays.first(count);
  array.bytes.assign(own.begin(), own.end());
  arrays = arrays.subspan(count);
  return array;
}

json toJson(const LaunchConfiguration& configuration) {
  return {{"grid", extentJson(configuration.grid)},
          {"block", extentJson(configuration.block)},
          {"dynamic shared bytes", configuration.dynamicSharedBytes},
          {"cluster", extentJson(configuration.cluster)}};
}

LaunchConfiguration configurationOf(const json& from) {
  return {.grid = extentAt(from, "grid"),
          .block = extentAt(from, "block"),
          .dynamicSharedBytes = from.at("dynamic shared bytes").get<std::int64_t>(),
          .cluster = extentAt(from, "cluster")};
}

template <typename T>
json listJson(const std::vector<T>& all) {
  json list = json::array();
  for (const T& one : all) { list.push_back(toJson(one)); }
  return list;
}

}  // namespace

std::vector<std::byte> encode(const KernelJob& job) {
  return toCbor({{"device", {{"ordinal", job.device.ordinal}, {"driver", job.device.driver}}},
                 {"text", toJson(job.text)},
                 {"kernel", job.program.kernel},
                 {"objects", listJson(job.program.objects)},
                 {"parameters", listJson(job.program.parameters)},
                 {"argument bytes", job.program.argumentBytes},
                 {"cluster dims", job.program.clusterDims},
                 {"configuration", toJson(job.launch.configuration)},
                 {"arguments", job.launch.arguments},
                 {"arrays", listJson(job.launch.arrays)},
                 {"input", job.input},
                 {"output", job.output}});
}

KernelJob decodeJob(std::span<const std::byte> bytes, std::span<const std::byte> arrays) {
  const json from = fromCbor(bytes, kJob);
  KernelJob job;
  try {
    from.at("device").at("ordinal").get_to(job.device.ordinal);
    from.at("device").at("driver").get_to(job.device.driver);
    job.text = textOf(from.at("text"));
    from.at("kernel").get_to(job.program.kernel);
    for (const json& object : from.at("objects")) { job.program.objects.push_back(objectOf(object)); }
    for (const json& parameter : from.at("parameters")) { job.program.parameters.push_back(parameterOf(parameter)); }
    from.at("argument bytes").get_to(job.program.argumentBytes);
    from.at("cluster dims").get_to(job.program.clusterDims);
    job.launch.configuration = configurationOf(from.at("configuration"));
    from.at("arguments").get_to(job.launch.arguments);
    for (const json& array : from.at("arrays")) { job.launch.arrays.push_back(arrayOf(array, arrays)); }
    from.at("input").get_to(job.input);
    from.at("output").get_to(job.output);
  } catch (const json::exception& error) { throw malformed(error.what()); }
  if (!arrays.empty()) { throw malformed("its arrays are smaller than the memory that holds them"); }
  const std::size_t objects = job.program.objects.size();
  const auto known = [&](ObjectId object) { return object == kNone || object < objects; };
  const bool consistent = job.launch.arrays.size() == objects &&
                          job.launch.arguments.size() == job.program.parameters.size() && known(job.input) &&
                          known(job.output) && (job.input == kNone) == (job.output == kNone) &&
                          std::ranges::all_of(job.program.parameters, known, &Parameter::object);
  if (!consistent) { throw malformed("its program and its launch do not fit together"); }
  return job;
}

std::size_t arrayBytes(const Launch& launch) {
  std::size_t bytes = 0;
  for (const ArrayData& array : launch.arrays) { bytes += array.bytes.size(); }
  return bytes;
}

void storeArrays(const Launch& launch, std::span<std::byte> to) {
  if (arrayBytes(launch) != to.size()) { throw InputError("the arrays do not fit into the memory that is shared"); }
  for (const ArrayData& array : launch.arrays) {
    std::ranges::copy(array.bytes, to.begin());
    to = to.subspan(array.bytes.size());
  }
}

}  // namespace haloscope::gpu
