#include "program/WellFormed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "WellFormedSample.h"
#include "program/SourceLocation.h"

namespace haloscope {
namespace {

using test::firstOf;

std::string problemOf(const Program& program) {
  try {
    checkWellFormed(program);
    return {};
  } catch (const InputError& error) { return error.message(); }
}

/// One change that makes the sample ill formed, and how that is said.
struct Change {
  const char* name;
  void (*apply)(Program& program);
  const char* why;
};
std::ostream& operator<<(std::ostream& out, const Change& change) { return out << change.name; }

constexpr const char* kOperand = "has an operand that it cannot have";
constexpr const char* kNumber = "has a number that means nothing there";
constexpr const char* kType = "is not defined for its type";
constexpr const char* kMark = "has a mark that it cannot have";
constexpr const char* kOutside = "is outside its construct";
constexpr const char* kElsewhere = "is not where its construct goes on";
constexpr const char* kNoPlace = "is at no place of a text";
constexpr const char* kMembers = "has members that are none";
constexpr const char* kArgument = "is not within its argument";

void insert(Program& program, std::size_t at, const Instruction& code) {
  program.code.insert(program.code.begin() + static_cast<std::ptrdiff_t>(at), code);
}
std::size_t indexOf(const Program& program, Opcode op) {
  return static_cast<std::size_t>(std::ranges::find(program.code, op, &Instruction::op) - program.code.begin());
}
RegisterId registerOf(const Program& program, ValueType type, RegisterKind kind) {
  for (RegisterId reg = 0; reg < program.registers.size(); ++reg) {
    if (program.registers[reg].type == type && program.registers[reg].kind == kind) { return reg; }
  }
  ADD_FAILURE() << "the sample has no such register";
  return 0;
}
RegisterId word(const Program& program) { return registerOf(program, ValueType::U32, RegisterKind::Constant); }
RegisterId pointer(const Program& program) { return registerOf(program, ValueType::Pointer, RegisterKind::Constant); }
RegisterId number(const Program& program) { return registerOf(program, ValueType::F32, RegisterKind::Temporary); }

const Change kChanges[] = {
    // Operands.
    {"NoResult", [](Program& p) { firstOf(p, Opcode::Add).dst = kNone; }, kOperand},
    {"RegisterBeyond", [](Program& p) { firstOf(p, Opcode::Add).a = static_cast<RegisterId>(p.registers.size()); },
     kOperand},
    {"NarrowForWide", [](Program& p) { firstOf(p, Opcode::Load).a = word(p); }, kOperand},
    {"WideForNarrow", [](Program& p) { firstOf(p, Opcode::If).a = pointer(p); }, kOperand},
    {"NumberForInteger", [](Program& p) { firstOf(p, Opcode::Shuffle).b = number(p); }, kOperand},
    {"WideType", [](Program& p) { firstOf(p, Opcode::Add).type = ValueType::I64; }, kOperand},
    {"WideElement", [](Program& p) { firstOf(p, Opcode::Store).type = ValueType::F64; }, kOperand},
    {"TooManyOperands", [](Program& p) { firstOf(p, Opcode::Add).c = firstOf(p, Opcode::Add).a; }, kOperand},
    {"ControlWithOperand", [](Program& p) { firstOf(p, Opcode::EndIf).a = word(p); }, kOperand},
    {"SecondOperandOfOne", [](Program& p) { firstOf(p, Opcode::Math).b = firstOf(p, Opcode::Math).a; }, kOperand},
    {"OneOperandOfTwo",
     [](Program& p) { firstOf(p, Opcode::Math).aux = static_cast<std::uint32_t>(MathFunction::Pow); }, kOperand},
    {"RowThatIsNoConstant", [](Program& p) { firstOf(p, Opcode::Offset).c = firstOf(p, Opcode::Offset).b; }, kOperand},
    {"VoteWithoutOperands", [](Program& p) { firstOf(p, Opcode::Vote).a = kNone; }, kOperand},
    {"MaskOfAllWithOperands",
     [](Program& p) { firstOf(p, Opcode::Vote).aux = static_cast<std::uint32_t>(VoteKind::ActiveMask); }, kOperand},
    {"BarrierThatAsksNoOne", [](Program& p) { firstOf(p, Opcode::Barrier).a = word(p); }, kOperand},
    {"PhaseThatIsNarrow",
     [](Program& p) {
       firstOf(p, Opcode::MemoryBarrier).aux = static_cast<std::uint32_t>(MemoryBarrierAction::AwaitPhase);
     },
     kOperand},
    {"QuestionWithoutAnswer",
     [](Program& p) {
       firstOf(p, Opcode::MemoryBarrier).aux = static_cast<std::uint32_t>(MemoryBarrierAction::AskParity);
     },
     kOperand},
    {"AssertionOfNothing", [](Program& p) { firstOf(p, Opcode::Trap).a = kNone; }, kOperand},
    {"WritesAConstant",
     [](Program& p) {
       firstOf(p, Opcode::Shuffle).dst = number(p),
                  firstOf(p, Opcode::Add).dst = registerOf(p, ValueType::I32, RegisterKind::Constant);
     },
     "writes a constant"},
    {"WritesABuiltin",
     [](Program& p) { firstOf(p, Opcode::Vote).dst = registerOf(p, ValueType::U32, RegisterKind::Builtin); },
     "writes a constant"},
    // Numbers.
    {"NoSuchFunction", [](Program& p) { firstOf(p, Opcode::Math).aux = 30; }, kNumber},
    {"NoSuchObject", [](Program& p) { firstOf(p, Opcode::Load).aux = 5; }, kNumber},
    {"NoSuchShuffle", [](Program& p) { firstOf(p, Opcode::Shuffle).aux = 4; }, kNumber},
    {"NoSuchWidth", [](Program& p) { firstOf(p, Opcode::Shuffle).aux = 64U << 8; }, kNumber},
    {"NoSuchVote", [](Program& p) { firstOf(p, Opcode::Vote).aux = 4; }, kNumber},
    {"NoSuchBarrier", [](Program& p) { firstOf(p, Opcode::Barrier).aux = 7; }, kNumber},
    {"VoteOfNoVote", [](Program& p) { firstOf(p, Opcode::BarrierVote).aux = kNone; }, kNumber},
    {"NoSuchAction", [](Program& p) { firstOf(p, Opcode::MemoryBarrier).aux = 9; }, kNumber},
    {"NoSuchScope", [](Program& p) { firstOf(p, Opcode::Fence).aux = 3; }, kNumber},
    {"NoSuchAssertion", [](Program& p) { firstOf(p, Opcode::Trap).aux = 1; }, kNumber},
    {"NoSuchStatement", [](Program& p) { firstOf(p, Opcode::Statement).aux = 99; }, kNumber},
    {"NoSuchLoop", [](Program& p) { firstOf(p, Opcode::Loop).aux = 1; }, kNumber},
    {"NoSuchCallee", [](Program& p) { firstOf(p, Opcode::Call).aux = 2; }, kNumber},
    {"CastOfAnotherKind", [](Program& p) { firstOf(p, Opcode::Convert).aux = 2; }, kNumber},
    {"DividesByNothing", [](Program& p) { firstOf(p, Opcode::PointerDifference).aux = 0; }, kNumber},
    {"NumberOfNothing", [](Program& p) { firstOf(p, Opcode::Add).aux = 0; }, kNumber},
    // Types.
    {"RemainderOfNumbers",
     [](Program& p) {
       Instruction& add = firstOf(p, Opcode::Add);
       add.op = Opcode::Rem;
       add.type = ValueType::F32;
       add.dst = add.a = add.b = number(p);
     },
     kType},
    {"RootOfIntegers",
     [](Program& p) {
       Instruction& root = firstOf(p, Opcode::Math);
       root.type = ValueType::I32;
       root.dst = root.a = registerOf(p, ValueType::I32, RegisterKind::Temporary);
     },
     kType},
    {"AtomicOfNumbers", [](Program& p) { firstOf(p, Opcode::AtomicAdd).op = Opcode::AtomicMin; }, kType},
    {"AtomicOfHalves", [](Program& p) { firstOf(p, Opcode::AtomicAdd).type = ValueType::F16; }, kType},
    {"OffsetOfNumbers", [](Program& p) { firstOf(p, Opcode::Offset).type = ValueType::U64; }, kType},
    // Marks.
    {"AsynchronousLoad", [](Program& p) { firstOf(p, Opcode::Load).async = true; }, kMark},
    {"StoreOfACopy", [](Program& p) { firstOf(p, Opcode::Store).ofCopy = true; }, kMark},
    {"VolatileSum", [](Program& p) { firstOf(p, Opcode::Add).isVolatile = true; }, kMark},
    {"PartOfASum", [](Program& p) { firstOf(p, Opcode::Add).part = {0, 8}; }, kMark},
    {"PartOfNothing", [](Program& p) { firstOf(p, Opcode::Load).part = {1, 0}; }, kMark},
    {"PartBeyond", [](Program& p) { firstOf(p, Opcode::Load).part = {2, 8}; }, kMark},
    {"OddVector", [](Program& p) { firstOf(p, Opcode::Load).part = {0, 12}; }, kMark},
    {"MappedSum", [](Program& p) { firstOf(p, Opcode::Add).mapped = true; }, kMark},
    {"MappedLocal", [](Program& p) { firstOf(p, Opcode::Load).mapped = true; }, kMark},
    // Structure.
    {"IfTooFar", [](Program& p) { ++firstOf(p, Opcode::If).target; }, kElsewhere},
    {"IfWithoutTarget", [](Program& p) { firstOf(p, Opcode::If).target = kNone; }, kElsewhere},
    {"ElseTooFar", [](Program& p) { ++firstOf(p, Opcode::Else).target; }, kElsewhere},
    {"TestTooFar", [](Program& p) { --firstOf(p, Opcode::LoopTest).target; }, kElsewhere},
    {"TestWithoutTarget", [](Program& p) { firstOf(p, Opcode::LoopTest).target = kNone; }, kElsewhere},
    {"SumWithTarget", [](Program& p) { firstOf(p, Opcode::Add).target = 0; }, "has a target that it cannot have"},
    {"BackTooFar", [](Program& p) { --firstOf(p, Opcode::LoopBack).target; },
     "does not lead to the beginning of its loop"},
    {"EndOfNothing", [](Program& p) { insert(p, 0, {.op = Opcode::EndIf}); }, kOutside},
    {"ElseOfNothing", [](Program& p) { insert(p, 0, {.op = Opcode::Else}); }, kOutside},
    {"SecondElse", [](Program& p) { insert(p, indexOf(p, Opcode::EndIf), firstOf(p, Opcode::Else)); }, kElsewhere},
    {"EndOfAnother", [](Program& p) { firstOf(p, Opcode::EndLoop).op = Opcode::EndCall; }, kOutside},
    {"BreakOfNothing", [](Program& p) { insert(p, 0, {.op = Opcode::Break}); }, kOutside},
    {"BreakOutOfACall",
     [](Program& p) {
       const std::size_t at = indexOf(p, Opcode::Break);
       p.code[at].op = Opcode::EndCall;
       insert(p, at, {.op = Opcode::Break});
       insert(p, at, {.op = Opcode::Call, .aux = 1});
     },
     kOutside},
    {"ContinueOfNothing", [](Program& p) { insert(p, 0, {.op = Opcode::Continue}); }, kOutside},
    {"ContinueOfASwitch",
     [](Program& p) {
       insert(p, 0, {.op = Opcode::EndLoop});
       insert(p, 0, {.op = Opcode::Continue});
       insert(p, 0, {.op = Opcode::Loop});
     },
     kOutside},
    {"TestOfASwitch", [](Program& p) { firstOf(p, Opcode::Loop).aux = kNone; }, kOutside},
    {"TestWithinAnIf",
     [](Program& p) {
       Instruction test = firstOf(p, Opcode::LoopTest);
       ++test.target;
       insert(p, indexOf(p, Opcode::Continue), test);
     },
     kOutside},
    {"LoopWithoutNext", [](Program& p) { firstOf(p, Opcode::LoopNext) = {.op = Opcode::Return}; }, kOutside},
    {"TwoNext", [](Program& p) { insert(p, indexOf(p, Opcode::LoopBack), {.op = Opcode::LoopNext}); },
     "is there twice"},
    {"LoopWithoutBack", [](Program& p) { firstOf(p, Opcode::LoopBack) = {.op = Opcode::Return}; },
     "does not follow what goes back"},
    {"LoopTwice",
     [](Program& p) {
       insert(p, 0, {.op = Opcode::EndLoop});
       insert(p, 0, {.op = Opcode::Loop, .aux = 0});
     },
     "does not follow what goes back"},
    {"LoopNowhere", [](Program& p) { p.loops.push_back(p.loops[0]); }, "is nowhere in the code"},
    {"LoopAtAnotherDepth", [](Program& p) { ++p.loops[0].depth; }, "is at another depth than its loop"},
    {"LoopWithoutItsBarrier", [](Program& p) { p.loops[0].containsBarrier = false; },
     "ends a loop of which it is not true whether it has a barrier"},
    {"CallThatNeverEnds",
     [](Program& p) { p.code.erase(p.code.begin() + static_cast<std::ptrdiff_t>(indexOf(p, Opcode::EndCall))); },
     "begins what never ends"},
    {"EndInTheMiddle", [](Program& p) { insert(p, 0, {.op = Opcode::End}); }, "is not the last"},
    {"NoEnd", [](Program& p) { p.code.pop_back(); }, "the code does not end"},
    {"NoCode",
     [](Program& p) {
       p.code.clear();
       p.functions.resize(1);
     },
     "it has 11 statements, and may have 0"},
    {"TooDeep",
     [](Program& p) {
       for (std::size_t i = 0; i < ProgramLimits::kDepth; ++i) { insert(p, 0, {.op = Opcode::Call, .aux = 0}); }
     },
     "is nested too deeply"},
    // Statements.
    {"StatementElsewhere", [](Program& p) { ++p.statements[1].firstInstruction; }, "does not begin where it says"},
    {"StatementBeyond", [](Program& p) { p.statements[1].firstInstruction = 1000; }, "does not begin where it says"},
    {"StatementOfNoFunction", [](Program& p) { p.statements[1].function = 2; }, "is of no function"},
    {"StatementOfAnotherFunction", [](Program& p) { p.statements[1].function = 1; }, "is of another function"},
    {"StatementBeforeTheText", [](Program& p) { p.statements[1].range.line = -1; }, kNoPlace},
    {"StatementThatEndsBefore", [](Program& p) { p.statements[1].range.endLine = 1; }, kNoPlace},
    {"InstructionBeforeTheText", [](Program& p) { p.code[1].range = {1, 0, 1, 1}; }, kNoPlace},
    // Tables.
    {"BuiltinOfAnotherType",
     [](Program& p) { p.registers[registerOf(p, ValueType::U32, RegisterKind::Builtin)].type = ValueType::U64; },
     "has another type than its builtin"},
    {"VariableWithoutRegister", [](Program& p) { p.variables[1].reg = kNone; },
     "has a register that is not one of variables"},
    {"VariableInATemporary",
     [](Program& p) { p.variables[1].reg = registerOf(p, ValueType::F32, RegisterKind::Temporary); },
     "has a register that is not one of variables"},
    {"VariableOfNoFunction", [](Program& p) { p.variables[1].function = 2; }, "is of no function"},
    {"VariableAtNoPlace", [](Program& p) { p.variables[1].scope = {0, 1, 2, 3}; }, kNoPlace},
    {"VariableWithControlCharacters", [](Program& p) { p.variables[1].name = "a\x1b[31m"; }, "has no name"},
    {"ParameterWithoutVariable", [](Program& p) { p.parameters[1].variable = kNone; }, "has a variable that is none"},
    {"ParameterInAnotherVariable", [](Program& p) { p.parameters[1].variable = 2; }, "has a variable that is none"},
    {"ParameterOfAnotherType", [](Program& p) { p.parameters[1].type = ValueType::U32; },
     "has another type than its variable"},
    {"ParameterOfAnotherArgument", [](Program& p) { p.parameters[1].argument = 2; }, kArgument},
    {"ParameterBeyondItsArgument", [](Program& p) { p.parameters[1].argumentOffset = 1; }, kArgument},
    {"ParameterBeforeItsArgument", [](Program& p) { p.parameters[1].argumentOffset = -1; }, kArgument},
    {"ParameterOfASharedArray", [](Program& p) { p.parameters[0].object = 1; },
     "points to an array that is none of a launch"},
    {"ParameterOfNoArray", [](Program& p) { p.parameters[0].object = 5; },
     "points to an array that is none of a launch"},
    {"NumberWithAnArray", [](Program& p) { p.parameters[1].object = 0; },
     "points to an array that is none of a launch"},
    {"ArgumentsOfNegativeSize", [](Program& p) { p.argumentBytes[0] = -8; }, "its arguments have too many bytes"},
    {"ArgumentsWithManyBytes", [](Program& p) { p.argumentBytes.assign(3, ProgramLimits::kArgumentBytes / 2); },
     "its arguments have too many bytes"},
    {"LoopOfNoVariable", [](Program& p) { p.loops[0].variable = 3; }, "has a variable that is none"},
    {"LoopAtNoPlace", [](Program& p) { p.loops[0].range.endColumn = 0; }, kNoPlace},
    {"FunctionAtNoPlace", [](Program& p) { p.functions[1].calledAt.column = -3; }, kNoPlace},
    {"FunctionWithALongName", [](Program& p) { p.functions[1].name.assign(ProgramLimits::kNameBytes + 1, 'x'); },
     "has no name"},
    {"NoFunctions", [](Program& p) { p.functions.clear(); }, "it has no kernel"},
    {"KernelWithoutName", [](Program& p) { p.kernel.clear(); }, "its kernel has no name"},
    {"KernelAtNoPlace", [](Program& p) { p.kernelRange.endLine = 4; }, "its kernel is at no place of a text"},
    {"ClustersOfHalfASize", [](Program& p) { p.clusterDims = {2, 0, 1}; }, "its clusters have no size"},
    {"ClustersBeyondAnyGrid", [](Program& p) { p.clusterDims = {1, 1, 65'537}; }, "its clusters have no size"},
    {"LongAssertion", [](Program& p) { p.assertions[0].assign(ProgramLimits::kTextBytes + 1, 'x'); }, "is too long"},
    {"ManyRegisters", [](Program& p) { p.registers.resize(ProgramLimits::kRegisters + 1); },
     "it has 65537 registers, and may have 65536"},
    {"ManyVariables", [](Program& p) { p.variables.resize(ProgramLimits::kVariables + 1, p.variables[0]); },
     "it has 20001 variables, and may have 20000"},
    {"ManyArrays", [](Program& p) { p.objects.resize(ProgramLimits::kObjects + 1, p.objects[0]); },
     "it has 10001 arrays, and may have 10000"},
    {"ManyParameters", [](Program& p) { p.parameters.resize(ProgramLimits::kParameters + 1, p.parameters[0]); },
     "it has 10001 parameters, and may have 10000"},
    {"ManyArguments", [](Program& p) { p.argumentBytes.assign(ProgramLimits::kParameters + 1, 1); },
     "it has 10001 parameters, and may have 10000"},
    {"ManyLoops", [](Program& p) { p.loops.resize(ProgramLimits::kLoops + 1, p.loops[0]); },
     "it has 10001 loops, and may have 10000"},
    {"ManyInstructions", [](Program& p) { p.code.resize(ProgramLimits::kInstructions + 1); },
     "it has 200001 instructions, and may have 200000"},
    // Arrays.
    {"ArrayWithControlCharacters", [](Program& p) { p.objects[1].name = "tile\n"; }, "has no name"},
    {"ArrayAtNoPlace", [](Program& p) { p.objects[1].declared = {1, 1, 1, 0}; }, kNoPlace},
    {"ArrayWithoutElements", [](Program& p) { p.objects[1].extents[0] = 0; },
     "does not fit into its memory with those before it"},
    {"ArrayOfNegativeSize", [](Program& p) { p.objects[1].extents = {-4, -8}; },
     "does not fit into its memory with those before it"},
    {"ArrayWhoseSizeOverflows", [](Program& p) { p.objects[1].extents.assign(8, std::int64_t{1} << 40); },
     "does not fit into its memory with those before it"},
    {"LocalArraysTogetherTooLarge",
     [](Program& p) {
       p.objects[2].extents = {ProgramLimits::kLocalBytes / 8};
       p.objects.push_back(p.objects[2]);
       p.objects.push_back(p.objects[2]);
     },
     "does not fit into its memory with those before it"},
    {"ManyExtents", [](Program& p) { p.objects[1].extents.assign(ProgramLimits::kExtents + 1, 1); },
     "has too many extents"},
    {"LocalArrayOfALaunch",
     [](Program& p) {
       p.objects[2].extentsAtLaunch = true;
       p.objects[2].extents.clear();
     },
     "cannot have its size from a launch"},
    {"ArrayOfALaunchWithExtents", [](Program& p) { p.objects[0].extents = {4}; }, "cannot have its size from a launch"},
    {"TwoDynamicArrays",
     [](Program& p) {
       p.objects[1].extentsAtLaunch = true;
       p.objects[1].extents.clear();
       p.objects.push_back(p.objects[1]);
     },
     "is a second one whose size is that of the dynamic shared memory"},
    {"TooFewValues", [](Program& p) { p.objects[3].initial.pop_back(); }, "has another number of values than elements"},
    {"TooManyValues", [](Program& p) { p.objects[3].initial.push_back(0); },
     "has another number of values than elements"},
    {"SharedArrayWithValues", [](Program& p) { p.objects[1].initial.assign(32, 0); },
     "has another number of values than elements"},
    {"ArrayInNoArgument", [](Program& p) { p.objects[3].argument = 2; }, kArgument},
    {"ArrayBeyondItsArgument",
     [](Program& p) {
       p.objects[3].argument = 0;
       p.objects[3].argumentOffset = 4;
     },
     kArgument},
    {"SharedArrayInAnArgument", [](Program& p) { p.objects[1].argument = 0; }, kArgument},
    {"OffsetInNoArgument", [](Program& p) { p.objects[3].argumentOffset = 4; }, kArgument},
    {"TensorMapOfTwoWords", [](Program& p) { p.objects[3].tensorMap = true; },
     "does not describe an array to tensor copies"},
    {"StructWithoutMembers", [](Program& p) { p.objects[4].members.clear(); }, kMembers},
    {"StructWithoutBytes", [](Program& p) { p.objects[4].structBytes = 0; }, kMembers},
    {"StructOfAnotherSize", [](Program& p) { p.objects[4].structBytes = 16; }, kMembers},
    {"StructOfHalfAWord", [](Program& p) { p.objects[4].structBytes = 6; }, kMembers},
    {"MemberBeyond", [](Program& p) { p.objects[4].members[1].byteOffset = 5; }, kMembers},
    {"MemberBefore", [](Program& p) { p.objects[4].members[1].byteOffset = -4; }, kMembers},
};

TEST(WellFormed, TheSampleIs) { EXPECT_EQ(problemOf(test::wellFormedSample()), ""); }

class IllFormed : public ::testing::TestWithParam<Change> {};

TEST_P(IllFormed, IsRefused) {
  Program program = test::wellFormedSample();
  GetParam().apply(program);
  const std::string problem = problemOf(program);
  EXPECT_THAT(problem, ::testing::StartsWith("the stored program is refused: "));
  EXPECT_THAT(problem, ::testing::EndsWith(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(Rules, IllFormed, ::testing::ValuesIn(kChanges),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace haloscope
