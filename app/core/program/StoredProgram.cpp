#include "program/StoredProgram.h"

#include <array>
#include <string>

#include "language/Text.h"
#include "program/Bytes.h"
#include "program/WellFormed.h"

// Each struct is described once, for both directions. It is taken apart as a whole, so that a field added to it does
// not compile until it is described here. Whatever changes here, or in the order of an enumeration, needs another
// kVersion.

namespace haloscope {

namespace {

constexpr auto kMagic = std::to_array<std::uint8_t>({'H', 'A', 'L', 'P'});
constexpr std::uint64_t kVersion = 2;

/// Both directions have the same functions, so that one description serves both.
class Storing {
 public:
  template <typename T>
  using Field = const T&;

  void text(const std::string& value) { to_.text(value); }
  void boolean(bool value) { to_.boolean(value); }
  template <typename Enum>
  void enumerator(Enum value, Enum /*last*/) {
    to_.enumerator(value);
  }
  void byte(std::uint8_t value) { to_.byte(value); }
  template <typename Unsigned>
  void number(Unsigned value) {
    to_.number(value);
  }
  void signedNumber(std::int64_t value) { to_.signedNumber(value); }
  /// An index, or kNone.
  void index(std::uint32_t value) { to_.number(value + 1U); }
  void range(const SourceRange& value, const SourceRange& near) { to_.range(value, near); }
  template <typename T, typename Each>
  void list(const std::vector<T>& values, std::size_t /*bytesEach*/, const Each& each) {
    to_.count(values.size());
    for (const T& value : values) { each(*this, value); }
  }
  [[nodiscard]] std::vector<std::byte> take() { return to_.take(); }

 private:
  ByteWriter to_;
};

class Reading {
 public:
  template <typename T>
  using Field = T&;

  explicit Reading(ByteReader& from) : from_(from) {}
  [[nodiscard]] const ByteReader& from() const { return from_; }

  void text(std::string& value) { value = from_.text(); }
  void boolean(bool& value) { value = from_.boolean(); }
  template <typename Enum>
  void enumerator(Enum& value, Enum last) {
    value = from_.enumerator(last);
  }
  void byte(std::uint8_t& value) { value = from_.byte(); }
  template <typename Unsigned>
  void number(Unsigned& value) {
    value = from_.number<Unsigned>(std::numeric_limits<Unsigned>::max());
  }
  void signedNumber(std::int64_t& value) { value = from_.signedNumber(); }
  void index(std::uint32_t& value) { value = from_.word() - 1U; }
  void range(SourceRange& value, const SourceRange& near) { value = from_.range(near); }
  template <typename T, typename Each>
  void list(std::vector<T>& values, std::size_t bytesEach, const Each& each) {
    values.resize(from_.count(bytesEach));
    for (T& value : values) { each(*this, value); }
  }

