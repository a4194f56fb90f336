#pragma once

#include <bit>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "program/Launch.h"
#include "program/Program.h"

namespace haloscope::test {

/// Builds Programs by hand to test the emulator without the front end.
class ProgramBuilder {
 public:
  ProgramBuilder() {
    program_.kernel = "kernel";
    program_.functions.push_back({"kernel", {1, 1, 99, 1}, {}});
  }

  // Registers.
  RegisterId temporary(ValueType type) { return addRegister({type, RegisterKind::Temporary, 0, {}}); }
  RegisterId constant(ValueType type, std::uint64_t bits) {
    return addRegister({type, RegisterKind::Constant, bits, {}});
  }
  RegisterId i32(std::int32_t value) { return constant(ValueType::I32, static_cast<std::uint32_t>(value)); }
  RegisterId f32(float value) { return constant(ValueType::F32, std::bit_cast<std::uint32_t>(value)); }
  RegisterId pointer(ObjectId object) { return constant(ValueType::Pointer, PackedPointer::pack(object, 0)); }
  RegisterId builtin(Builtin which) { return addRegister({ValueType::U32, RegisterKind::Builtin, 0, which}); }
  /// threadIdx.x and similar, as an int.
  RegisterId builtinInt(Builtin which) { return convert(builtin(which), ValueType::I32); }
  RegisterId variable(const std::string& name, ValueType type) {
    const RegisterId reg = addRegister({type, RegisterKind::Variable, 0, {}});
    program_.variables.push_back({name, reg, {}, {}, 0, false});
    return reg;
  }

  // Objects and parameters.
  ObjectId object(const std::string& name, MemorySpace space, ValueType element, std::vector<std::int64_t> extents) {
    MemoryObject made;
    made.name = name;
    made.space = space;
    made.element = element;
    made.extentsAtLaunch = extents.empty();
    made.extents = std::move(extents);
    program_.objects.push_back(made);
    return static_cast<ObjectId>(program_.objects.size() - 1);
  }
  /// A pointer parameter and the global array behind it.
  ObjectId global(const std::string& name, ValueType element) {
    const ObjectId made = object(name, MemorySpace::Global, element, {});
    parameter(name, ValueType::Pointer, made);
    return made;
  }
  /// A scalar parameter; returns its register.
  RegisterId scalar(const std::string& name, ValueType type) { return parameter(name, type, kNone); }

  // Instructions.
  RegisterId binary(Opcode op, RegisterId a, RegisterId b) {
    const bool compares = op >= Opcode::Equal && op <= Opcode::GreaterEqual;
    return value({.op = op, .type = typeOf(a), .a = a, .b = b, .range = here()},
                 compares ? ValueType::Bool : typeOf(a));
  }
  RegisterId add(RegisterId a, RegisterId b) { return binary(Opcode::Add, a, b); }
  RegisterId sub(RegisterId a, RegisterId b) { return binary(Opcode::Sub, a, b); }
  RegisterId mul(RegisterId a, RegisterId b) { return binary(Opcode::Mul, a, b); }
  RegisterId less(RegisterId a, RegisterId b) { return binary(Opcode::Less, a, b); }
  RegisterId unary(Opcode op, RegisterId a) {
    return value({.op = op, .type = typeOf(a), .a = a, .range = here()},
                 op == Opcode::LogicalNot ? ValueType::Bool : typeOf(a));
  }
  RegisterId convert(RegisterId a, ValueType to) {
    return value({.op = Opcode::Convert, .type = to, .a = a, .range = here()}, to);
  }
  RegisterId ternary(Opcode op, RegisterId a, RegisterId b, RegisterId c) {
    return value({.op = op, .type = typeOf(b), .a = a, .b = b, .c = c, .range = here()}, typeOf(b));
  }
  RegisterId math(MathFunction function, RegisterId a, RegisterId b = kNone) {
    return value({.op = Opcode::Math,
                  .type = typeOf(a),
                  .a = a,
                  .b = b,
                  .aux = static_cast<std::uint32_t>(function),
                  .range = here()},
                 typeOf(a));
  }
  void assign(RegisterId variable, RegisterId a) {
    emit({.op = Opcode::Assign, .type = typeOf(variable), .dst = variable, .a = a, .range = here()});
  }
  RegisterId offset(RegisterId pointer, RegisterId index, std::uint32_t bytes) {
    return value(
        {.op = Opcode::Offset, .type = ValueType::Pointer, .a = pointer, .b = index, .aux = bytes, .range = here()},
        ValueType::Pointer);
  }
  RegisterId element(ObjectId object, RegisterId index) {
    return offset(pointer(object), index, static_cast<std::uint32_t>(sizeInMemory(elementOf(object))));
  }
  RegisterId load(ObjectId object, RegisterId index) {
    return loadFrom(element(object, index), elementOf(object), object);
  }
  RegisterId loadFrom(RegisterId address, ValueType type, ObjectId object = kNone) {
    return value({.op = Opcode::Load, .type = type, .a = address, .aux = object, .range = here()}, type);
  }
  void store(ObjectId object, RegisterId index, RegisterId what) {
    storeTo(element(object, index), what, elementOf(object), object);
  }
  void storeTo(RegisterId address, RegisterId what, ValueType type, ObjectId object = kNone) {
    emit({.op = Opcode::Store, .type = type, .a = address, .b = what, .aux = object, .range = here()});
  }
  RegisterId atomicAdd(ObjectId object, RegisterId index, RegisterId what) {
    const RegisterId address = element(object, index);
    return value(
        {.op = Opcode::AtomicAdd, .type = elementOf(object), .a = address, .b = what, .aux = object, .range = here()},
        elementOf(object));
  }

