#include "checking/RepairCandidates.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "checking/TextFixes.h"
#include "language/Text.h"

namespace haloscope::checking {

namespace {

using Change = RepairCandidate::Change;
using Wording = RepairCandidate::Wording;

RegisterId addRegister(Program& program, const Register& made) {
  program.registers.push_back(made);
  return static_cast<RegisterId>(program.registers.size() - 1);
}

RegisterId builtin(Program& program, Builtin which) {
  for (RegisterId id = 0; id < program.registers.size(); ++id) {
    const Register& one = program.registers[id];
    if (one.kind == RegisterKind::Builtin && one.builtin == which) { return id; }
  }
  return addRegister(program, {.type = ValueType::U32, .kind = RegisterKind::Builtin, .builtin = which});
}

constexpr std::array<RegisterId Instruction::*, 3> kOperands{&Instruction::a, &Instruction::b, &Instruction::c};

/// The operator with which equality goes the other way; the same for what compares nothing.
Opcode withOrWithoutEquality(Opcode op) {
  switch (op) {
    case Opcode::Less:
      return Opcode::LessEqual;
    case Opcode::LessEqual:
      return Opcode::Less;
    case Opcode::Greater:
      return Opcode::GreaterEqual;
    case Opcode::GreaterEqual:
      return Opcode::Greater;
    default:
      return op;
  }
}

const char* sign(Opcode op) {
  switch (op) {
    case Opcode::Less:
      return "<";
    case Opcode::LessEqual:
      return "<=";
    case Opcode::Greater:
      return ">";
    default:
      return ">=";
  }
}

class CandidateList {
 public:
  CandidateList(const Program& program, const Launch& launch) : program_(program), launch_(launch) {
    StatementId statement = kNone;
    for (const Instruction& code : program.code) {
      if (code.op == Opcode::Statement) { statement = code.aux; }
      statements_.push_back(statement);
    }
  }

  std::vector<RepairCandidate> all() {
    comparisons();
    guards();
    axesExchanged();
    axesExchangedInStatements();
    axesOfPlaces();
    numbers();
    sizes();
    signs();
    exchanges();
    return std::move(made_);
  }

 private:
  [[nodiscard]] const Register& registerAt(RegisterId id) const { return program_.registers[id]; }

  void add(std::vector<Change> changes, std::string words, const SourceRange& where,
           std::optional<Wording> wording = {}) {
    if (changes.empty() || !where.valid()) { return; }
    made_.push_back({std::move(changes), std::move(words), where, std::move(wording)});
  }

  /// One change for each place, then all those of one statement that are alike.
  template <class Key>
  void addAlone(const std::map<std::pair<StatementId, Key>, std::vector<Change>>& alike,
                const std::function<Wording(const Key&)>& wordingOf) {
    for (const bool together : {false, true}) {
      for (const auto& [key, changes] : alike) {
        const auto place = [&](const Change& change) { return program_.code[change.instruction].range; };
        const Wording wording = wordingOf(key.second);
        const std::string words = trf("{} instead of {}", wording.instead, wording.now);
        if (together && changes.size() > 1) {
          add(changes, trf("with {} everywhere at line {}", words, place(changes.front()).line), place(changes.front()),
              wording);
        }
        for (std::size_t i = 0; !together && i < changes.size(); ++i) {
          add({changes[i]}, trf("with {} at line {}", words, place(changes[i]).line), place(changes[i]), wording);
        }
      }
    }
  }

  void comparisons() {
    std::map<std::pair<StatementId, Opcode>, std::vector<Change>> alike;
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      const Instruction& code = program_.code[at];
      const Opcode other = withOrWithoutEquality(code.op);
      if (other == code.op || isFloating(code.type)) { continue; }
      alike[{statements_[at], code.op}].push_back({at, [other](Program&, Instruction& one) { one.op = other; }});
    }
    addAlone<Opcode>(alike, [](const Opcode& op) { return Wording{sign(op), sign(withOrWithoutEquality(op))}; });
  }

