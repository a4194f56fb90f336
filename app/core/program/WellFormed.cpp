#include "program/WellFormed.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "language/Text.h"
#include "program/CodeForm.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw InputError(trf("the stored program is refused: {}", why)); }

bool isName(const std::string& name) {
  return name.size() <= ProgramLimits::kNameBytes &&
         std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

/// Nowhere, or from a place to one that is not before it.
bool isRange(const SourceRange& range) {
  if (range == SourceRange{}) { return true; }
  return range.line > 0 && range.column > 0 &&
         std::pair(range.line, range.column) <= std::pair(range.endLine, range.endColumn);
}

/// The bytes of an array whose extents are known; `most` + 1 if they are more than that.
std::int64_t bytesWithin(const MemoryObject& object, std::int64_t most) {
  std::int64_t bytes = sizeInMemory(object.element);
  for (const std::int64_t extent : object.extents) {
    if (extent < 1 || bytes > most / extent) { return most + 1; }
    bytes *= extent;
  }
  return bytes;
}

std::int64_t mostBytes(MemorySpace space) {
  switch (space) {
    case MemorySpace::Global:
    case MemorySpace::Shared:
      return ProgramLimits::kStaticBytes;
    case MemorySpace::Constant:
      return ProgramLimits::kConstantBytes;
    case MemorySpace::Local:
      break;
  }
  return ProgramLimits::kLocalBytes;
}

class Declarations {
 public:
  explicit Declarations(const Program& program) : program_(program) {}

  void check() {
    counts();
    if (!isName(program_.kernel) || program_.kernel.empty()) { refuse(tr("its kernel has no name")); }
    if (!isRange(program_.kernelRange)) { refuse(tr("its kernel is at no place of a text")); }
    const auto& dims = program_.clusterDims;
    const bool clusters =
        std::ranges::all_of(dims, [](std::uint32_t blocks) { return blocks >= 1 && blocks <= 65'536; });
    if (!clusters && dims != std::array<std::uint32_t, 3>{}) { refuse(tr("its clusters have no size")); }
    arguments();
    each(trMark("register"), program_.registers, [this](const Register& one) { checkRegister(one); });
    each(trMark("array"), program_.objects, [this](const MemoryObject& one) { checkObject(one); });
    each(trMark("variable"), program_.variables, [this](const Variable& one) { checkVariable(one); });
    each(trMark("parameter"), program_.parameters, [this](const Parameter& one) { checkParameter(one); });
    each(trMark("function"), program_.functions, [this](const FunctionFrame& one) {
      require(isName(one.name), trMark("has no name"));
      requirePlace(one.range);
      requirePlace(one.calledAt);
    });
    each(trMark("loop"), program_.loops, [this](const LoopInfo& one) {
      require(one.variable == kNone || one.variable < program_.variables.size(), trMark("has a variable that is none"));
      requirePlace(one.range);
    });
    each(trMark("statement"), program_.statements, [this](const Statement& one) {
      require(one.function < program_.functions.size(), trMark("is of no function"));
      requirePlace(one.range);
    });
    each(trMark("assertion"), program_.assertions,
         [this](const std::string& one) { require(one.size() <= ProgramLimits::kTextBytes, trMark("is too long")); });
    each(trMark("instruction"), program_.code, [this](const Instruction& one) { requirePlace(one.range); });
  }

 private:
  void counts() const {
    const auto most = [](std::size_t count, std::size_t limit, const char* what) {
      if (count > limit) { refuse(trf("it has {} {}, and may have {}", count, tr(what), limit)); }
    };
    most(program_.code.size(), ProgramLimits::kInstructions, trMark("instructions"));
    most(program_.registers.size(), ProgramLimits::kRegisters, trMark("registers"));
    most(program_.variables.size(), ProgramLimits::kVariables, trMark("variables"));
    most(program_.objects.size(), ProgramLimits::kObjects, trMark("arrays"));
    most(program_.parameters.size(), ProgramLimits::kParameters, trMark("parameters"));
    most(program_.argumentBytes.size(), ProgramLimits::kParameters, trMark("parameters"));
    most(program_.loops.size(), ProgramLimits::kLoops, trMark("loops"));
    most(program_.statements.size(), program_.code.size(), trMark("statements"));
    most(program_.functions.size(), program_.code.size(), trMark("functions"));
    most(program_.assertions.size(), program_.code.size(), trMark("assertions"));
    if (program_.functions.empty()) { refuse(tr("it has no kernel")); }
  }

  void arguments() const {
    std::int64_t all = 0;
    for (const std::int64_t bytes : program_.argumentBytes) {
      if (bytes < 0 || bytes > ProgramLimits::kArgumentBytes - all) { refuse(tr("its arguments have too many bytes")); }
      all += bytes;
    }
  }

  template <typename Part, typename Check>
  void each(const char* what, const std::vector<Part>& parts, const Check& check) {
    what_ = what;
    for (number_ = 0; number_ < parts.size(); ++number_) { check(parts[number_]); }
  }
  void require(bool holds, const char* why) const {
    if (!holds) { refusePart(what_, number_, why); }
  }
  void requirePlace(const SourceRange& range) const { require(isRange(range), trMark("is at no place of a text")); }

  /// Whether so many bytes at this place are within an argument.
  [[nodiscard]] bool isInArgument(std::uint32_t argument, std::int64_t offset, std::int64_t bytes) const {
    return argument < program_.argumentBytes.size() && offset >= 0 && bytes <= program_.argumentBytes[argument] &&
           offset <= program_.argumentBytes[argument] - bytes;
  }

  void checkRegister(const Register& one) const {
    require(one.kind != RegisterKind::Builtin || one.type == ValueType::U32,
            trMark("has another type than its builtin"));
  }

  void checkObject(const MemoryObject& one) {
    require(isName(one.name), trMark("has no name"));
    requirePlace(one.declared);
    require(one.extents.size() <= ProgramLimits::kExtents, trMark("has too many extents"));
    if (one.extentsAtLaunch) {
      const bool isShared = one.space == MemorySpace::Shared;
      require(one.extents.empty() && one.space != MemorySpace::Local, trMark("cannot have its size from a launch"));
      require(!isShared || !dynamicShared_, trMark("is a second one whose size is that of the dynamic shared memory"));
      dynamicShared_ = dynamicShared_ || isShared;
    }
    std::int64_t& left = left_[static_cast<std::size_t>(one.space)];
    const std::int64_t bytes = one.extentsAtLaunch ? 0 : bytesWithin(one, left);
    require(bytes <= left, trMark("does not fit into its memory with those before it"));
    left -= bytes;
    const bool initialised = one.space == MemorySpace::Constant || one.space == MemorySpace::Global;
    const auto elements = static_cast<std::uint64_t>(bytes / sizeInMemory(one.element));
    require(one.initial.empty() || (initialised && one.initial.size() == elements),
            trMark("has another number of values than elements"));
    const bool inArgument = one.space == MemorySpace::Constant && isInArgument(one.argument, one.argumentOffset, bytes);
    require(one.argument == kNone ? one.argumentOffset == 0 : inArgument, trMark("is not within its argument"));
    const std::int64_t words = kTensorMapBytes / sizeInMemory(ValueType::Pointer);
    require(
        !one.tensorMap || (one.argument != kNone && one.element == ValueType::Pointer && one.elementCount() == words),
        trMark("does not describe an array to tensor copies"));
    checkMembers(one, bytes);
  }

  void checkMembers(const MemoryObject& one, std::int64_t bytes) const {
    if (one.members.empty()) { return require(one.structBytes == 0, trMark("has members that are none")); }
    const std::int64_t size = sizeInMemory(one.element);
    require(one.members.size() <= ProgramLimits::kMembers && one.structBytes > 0 &&
                one.structBytes <= ProgramLimits::kStaticBytes && one.structBytes % size == 0 &&
                bytes % one.structBytes == 0,
            trMark("has members that are none"));
    for (const StructMember& member : one.members) {
      const std::int64_t last = one.structBytes - sizeInMemory(member.type);
      require(isName(member.name) && member.byteOffset >= 0 && member.byteOffset <= last,
              trMark("has members that are none"));
    }
  }

  void checkVariable(const Variable& one) const {
    require(isName(one.name), trMark("has no name"));
    requirePlace(one.declared);
    requirePlace(one.scope);
    require(one.function < program_.functions.size(), trMark("is of no function"));
    require(one.reg < program_.registers.size() && program_.registers[one.reg].kind == RegisterKind::Variable,
            trMark("has a register that is not one of variables"));
  }

  void checkParameter(const Parameter& one) const {
    require(isName(one.name), trMark("has no name"));
    requirePlace(one.declared);
    require(one.variable < program_.variables.size() && program_.variables[one.variable].parameter,
            trMark("has a variable that is none"));
    require(program_.registers[program_.variables[one.variable].reg].type == one.type,
            trMark("has another type than its variable"));
    require(isInArgument(one.argument, one.argumentOffset, sizeInMemory(one.type)),
            trMark("is not within its argument"));
    const bool pointsTo = one.type == ValueType::Pointer && one.object < program_.objects.size() &&
                          program_.objects[one.object].space == MemorySpace::Global &&
                          program_.objects[one.object].extentsAtLaunch;
    require(one.object == kNone || pointsTo, trMark("points to an array that is none of a launch"));
  }

  static constexpr std::int64_t kTensorMapBytes = 128;

  const Program& program_;
  const char* what_ = "";
  std::size_t number_ = 0;
  bool dynamicShared_ = false;
  /// Bytes that arrays may still take, by MemorySpace.
  std::array<std::int64_t, 4> left_{mostBytes(MemorySpace::Global), mostBytes(MemorySpace::Shared),
                                    mostBytes(MemorySpace::Constant), mostBytes(MemorySpace::Local)};
};

}  // namespace

void refusePart(const char* what, std::size_t number, const char* why) {
  refuse(fmt::format("{} {} {}", tr(what), number, tr(why)));
}

void checkWellFormed(const Program& program) {
  Declarations(program).check();
  checkCode(program);
}

}  // namespace haloscope