  // Structure.
  StatementId statement(StatementKind kind = StatementKind::Expression) {
    const auto id = static_cast<StatementId>(program_.statements.size());
    ++line_;
    program_.statements.push_back({kind, here(), 0, next()});
    emit({.op = Opcode::Statement, .aux = id, .range = here()});
    return id;
  }
  void beginIf(RegisterId condition) {
    open_.push_back(next());
    emit({.op = Opcode::If, .type = ValueType::Bool, .a = condition, .range = here()});
  }
  void beginElse() {
    program_.code[open_.back()].target = next();
    open_.back() = next();
    emit({.op = Opcode::Else, .range = here()});
  }
  void endIf() {
    program_.code[open_.back()].target = next();
    open_.pop_back();
    emit({.op = Opcode::EndIf, .range = here()});
  }
  void beginLoop() {
    const auto loop = static_cast<std::uint32_t>(program_.loops.size());
    program_.loops.push_back({here(), kNone, 0, false});
    open_.push_back(next());
    emit({.op = Opcode::Loop, .aux = loop, .range = here()});
  }
  void loopTest(RegisterId condition) {
    tests_.push_back({open_.back(), next()});
    emit({.op = Opcode::LoopTest, .type = ValueType::Bool, .a = condition, .range = here()});
  }
  void loopNext() { emit({.op = Opcode::LoopNext, .range = here()}); }
  void endLoop() {
    const std::uint32_t begin = open_.back();
    emit({.op = Opcode::LoopBack, .target = begin + 1, .range = here()});
    endOnce();
  }
  /// Ends a loop that runs once.
  void endOnce() {
    for (const auto& [begin, test] : tests_) {
      if (begin == open_.back()) { program_.code[test].target = next(); }
    }
    open_.pop_back();
    emit({.op = Opcode::EndLoop, .range = here()});
  }
  void call() {
    program_.functions.push_back({"helper", {1, 1, 99, 1}, here()});
    emit({.op = Opcode::Call, .aux = static_cast<std::uint32_t>(program_.functions.size() - 1), .range = here()});
  }
  void control(Opcode op) { emit({.op = op, .range = here()}); }  ///< Break, Continue, Return, EndCall, Barrier

  /// Finishes with End.
  Program build() {
    emit({.op = Opcode::End, .range = here()});
    return program_;
  }

  [[nodiscard]] std::uint32_t next() const { return static_cast<std::uint32_t>(program_.code.size()); }
  void emit(const Instruction& instruction) { program_.code.push_back(instruction); }

 private:
  RegisterId addRegister(const Register& reg) {
    program_.registers.push_back(reg);
    return static_cast<RegisterId>(program_.registers.size() - 1);
  }
  RegisterId parameter(const std::string& name, ValueType type, ObjectId object) {
    const RegisterId reg = variable(name, type);
    program_.variables.back().parameter = true;
    program_.parameters.push_back({name, type, static_cast<VariableId>(program_.variables.size() - 1), object, {}});
    return reg;
  }
  RegisterId value(Instruction instruction, ValueType type) {
    instruction.dst = temporary(type);
    emit(instruction);
    return instruction.dst;
  }
  [[nodiscard]] ValueType typeOf(RegisterId reg) const { return program_.registers[reg].type; }
  [[nodiscard]] ValueType elementOf(ObjectId object) const { return program_.objects[object].element; }
  [[nodiscard]] SourceRange here() const { return {line_, 1, line_, 20}; }

  Program program_;
  std::vector<std::uint32_t> open_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tests_;
  int line_ = 1;
};

/// An array of the given values.
template <class T>
ArrayData arrayOf(ValueType element, const std::vector<T>& values) {
  ArrayData array;
  array.element = element;
  array.extents = {static_cast<std::int64_t>(values.size())};
  array.bytes.resize(values.size() * sizeof(T));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const T value = values[i];  // one by one, because std::vector<bool> has no array of bools
    std::memcpy(array.bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
  return array;
}

template <class T>
std::vector<T> valuesOf(const ArrayData& array) {
  std::vector<T> values;
  for (std::size_t at = 0; at + sizeof(T) <= array.bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, array.bytes.data() + at, sizeof(T));
    values.push_back(value);
  }
  return values;
}

/// A launch with empty arrays and zero for every scalar.
inline Launch launchOf(const Program& program, Dim3 grid, Dim3 block) {
  Launch launch;
  launch.configuration.grid = grid;
  launch.configuration.block = block;
  launch.arguments.assign(program.parameters.size(), 0);
  launch.arrays.resize(program.objects.size());
  return launch;
}

}  // namespace haloscope::test