  /// A whole condition, one point narrower at both ends, or one wider.
  void guards() {
    for (const bool narrower : {true, false}) {
      std::map<StatementId, std::vector<Change>> guards;
      for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
        const Instruction& code = program_.code[at];
        const Opcode other = withOrWithoutEquality(code.op);
        if (other == code.op || isFloating(code.type)) { continue; }
        const bool less = code.op == Opcode::Less || code.op == Opcode::LessEqual;
        const bool equal = code.op == Opcode::LessEqual || code.op == Opcode::GreaterEqual;
        if (equal == narrower) {
          guards[statements_[at]].push_back({at, [other](Program&, Instruction& one) { one.op = other; }});
        } else if (const std::optional<Register> bound = known(code.b)) {
          Register instead = *bound;
          instead.bits += static_cast<std::uint64_t>(less == narrower ? -1 : 1);
          if (sizeInRegister(instead.type) == 4) { instead.bits &= 0xffffffffU; }
          guards[statements_[at]].push_back(
              {at, [instead](Program& program, Instruction& one) { one.b = addRegister(program, instead); }});
        }
      }
      for (auto& [statement, changes] : guards) {
        if (changes.size() < 2) { continue; }
        const SourceRange where = program_.code[changes.front().instruction].range;
        add(std::move(changes),
            trf("with all bounds at line {} one point {}", where.line, narrower ? tr("narrower") : tr("wider")), where);
      }
    }
  }

