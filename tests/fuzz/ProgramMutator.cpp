#include "ProgramMutator.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <random>

#include "program/SourceLocation.h"
#include "program/WellFormed.h"

namespace haloscope::fuzz {

namespace {

class Changes {
 public:
  Changes(Program& program, unsigned seed) : program_(program), random_(seed) {}

  void apply() {
    const std::size_t count = 1 + below(4);
    for (std::size_t i = 0; i < count; ++i) { change(); }
  }
  void joinCode(const Program& other) {
    if (other.code.empty()) { return; }
    const std::size_t first = below(other.code.size());
    const std::size_t count = 1 + below(std::min<std::size_t>(other.code.size() - first, 40));
    const auto from = other.code.begin() + static_cast<std::ptrdiff_t>(first);
    program_.code.insert(program_.code.begin() + place(), from, from + static_cast<std::ptrdiff_t>(count));
  }

 private:
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  template <typename Enum>
  Enum any(Enum last) {
    return static_cast<Enum>(below(static_cast<std::size_t>(last) + 1));
  }
  std::uint32_t word() {
    constexpr auto kWords =
        std::to_array<std::uint32_t>({0, 1, 2, 31, 32, 0xffff, 0x7fffffff, 0x80000000, kNone - 1, kNone});
    return below(3) == 0 ? kWords[below(kWords.size())] : static_cast<std::uint32_t>(below(40));
  }
  std::int64_t number() {
    constexpr auto kNumbers = std::to_array<std::int64_t>(
        {0, -1, 1, 1 << 20, std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::max()});
    return below(3) == 0 ? kNumbers[below(kNumbers.size())] : static_cast<std::int64_t>(below(200));
  }
  std::ptrdiff_t place() { return static_cast<std::ptrdiff_t>(below(program_.code.size() + 1)); }
  template <typename T>
  T* one(std::vector<T>& of) {
    return of.empty() ? nullptr : &of[below(of.size())];
  }

  void change() {
    switch (below(16)) {
      case 0:
        if (Register* const reg = one(program_.registers)) { changeRegister(*reg); }
        break;
      case 1:
        if (MemoryObject* const object = one(program_.objects)) { changeObject(*object); }
        break;
      case 2:
        changeTables();
        break;
      case 3:
        moveCode();
        break;
      case 4:
        retype();
        break;
      default:
        if (Instruction* const code = one(program_.code)) { changeInstruction(*code); }
        break;
    }
  }

  /// A register like it, so that the program often stays well formed.
  RegisterId another(RegisterId reg) {
    if (program_.registers.empty() || below(8) == 0) { return word(); }
    const auto chosen = static_cast<RegisterId>(below(program_.registers.size()));
    if (reg >= program_.registers.size()) { return chosen; }
    for (RegisterId i = 0; i < program_.registers.size(); ++i) {
      const auto found = static_cast<RegisterId>((chosen + i) % program_.registers.size());
      if (program_.registers[found].type == program_.registers[reg].type) { return found; }
    }
    return chosen;
  }

