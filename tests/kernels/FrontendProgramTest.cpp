#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "FrontendCases.h"

// Invariants of every Program, checked on all kernels of the catalogue and all lowering cases.

namespace haloscope::test {
namespace {

/// Walks through a program and collects violations.
class ProgramCheck {
 public:
  ProgramCheck(const Program& program, const std::string& text) : program_(program) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) { lineLengths_.push_back(static_cast<int>(line.size())); }
  }

  std::vector<std::string> problems() {
    checkTables();
    for (at_ = 0; at_ < program_.code.size(); ++at_) {
      checkInstruction(program_.code[at_]);
      checkStructure(program_.code[at_]);
    }
    expect(open_.empty(), "a construct is not closed");
    expect(!program_.code.empty() && program_.code.back().op == Opcode::End, "the code does not end");
    return std::move(problems_);
  }

 private:
  struct Open {
    Opcode op;
    std::uint32_t begin;
    std::vector<std::uint32_t> tests;
  };

  void expect(bool holds, const std::string& otherwise) {
    if (!holds) problems_.push_back("instruction " + std::to_string(at_) + ": " + otherwise);
  }

  void checkRange(const SourceRange& range, const std::string& of) {
    const auto inside = [&](int line, int column) {
      return line >= 1 && line <= static_cast<int>(lineLengths_.size()) && column >= 1 &&
             column <= lineLengths_[static_cast<std::size_t>(line - 1)] + 1;
    };
    expect(inside(range.line, range.column) && inside(range.endLine, range.endColumn), of + " is outside the text");
    expect(std::pair(range.line, range.column) < std::pair(range.endLine, range.endColumn), of + " has no extent");
  }

  void checkTables() {
    for (const Variable& variable : program_.variables) {
      expect(program_.registers.at(variable.reg).kind == RegisterKind::Variable, variable.name + " has no register");
      expect(variable.function < program_.functions.size(), variable.name + " is in no function");
      checkRange(variable.declared, "declaration of " + variable.name);
      checkRange(variable.scope, "scope of " + variable.name);
    }
    for (const Parameter& parameter : program_.parameters) {
      expect(program_.variables.at(parameter.variable).parameter, parameter.name + " is not a parameter");
      expect((parameter.object != kNone) == (parameter.type == ValueType::Pointer), parameter.name + " and its object");
      expect(parameter.object == kNone || program_.objects.at(parameter.object).name == parameter.name,
             "the object of " + parameter.name);
    }
    for (const MemoryObject& object : program_.objects) {
      checkRange(object.declared, "declaration of " + object.name);
      expect(object.extentsAtLaunch || object.elementCount() > 0, object.name + " is empty");
      expect(object.initial.empty() || object.initial.size() == static_cast<std::size_t>(object.elementCount()),
             "initialisers of " + object.name);
    }
    for (std::size_t i = 0; i < program_.statements.size(); ++i) {
      const Statement& statement = program_.statements[i];
      const Instruction& first = program_.code.at(statement.firstInstruction);
      expect(first.op == Opcode::Statement && first.aux == i, "statement " + std::to_string(i) + " begins elsewhere");
      checkRange(statement.range, "statement " + std::to_string(i));
    }
    for (const LoopInfo& loop : program_.loops) {
      checkRange(loop.range, "loop");
      expect(loop.variable == kNone || loop.variable < program_.variables.size(), "variable of a loop");
    }
    expect(!program_.functions.empty() && program_.functions.front().name == program_.kernel, "function 0");
  }

  void checkInstruction(const Instruction& instruction) {
    checkRange(instruction.range, "range");
    for (const RegisterId reg : {instruction.a, instruction.b, instruction.c}) {
      expect(reg == kNone || reg < program_.registers.size(), "reads no register");
    }
    if (instruction.dst != kNone) checkDestination(instruction);
    const bool access =
        instruction.op == Opcode::Load || instruction.op == Opcode::Store || instruction.op == Opcode::AtomicAdd;
    if (access) {
      expect(program_.registers.at(instruction.a).type == ValueType::Pointer, "addresses no pointer");
      const bool known = instruction.aux != kNone;
      expect(!known || instruction.aux < program_.objects.size(), "names no object");
      if (known && instruction.op != Opcode::Load) {
        expect(!program_.objects.at(instruction.aux).readOnly, "writes what is read-only");
      }
    }
    if (instruction.op == Opcode::Add || instruction.op == Opcode::Mul || instruction.op == Opcode::Less) {
      for (const RegisterId operand : {instruction.a, instruction.b}) {
        expect(sizeInRegister(program_.registers.at(operand).type) == sizeInRegister(instruction.type),
               "operand of another size");
      }
    }
  }