  /// What a register holds in the whole launch, as a constant: a number of the text or a whole scalar argument.
  [[nodiscard]] std::optional<Register> known(RegisterId reg) const {
    Register constant = registerAt(reg);
    if (constant.kind == RegisterKind::Constant) { return constant; }
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
      const Parameter& parameter = program_.parameters[i];
      if (parameter.variable == kNone || program_.variables[parameter.variable].reg != reg) { continue; }
      constant.kind = RegisterKind::Constant;
      constant.bits = launch_.arguments[i];
      return constant;
    }
    return std::nullopt;
  }

  /// Of a builtin: which of threadIdx, blockIdx, blockDim, gridDim, and along which axis.
  static std::pair<int, int> kindAndAxis(Builtin which) {
    return {static_cast<int>(which) / 3, static_cast<int>(which) % 3};
  }
  static Builtin along(int kind, int axis) { return static_cast<Builtin>(3 * kind + axis); }
  static std::string nameOf(int kind, int axis) {
    static constexpr std::array<const char*, 4> kKinds{"threadIdx", "blockIdx", "blockDim", "gridDim"};
    return fmt::format("{}.{}", kKinds[static_cast<std::size_t>(kind)], "xyz"[axis]);
  }
  [[nodiscard]] bool usesAxis(int axis) const {
    const auto of = [axis](const Dim3& extent) { return axis == 0 ? extent.x : axis == 1 ? extent.y : extent.z; };
    return of(launch_.configuration.grid) > 1 || of(launch_.configuration.block) > 1;
  }

  /// Every use of some builtins along one axis takes the other, and the other way round.
  void axesExchanged() {
    struct Kinds {
      std::vector<int> kinds;
      const char* words;
    };
    for (const auto& [one, other] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 2)}) {
      if (!usesAxis(one) || !usesAxis(other)) { continue; }
      for (const Kinds& which :
           {Kinds{{1}, tr("blockIdx.{0} and blockIdx.{1} exchanged")},
            Kinds{{0}, tr("threadIdx.{0} and threadIdx.{1} exchanged")},
            Kinds{{0, 1}, tr("{0} and {1} of threadIdx and blockIdx exchanged")},
            Kinds{{0, 1, 2, 3}, tr("{0} and {1} of threadIdx, blockIdx and blockDim exchanged")}}) {
        std::vector<Change> changes;
        SourceRange where;
        forEachBuiltin([&](std::uint32_t at, RegisterId Instruction::* operand, int kind, int axis) {
          if (std::ranges::find(which.kinds, kind) == which.kinds.end() || (axis != one && axis != other)) { return; }
          if (!where.valid()) { where = program_.code[at].range; }
          changes.push_back(replacement(at, operand, kind, axis == one ? other : one));
        });
        const std::string words = fmt::format(fmt::runtime(which.words), "xyz"[one], "xyz"[other]);
        add(std::move(changes), trf("with {}", words), where);
      }
    }
  }

  /// Both axes of one builtin take each other's place in one statement.
  void axesExchangedInStatements() {
    struct Exchange {
      std::vector<Change> changes;
      std::array<bool, 3> uses{};
    };
    for (const auto& [one, other] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 2)}) {
      if (!usesAxis(one) || !usesAxis(other)) { continue; }
      std::map<std::pair<StatementId, int>, Exchange> exchanges;
      forEachBuiltin([&](std::uint32_t at, RegisterId Instruction::* operand, int kind, int axis) {
        if (axis != one && axis != other) { return; }
        Exchange& exchange = exchanges[{statements_[at], kind}];
        exchange.uses[static_cast<std::size_t>(axis)] = true;
        exchange.changes.push_back(replacement(at, operand, kind, axis == one ? other : one));
      });
      for (auto& [key, exchange] : exchanges) {
        if (!exchange.uses[static_cast<std::size_t>(one)] || !exchange.uses[static_cast<std::size_t>(other)]) {
          continue;
        }
        const SourceRange where = program_.code[exchange.changes.front().instruction].range;
        add(std::move(exchange.changes),
            trf("with {} and {} exchanged at line {}", nameOf(key.second, one), nameOf(key.second, other), where.line),
            where);
      }
    }
  }

  void axesOfPlaces() {
    struct Key {
      int kind, axis, other;
      auto operator<=>(const Key&) const = default;
    };
    std::map<std::pair<StatementId, Key>, std::vector<Change>> alike;
    forEachBuiltin([&](std::uint32_t at, RegisterId Instruction::* operand, int kind, int axis) {
      for (int other = 0; other < 3; ++other) {
        if (other == axis || !usesAxis(other)) { continue; }
        alike[{statements_[at], {kind, axis, other}}].push_back(replacement(at, operand, kind, other));
      }
    });
    addAlone<Key>(alike,
                  [](const Key& key) { return Wording{nameOf(key.kind, key.axis), nameOf(key.kind, key.other)}; });
  }

  void forEachBuiltin(
      const std::function<void(std::uint32_t at, RegisterId Instruction::* operand, int kind, int axis)>& visit) const {
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      for (RegisterId Instruction::* operand : kOperands) {
        const RegisterId id = program_.code[at].*operand;
        if (id == kNone || registerAt(id).kind != RegisterKind::Builtin) { continue; }
        const auto [kind, axis] = kindAndAxis(registerAt(id).builtin);
        visit(at, operand, kind, axis);
      }
    }
  }

  static Change replacement(std::uint32_t at, RegisterId Instruction::* operand, int kind, int axis) {
    return {at, [=](Program& program, Instruction& one) { one.*operand = builtin(program, along(kind, axis)); }};
  }

  /// Whole numbers in sums, differences and comparisons, one more and one less.
  void numbers() {
    struct Key {
      std::int64_t now, instead;
      auto operator<=>(const Key&) const = default;
    };
    std::map<std::pair<StatementId, Key>, std::vector<Change>> alike;
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      const Instruction& code = program_.code[at];
      const bool compares = withOrWithoutEquality(code.op) != code.op || code.op == Opcode::Equal;
      // A variable's first value is often where a loop begins.
      const bool counts = code.op == Opcode::Add || code.op == Opcode::Sub || code.op == Opcode::Assign;
      if ((!counts && !compares) || isFloating(code.type)) { continue; }
      for (RegisterId Instruction::* operand : {&Instruction::a, &Instruction::b}) {
        const RegisterId id = code.*operand;
        if (id == kNone || registerAt(id).kind != RegisterKind::Constant) { continue; }
        const Register constant = registerAt(id);
        if (isFloating(constant.type) || constant.type == ValueType::Pointer) { continue; }
        const std::int64_t now = sizeInRegister(constant.type) == 8
                                     ? static_cast<std::int64_t>(constant.bits)
                                     : static_cast<std::int32_t>(static_cast<std::uint32_t>(constant.bits));
        for (const std::int64_t by : {-1, 1}) {
          Register instead = constant;
          instead.bits = static_cast<std::uint64_t>(now + by);
          if (sizeInRegister(constant.type) == 4) { instead.bits &= 0xffffffffU; }
          alike[{statements_[at], {now, now + by}}].push_back(
              {at, [operand, instead](Program& program, Instruction& one) {
                 one.*operand = addRegister(program, instead);
               }});
        }
      }
    }
    addAlone<Key>(alike, [](const Key& key) { return Wording{std::to_string(key.now), std::to_string(key.instead)}; });
  }

  /// One argument for another, such as the height for the width; a size also one more and one less.
  void sizes() {
    using Key = std::pair<std::string, std::string>;  ///< now, instead
    struct Size {
      std::string name;
      RegisterId reg;
      std::uint64_t value;
    };
    std::vector<Size> all;
    for (std::size_t i = 0; i < program_.parameters.size(); ++i) {
      const Parameter& parameter = program_.parameters[i];
      if (parameter.type == ValueType::Pointer || parameter.variable == kNone) { continue; }
      all.push_back({parameter.name, program_.variables[parameter.variable].reg, launch_.arguments[i]});
    }
    std::map<std::pair<StatementId, Key>, std::vector<Change>> alike;
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      for (RegisterId Instruction::* operand : kOperands) {
        for (const Size& size : all) {
          if (program_.code[at].*operand != size.reg) { continue; }
          for (const int by : {-1, 1}) {
            if (isFloating(registerAt(size.reg).type)) { break; }
            Register instead{.type = registerAt(size.reg).type, .kind = RegisterKind::Constant};
            instead.bits = size.value + static_cast<std::uint64_t>(by);
            if (sizeInRegister(instead.type) == 4) { instead.bits &= 0xffffffffU; }
            alike[{statements_[at], {size.name, fmt::format("{} {} 1", size.name, by < 0 ? '-' : '+')}}].push_back(
                {at, [operand, instead](Program& program, Instruction& one) {
                   one.*operand = addRegister(program, instead);
                 }});
          }
          for (const Size& other : all) {
            if (other.value == size.value || registerAt(other.reg).type != registerAt(size.reg).type) { continue; }
            alike[{statements_[at], {size.name, other.name}}].push_back(
                {at, [operand, reg = other.reg](Program&, Instruction& one) { one.*operand = reg; }});
          }
        }
      }
    }
    addAlone<Key>(alike, [](const Key& key) { return Wording{key.first, key.second}; });
  }

  /// A sum for a difference, and the other way round; or the difference the other way round.
  void signs() {
    std::map<std::pair<StatementId, Opcode>, std::vector<Change>> alike;
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      const Opcode op = program_.code[at].op;
      if ((op != Opcode::Add && op != Opcode::Sub) || program_.code[at].type == ValueType::Pointer) { continue; }
      const Opcode other = op == Opcode::Add ? Opcode::Sub : Opcode::Add;
      alike[{statements_[at], op}].push_back({at, [other](Program&, Instruction& one) { one.op = other; }});
    }
    addAlone<Opcode>(alike, [](const Opcode& op) { return op == Opcode::Add ? Wording{"+", "-"} : Wording{"-", "+"}; });
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      const Instruction& code = program_.code[at];
      if (code.op != Opcode::Sub || !isFloating(code.type)) { continue; }
      add({{at, [](Program&, Instruction& one) { std::swap(one.a, one.b); }}},
          trf("with both sides of the difference at line {} exchanged", code.range.line), code.range);
    }
  }

  /// Two variables of a statement take each other's place in it.
  void exchanges() {
    constexpr std::size_t kMostVariables = 8;
    std::map<StatementId, std::vector<RegisterId>> used;
    std::set<std::pair<StatementId, RegisterId>> written;
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      for (RegisterId Instruction::* operand : kOperands) {
        const RegisterId id = program_.code[at].*operand;
        if (id == kNone || registerAt(id).kind != RegisterKind::Variable) { continue; }
        std::vector<RegisterId>& all = used[statements_[at]];
        if (std::ranges::find(all, id) == all.end() && all.size() < kMostVariables) { all.push_back(id); }
      }
      if (program_.code[at].dst != kNone) { written.emplace(statements_[at], program_.code[at].dst); }
    }
    for (const auto& [statement, all] : used) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = i + 1; j < all.size(); ++j) {
          if (registerAt(all[i]).type == registerAt(all[j]).type && !written.contains({statement, all[i]}) &&
              !written.contains({statement, all[j]})) {
            exchange(statement, all[i], all[j]);
          }
        }
      }
    }
  }

  void exchange(StatementId statement, RegisterId one, RegisterId other) {
    std::vector<Change> changes;
    SourceRange where;
    for (std::uint32_t at = 0; at < program_.code.size(); ++at) {
      if (statements_[at] != statement) { continue; }
      for (RegisterId Instruction::* operand : kOperands) {
        const RegisterId id = program_.code[at].*operand;
        if (id != one && id != other) { continue; }
        if (!where.valid()) { where = program_.code[at].range; }
        changes.push_back(
            {at, [operand, to = id == one ? other : one](Program&, Instruction& code) { code.*operand = to; }});
      }
    }
    add(std::move(changes), trf("with {} and {} exchanged at line {}", variableOf(one), variableOf(other), where.line),
        where);
  }

  [[nodiscard]] std::string variableOf(RegisterId reg) const {
    const auto found = std::ranges::find(program_.variables, reg, &Variable::reg);
    return found == program_.variables.end() ? std::string() : found->name;
  }

  const Program& program_;
  const Launch& launch_;
  std::vector<StatementId> statements_;  ///< per instruction
  std::vector<RepairCandidate> made_;
};

}  // namespace