 private:
  ByteReader& from_;
};

// The fewest bytes that a value of each kind takes: a count is compared with the bytes that are left.
constexpr std::size_t kRangeBytes = 4;
constexpr std::size_t kInstructionBytes = 3;
constexpr std::size_t kRegisterBytes = 1;
constexpr std::size_t kObjectBytes = 12 + kRangeBytes;
constexpr std::size_t kMemberBytes = 3;
constexpr std::size_t kVariableBytes = 4 + 2 * kRangeBytes;
constexpr std::size_t kParameterBytes = 6 + kRangeBytes;
constexpr std::size_t kStatementBytes = 3 + kRangeBytes;
constexpr std::size_t kLoopBytes = 3 + kRangeBytes;
constexpr std::size_t kFunctionBytes = 1 + 2 * kRangeBytes;

template <typename Archive>
void describe(Archive& archive, typename Archive::template Field<StructMember> member) {
  auto& [name, type, byteOffset] = member;
  archive.text(name);
  archive.enumerator(type, ValueType::Pointer);
  archive.signedNumber(byteOffset);
}

template <typename Archive>
void describe(Archive& archive, typename Archive::template Field<MemoryObject> object) {
  auto& [name, space, element, extents, declared, readOnly, extentsAtLaunch, initial, argument, argumentOffset, members,
         structBytes, tensorMap, ofText] = object;
  archive.text(name);
  archive.enumerator(space, MemorySpace::Local);
  archive.enumerator(element, ValueType::Pointer);
  archive.list(extents, 1, [](Archive& to, auto& extent) { to.signedNumber(extent); });
  archive.range(declared, {});
  archive.boolean(readOnly);
  archive.boolean(extentsAtLaunch);
  archive.list(initial, 1, [](Archive& to, auto& bits) { to.number(bits); });
  archive.index(argument);
  archive.signedNumber(argumentOffset);
  archive.list(members, kMemberBytes, [](Archive& to, auto& member) { describe(to, member); });
  archive.signedNumber(structBytes);
  archive.boolean(tensorMap);
  archive.boolean(ofText);
}

template <typename Archive>
void describe(Archive& archive, typename Archive::template Field<Variable> variable) {
  auto& [name, reg, declared, scope, function, parameter] = variable;
  archive.text(name);
  archive.index(reg);
  archive.range(declared, {});
  archive.range(scope, declared);
  archive.number(function);
  archive.boolean(parameter);
}

template <typename Archive>
void describe(Archive& archive, typename Archive::template Field<Parameter> parameter) {
  auto& [name, type, variable, object, declared, argument, argumentOffset] = parameter;
  archive.text(name);
  archive.enumerator(type, ValueType::Pointer);
  archive.index(variable);
  archive.index(object);
  archive.range(declared, {});
  archive.number(argument);
  archive.signedNumber(argumentOffset);
}

template <typename Archive>
void describe(Archive& archive, typename Archive::template Field<Statement> statement) {
  auto& [kind, range, function, firstInstruction] = statement;
  archive.enumerator(kind, StatementKind::Switch);
  archive.range(range, {});
  archive.number(function);
  archive.number(firstInstruction);
}

template <typename Archive>
void describe(Archive& archive, typename Archive::template Field<LoopInfo> loop) {
  auto& [range, variable, depth, containsBarrier] = loop;
  archive.range(range, {});
  archive.index(variable);
  archive.number(depth);
  archive.boolean(containsBarrier);
}

template <typename Archive>
void describe(Archive& archive, typename Archive::template Field<FunctionFrame> function) {
  auto& [name, range, calledAt] = function;
  archive.text(name);
  archive.range(range, {});
  archive.range(calledAt, {});
}

// Registers and instructions, of which there are most, are packed: a few flags say what differs from the usual.

constexpr unsigned kTypeBits = 4;
constexpr std::uint8_t kTypeMask = (1U << kTypeBits) - 1;

/// A bit of a byte of flags.
constexpr std::uint8_t flag(bool isSet, unsigned bit) { return static_cast<std::uint8_t>(isSet ? 1U << bit : 0U); }
constexpr bool isSet(std::uint8_t flags, unsigned bit) { return (flags >> bit & 1U) != 0; }

/// The enumerator that some bits of a byte are.
template <typename Enum>
Enum enumeratorOf(const ByteReader& from, unsigned value, Enum last) {
  if (value > static_cast<unsigned>(last)) { from.refuse(); }
  return static_cast<Enum>(value);
}

namespace register_flags {
constexpr unsigned kKind = kTypeBits;  ///< two bits
constexpr unsigned kBits = 6;
constexpr unsigned kBuiltin = 7;
}  // namespace register_flags

void describe(Storing& archive, const Register& reg) {
  const auto& [type, kind, bits, builtin] = reg;
  const bool hasBuiltin = builtin != Builtin{};
  archive.byte(
      static_cast<std::uint8_t>(static_cast<unsigned>(type) | static_cast<unsigned>(kind) << register_flags::kKind |
                                flag(bits != 0, register_flags::kBits) | flag(hasBuiltin, register_flags::kBuiltin)));
  if (bits != 0) { archive.number(bits); }
  if (hasBuiltin) { archive.enumerator(builtin, Builtin::ClusterDimZ); }
}

void describe(Reading& archive, Register& reg) {
  auto& [type, kind, bits, builtin] = reg;
  std::uint8_t flags = 0;
  archive.byte(flags);
  type = enumeratorOf(archive.from(), flags & kTypeMask, ValueType::Pointer);
  kind = static_cast<RegisterKind>(flags >> register_flags::kKind & 3U);
  if (isSet(flags, register_flags::kBits)) { archive.number(bits); }
  if (isSet(flags, register_flags::kBuiltin)) { archive.enumerator(builtin, Builtin::ClusterDimZ); }
}

namespace code_flags {
// Of the byte with the type.
constexpr unsigned kRange = 4;  ///< another one than that of the instruction before
constexpr unsigned kSpecial = 5;
constexpr unsigned kAux = 6;
constexpr unsigned kTarget = 7;
// Of the byte with what is special, which the part follows.
constexpr unsigned kAsync = 0;
constexpr unsigned kOfCopy = 1;
constexpr unsigned kVolatile = 2;
constexpr unsigned kMapped = 3;
constexpr unsigned kBulk = 4;
constexpr unsigned kFetch = 5;  ///< two bits
}  // namespace code_flags

void describe(Storing& archive, const Instruction& code, std::uint32_t at, const SourceRange& before) {
  const auto& [op, type, part, async, ofCopy, isVolatile, mapped, fetch, bulk, dst, a, b, c, aux, target, range] = code;
  const auto& [partIndex, partBytes] = part;
  const std::uint8_t special = flag(async, code_flags::kAsync) | flag(ofCopy, code_flags::kOfCopy) |
                               flag(isVolatile, code_flags::kVolatile) | flag(mapped, code_flags::kMapped) |
                               flag(bulk, code_flags::kBulk) |
                               static_cast<std::uint8_t>(static_cast<unsigned>(fetch) << code_flags::kFetch);
  const bool isSpecial = special != 0 || part != VectorPart{};
  archive.enumerator(op, Opcode::End);
  archive.byte(static_cast<std::uint8_t>(static_cast<unsigned>(type) | flag(range != before, code_flags::kRange) |
                                         flag(isSpecial, code_flags::kSpecial) | flag(aux != kNone, code_flags::kAux) |
                                         flag(target != kNone, code_flags::kTarget)));
  archive.byte(flag(dst != kNone, 0) | flag(a != kNone, 1) | flag(b != kNone, 2) | flag(c != kNone, 3));
  for (const std::uint32_t value : {dst, a, b, c, aux}) {
    if (value != kNone) { archive.number(value); }
  }
  if (target != kNone) { archive.signedNumber(std::int64_t{target} - at); }
  if (range != before) { archive.range(range, before); }
  if (!isSpecial) { return; }
  archive.byte(special);
  archive.byte(partIndex);
  archive.byte(partBytes);
}

void describe(Reading& archive, Instruction& code, std::uint32_t at, const SourceRange& before) {
  auto& [op, type, part, async, ofCopy, isVolatile, mapped, fetch, bulk, dst, a, b, c, aux, target, range] = code;
  auto& [partIndex, partBytes] = part;
  std::uint8_t flags = 0;
  std::uint8_t operands = 0;
  archive.enumerator(op, Opcode::End);
  archive.byte(flags);
  archive.byte(operands);
  type = enumeratorOf(archive.from(), flags & kTypeMask, ValueType::Pointer);
  if (operands >> 4 != 0) { archive.from().refuse(); }
  if (isSet(operands, 0)) { archive.number(dst); }
  if (isSet(operands, 1)) { archive.number(a); }
  if (isSet(operands, 2)) { archive.number(b); }
  if (isSet(operands, 3)) { archive.number(c); }
  if (isSet(flags, code_flags::kAux)) { archive.number(aux); }
  if (isSet(flags, code_flags::kTarget)) {
    std::int64_t distance = 0;
    archive.signedNumber(distance);
    if (distance < -std::int64_t{at} || distance >= std::int64_t{kNone} - at) { archive.from().refuse(); }
    target = static_cast<std::uint32_t>(at + distance);
  }
  range = before;
  if (isSet(flags, code_flags::kRange)) { archive.range(range, before); }
  if (!isSet(flags, code_flags::kSpecial)) { return; }
  std::uint8_t special = 0;
  archive.byte(special);
  if (isSet(special, 7)) { archive.from().refuse(); }
  async = isSet(special, code_flags::kAsync);
  ofCopy = isSet(special, code_flags::kOfCopy);
  isVolatile = isSet(special, code_flags::kVolatile);
  mapped = isSet(special, code_flags::kMapped);
  bulk = isSet(special, code_flags::kBulk);
  fetch = static_cast<FetchPart>(special >> code_flags::kFetch & 3U);
  archive.byte(partIndex);
  archive.byte(partBytes);
}

template <typename Archive>
void describe(Archive& archive, typename Archive::template Field<Program> program) {
  auto& [kernel, kernelRange, code, registers, objects, variables, parameters, argumentBytes, maxThreads, clusterDims,
         statements, loops, functions, assertions] = program;
  const auto one = [](Archive& to, auto& value) { describe(to, value); };
  archive.text(kernel);
  archive.range(kernelRange, {});
  std::uint32_t at = 0;
  SourceRange before;
  archive.list(code, kInstructionBytes, [&](Archive& to, auto& instruction) {
    describe(to, instruction, at++, before);
    before = instruction.range;
  });
  archive.list(registers, kRegisterBytes, one);
  archive.list(objects, kObjectBytes, one);
  archive.list(variables, kVariableBytes, one);
  archive.list(parameters, kParameterBytes, one);
  archive.list(argumentBytes, 1, [](Archive& to, auto& bytes) { to.signedNumber(bytes); });
  archive.number(maxThreads);
  for (auto& blocks : clusterDims) { archive.number(blocks); }
  archive.list(statements, kStatementBytes, one);
  archive.list(loops, kLoopBytes, one);
  archive.list(functions, kFunctionBytes, one);
  archive.list(assertions, 1, [](Archive& to, auto& condition) { to.text(condition); });
}

}  // namespace

std::vector<std::byte> store(const Program& program) {
  Storing archive;
  for (const std::uint8_t byte : kMagic) { archive.byte(byte); }
  archive.number(kVersion);
  describe(archive, program);
  return archive.take();
}

Program readProgram(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, tr("the stored program"));
  for (const std::uint8_t byte : kMagic) {
    if (reader.byte() != byte) { reader.refuse(); }
  }
  if (const std::uint64_t version = reader.number(); version != kVersion) {
    throw InputError(
        trf("the stored program has version {} of its form; this Haloscope reads version {}", version, kVersion));
  }
  Reading archive(reader);
  Program program;
  describe(archive, program);
  reader.finish();
  checkWellFormed(program);
  return program;
}

}  // namespace haloscope
