#include "machine/MachineMessages.h"

#include "program/Bytes.h"
#include "program/StoredProgram.h"

namespace haloscope::machine {
namespace {

void put(ByteWriter& writer, const Dim3& value) {
  writer.number(value.x);
  writer.number(value.y);
  writer.number(value.z);
}

Dim3 dimensions(ByteReader& reader) {
  const std::uint32_t x = reader.word(), y = reader.word(), z = reader.word();
  return {x, y, z};
}

void put(ByteWriter& writer, const std::vector<std::uint64_t>& numbers) {
  writer.count(numbers.size());
  for (const std::uint64_t number : numbers) { writer.number(number); }
}

std::vector<std::uint64_t> numbers(ByteReader& reader) {
  std::vector<std::uint64_t> all(reader.count());
  for (std::uint64_t& number : all) { number = reader.number(); }
  return all;
}

void put(ByteWriter& writer, const std::vector<ObjectId>& objects) {
  writer.count(objects.size());
  for (const ObjectId object : objects) { writer.number(object); }
}

std::vector<ObjectId> objects(ByteReader& reader) {
  std::vector<ObjectId> all(reader.count());
  for (ObjectId& object : all) { object = reader.word(); }
  return all;
}

ByteReader readerOf(std::span<const std::byte> bytes) { return {bytes, "a message about machine code"}; }

}  // namespace

std::vector<std::byte> encode(const Task& task) {
  ByteWriter writer;
  writer.bytes(store(task.program));
  const LaunchConfiguration& launch = task.shape.configuration;
  put(writer, launch.grid);
  put(writer, launch.block);
  put(writer, launch.cluster);
  writer.signedNumber(launch.dynamicSharedBytes);
  put(writer, task.shape.arguments);
  writer.count(task.shape.offsets.size());
  for (const std::optional<std::int64_t>& offset : task.shape.offsets) {
    writer.boolean(offset.has_value());
    writer.signedNumber(offset.value_or(0));
  }
  put(writer, task.shape.objectBytes);
  writer.enumerator(task.set);
  put(writer, task.places);
  return writer.take();
}

Task decodeTask(std::span<const std::byte> bytes) {
  ByteReader reader = readerOf(bytes);
  Task task;
  task.program = readProgram(reader.bytes());
  LaunchConfiguration& launch = task.shape.configuration;
  launch.grid = dimensions(reader);
  launch.block = dimensions(reader);
  launch.cluster = dimensions(reader);
  launch.dynamicSharedBytes = reader.signedNumber();
  task.shape.arguments = numbers(reader);
  task.shape.offsets.resize(reader.count(2));
  for (std::optional<std::int64_t>& offset : task.shape.offsets) {
    const bool given = reader.boolean();
    const std::int64_t value = reader.signedNumber();
    if (given) { offset = value; }
  }
  task.shape.objectBytes = numbers(reader);
  task.set = reader.enumerator(simt::InstructionSet::Avx512);
  task.places = numbers(reader);
  reader.finish();
  const std::size_t count = task.program.objects.size();
  if (task.shape.objectBytes.size() != count || task.places.size() != count ||
      task.shape.arguments.size() != task.program.parameters.size()) {
    reader.refuse();
  }
  return task;
}

std::vector<std::byte> encode(const Prepared& prepared) {
  ByteWriter writer;
  writer.enumerator(prepared.outcome);
  writer.text(prepared.why);
  return writer.take();
}

Prepared decodePrepared(std::span<const std::byte> bytes) {
  ByteReader reader = readerOf(bytes);
  Prepared prepared;
  prepared.outcome = reader.enumerator(Prepared::Outcome::NoMachine);
  prepared.why = reader.text();
  reader.finish();
  return prepared;
}

std::vector<std::byte> encode(const Sweeps& sweeps) {
  ByteWriter writer;
  writer.number(sweeps.blockBudget);
  writer.number(sweeps.launchBudget);
  writer.number(sweeps.count);
  writer.boolean(sweeps.oneWorker);
  put(writer, sweeps.objects);
  put(writer, sweeps.successors);
  return writer.take();
}

Sweeps decodeSweeps(std::span<const std::byte> bytes) {
  ByteReader reader = readerOf(bytes);
  Sweeps sweeps;
  sweeps.blockBudget = reader.number();
  sweeps.launchBudget = reader.number();
  sweeps.count = reader.word();
  sweeps.oneWorker = reader.boolean();
  sweeps.objects = objects(reader);
  sweeps.successors = objects(reader);
  reader.finish();
  if (sweeps.objects.size() != sweeps.successors.size()) { reader.refuse(); }
  return sweeps;
}

std::vector<std::byte> encode(const Swept& swept) {
  ByteWriter writer;
  writer.enumerator(swept.outcome);
  return writer.take();
}

Swept decodeSwept(std::span<const std::byte> bytes) {
  ByteReader reader = readerOf(bytes);
  const Swept swept{.outcome = reader.enumerator(Swept::Outcome::Conflict)};
  reader.finish();
  return swept;
}

}  // namespace haloscope::machine