  void checkDestination(const Instruction& instruction) {
    const RegisterKind kind = program_.registers.at(instruction.dst).kind;
    expect(kind == RegisterKind::Temporary || kind == RegisterKind::Variable, "writes a constant");
    const bool masked = instruction.op == Opcode::Assign || instruction.op == Opcode::Load;
    expect(kind == RegisterKind::Temporary || masked, "writes a variable in all lanes");
    if (kind == RegisterKind::Temporary) {
      const bool again = !written_.insert(instruction.dst).second;
      expect(!again || masked, "writes a temporary for the second time in a statement");
    }
  }

  void checkStructure(const Instruction& instruction) {
    switch (instruction.op) {
      case Opcode::Statement:
        written_.clear();
        break;
      case Opcode::If:
      case Opcode::Loop:
      case Opcode::Call:
        open_.push_back({instruction.op, at_, {}});
        break;
      case Opcode::Else:
        closeTarget(Opcode::If, Opcode::Else);
        break;
      case Opcode::EndIf:
        close(Opcode::If, Opcode::Else);
        break;
      case Opcode::EndLoop:
        close(Opcode::Loop, Opcode::Loop);
        break;
      case Opcode::EndCall:
        close(Opcode::Call, Opcode::Call);
        break;
      case Opcode::LoopTest:
        expect(!open_.empty() && open_.back().op == Opcode::Loop, "a test outside of its loop");
        if (!open_.empty()) open_.back().tests.push_back(at_);
        break;
      case Opcode::LoopBack:
        expect(!open_.empty() && open_.back().begin + 1 == instruction.target, "goes back to another loop");
        break;
      case Opcode::Break:
      case Opcode::Continue:
        expect(insideLoop(), "leaves no loop");
        break;
      default:
        break;
    }
  }

  bool insideLoop() const {
    for (auto open = open_.rbegin(); open != open_.rend() && open->op != Opcode::Call; ++open) {
      if (open->op == Opcode::Loop) return true;
    }
    return false;
  }

  void closeTarget(Opcode opener, Opcode next) {
    const bool matches = !open_.empty() && open_.back().op == opener;
    expect(matches, "closes nothing");
    if (!matches) return;
    expect(program_.code[open_.back().begin].target == at_, "target of the branch");
    open_.back() = {next, at_, {}};
  }

  void close(Opcode opener, Opcode alternative) {
    const bool matches = !open_.empty() && (open_.back().op == opener || open_.back().op == alternative);
    expect(matches, "closes nothing");
    if (!matches) return;
    if (opener == Opcode::If) expect(program_.code[open_.back().begin].target == at_, "target of the branch");
    for (const std::uint32_t test : open_.back().tests) {
      expect(program_.code[test].target == at_, "target of the test");
    }
    open_.pop_back();
  }

  const Program& program_;
  std::vector<int> lineLengths_;
  std::vector<std::string> problems_;
  std::uint32_t at_ = 0;
  std::vector<Open> open_;
  std::set<RegisterId> written_;  ///< temporaries of the current statement
};

std::vector<FrontendCase> allTexts() {
  std::vector<FrontendCase> all = casesIn("lowering");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HALOSCOPE_SOURCE_DIR "/kernels")) {
    if (entry.path().extension() != ".cu") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    all.push_back({.path = entry.path(),
                   .name = entry.path().parent_path().filename().string() + "_" + entry.path().stem().string(),
                   .text = std::string(std::istreambuf_iterator<char>(stream), {}),
                   .options = {}});
  }
  return all;
}

class ProgramRules : public ::testing::TestWithParam<FrontendCase> {};

TEST_P(ProgramRules, AreKept) {
  const Program program = GetParam().compile().program;
  const std::vector<std::string> problems = ProgramCheck(program, GetParam().text).problems();
  for (const std::string& problem : problems) { ADD_FAILURE() << GetParam().path << ": " << problem; }
  if (!problems.empty()) std::cout << print(program);
}

INSTANTIATE_TEST_SUITE_P(Frontend, ProgramRules, ::testing::ValuesIn(allTexts()),
                         [](const auto& parameter) { return parameter.param.name; });

}  // namespace
}  // namespace haloscope::test