  void changeInstruction(Instruction& code) {
    switch (below(12)) {
      case 0:
        code.op = any(Opcode::End);
        break;
      case 1:
        // One that computes, for one that computes.
        code.op = static_cast<Opcode>(static_cast<std::size_t>(Opcode::Add) + below(10));
        break;
      case 2:
        code.type = any(ValueType::Pointer);
        break;
      case 3:
        code.dst = another(code.dst);
        break;
      case 4:
        code.a = another(code.a);
        break;
      case 5:
        code.b = another(code.b);
        break;
      case 6:
        code.c = another(code.c);
        break;
      case 7:
        code.aux = word();
        break;
      case 8:
        code.target = below(2) == 0 ? word() : static_cast<std::uint32_t>(place());
        break;
      case 9:
        code.part = {static_cast<std::uint8_t>(below(5)), static_cast<std::uint8_t>(std::size_t{1} << below(6))};
        break;
      case 10:
        code.fetch = any(FetchPart::Texel);
        code.bulk = below(2) == 0;
        break;
      default:
        code.async = below(2) == 0;
        code.ofCopy = below(2) == 0;
        code.isVolatile = below(2) == 0;
        code.mapped = below(2) == 0;
        break;
    }
  }
  /// An access of another type, with the registers of its value.
  void retype() {
    Instruction* const code = one(program_.code);
    if (code == nullptr || !isAccess(code->op)) { return; }
    code->type = any(ValueType::Pointer);
    for (const RegisterId reg : {code->dst, code->b, code->c}) {
      if (reg < program_.registers.size()) { program_.registers[reg].type = code->type; }
    }
  }
  void changeRegister(Register& reg) {
    switch (below(4)) {
      case 0:
        reg.type = any(ValueType::Pointer);
        break;
      case 1:
        reg.kind = any(RegisterKind::Builtin);
        break;
      case 2:
        reg.builtin = any(Builtin::ClusterDimZ);
        break;
      default:
        reg.bits = below(2) == 0 ? random_() : static_cast<std::uint64_t>(number());
        break;
    }
  }
  void changeObject(MemoryObject& object) {
    switch (below(8)) {
      case 0:
        object.space = any(MemorySpace::Local);
        break;
      case 1:
        object.element = any(ValueType::Pointer);
        break;
      case 2:
        if (std::int64_t* const extent = one(object.extents)) { *extent = number(); }
        break;
      case 3:
        object.extents.assign(below(4), number());
        break;
      case 4:
        object.extentsAtLaunch = !object.extentsAtLaunch;
        break;
      case 5:
        object.initial.assign(below(10), random_());
        break;
      case 6:
        object.argument = word();
        object.argumentOffset = number();
        break;
      default:
        object.structBytes = number();
        break;
    }
  }
  void changeTables() {
    switch (below(8)) {
      case 0:
        if (Variable* const variable = one(program_.variables)) { variable->reg = another(variable->reg); }
        break;
      case 1:
        if (Parameter* const parameter = one(program_.parameters)) { parameter->object = word(); }
        break;
      case 2:
        if (Parameter* const parameter = one(program_.parameters)) { parameter->argumentOffset = number(); }
        break;
      case 3:
        if (Statement* const statement = one(program_.statements)) { statement->firstInstruction = word(); }
        break;
      case 4:
        if (LoopInfo* const loop = one(program_.loops)) { loop->variable = word(); }
        break;
      case 5:
        if (Statement* const statement = one(program_.statements)) {
          statement->range = {static_cast<int>(below(200)), static_cast<int>(below(9)), 3, 3};
        }
        break;
      case 6:
        program_.clusterDims = {word(), word(), word()};
        break;
      default:
        if (std::int64_t* const bytes = one(program_.argumentBytes)) { *bytes = number(); }
        break;
    }
  }
  void moveCode() {
    if (program_.code.empty()) { return; }
    const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(below(program_.code.size()));
    const Instruction moved = program_.code[static_cast<std::size_t>(from)];
    if (below(2) == 0) { program_.code.erase(program_.code.begin() + from); }
    if (below(2) == 0) { program_.code.insert(program_.code.begin() + place(), moved); }
  }

  Program& program_;
  std::mt19937_64 random_;
};

bool isWellFormed(const Program& program) {
  try {
    checkWellFormed(program);
    return true;
  } catch (const InputError&) { return false; }
}

}  // namespace

Program mutatedProgram(const Program& program, unsigned seed) {
  std::mt19937_64 random(seed);
  constexpr int kTries = 8;
  for (int i = 1;; ++i) {
    Program changed = program;
    Changes(changed, static_cast<unsigned>(random())).apply();
    if (i == kTries || isWellFormed(changed)) { return changed; }
  }
}

Program joinedPrograms(Program program, const Program& other, unsigned seed) {
  Changes(program, seed).joinCode(other);
  return program;
}

std::vector<std::byte> mutatedBytes(std::span<const std::byte> bytes, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> changed(bytes.begin(), bytes.end());
  const std::size_t count = 1 + random() % 4;
  for (std::size_t i = 0; i < count && !changed.empty(); ++i) {
    const auto at = changed.begin() + static_cast<std::ptrdiff_t>(random() % changed.size());
    switch (random() % 4) {
      case 0:
        changed.erase(at);
        break;
      case 1:
        changed.insert(at, *at);
        break;
      case 2:
        *at = static_cast<std::byte>(random());
        break;
      default:
        *at ^= static_cast<std::byte>(1U << random() % 8);
        break;
    }
  }
  return changed;
}

}  // namespace haloscope::fuzz