Program RepairCandidate::appliedTo(const Program& program) const {
  Program changed = program;
  for (const Change& change : changes) { change.apply(changed, changed.code[change.instruction]); }
  return changed;
}

std::vector<std::vector<faults::TextEdit>> RepairCandidate::editsOf(const std::string& text,
                                                                    const Program& program) const {
  constexpr std::size_t kMostTextsTried = 8;  // of the one that is right
  if (!wording) { return {}; }
  std::vector<SourceRange> places;
  for (const Change& change : changes) {
    for (const SourceRange& place : placesOf(text, program.code[change.instruction].range, wording->now)) {
      if (std::ranges::find(places, place) == places.end()) { places.push_back(place); }
    }
  }
  const bool isName = wording->instead.find(' ') != std::string::npos;
  const std::string instead = isName ? "(" + wording->instead + ")" : wording->instead;
  std::vector<std::vector<faults::TextEdit>> tried;
  for (const SourceRange& place : places) { tried.push_back({{place, instead}}); }
  if (places.size() > 1) {
    std::vector<faults::TextEdit> all;
    for (const SourceRange& place : places) { all.push_back({place, instead}); }
    tried.insert(changes.size() > 1 ? tried.begin() : tried.end(), std::move(all));
  }
  tried.resize(std::min(tried.size(), kMostTextsTried));
  return tried;
}

std::vector<RepairCandidate> repairCandidates(const Program& program, const Launch& launch) {
  return CandidateList(program, launch).all();
}

}  // namespace haloscope::checking
