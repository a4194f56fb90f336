#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "ProgramBuilder.h"
#include "simt/Executor.h"
#include "simt/Observer.h"

namespace haloscope::test {
namespace {

// A small language with every control construct of the IR, run in two ways: by the emulator, 32 lanes at a time under
// masks, and thread by thread with plain C++ control flow. Random programs of it must end with equal variables.

constexpr std::size_t kVariables = 4;
using Variables = std::array<std::uint32_t, kVariables>;

enum class Kind : std::uint8_t { Update, If, IfElse, Ternary, While, DoWhile, Once, Call, Break, Continue, Return };

struct Node {
  Kind kind = Kind::Update;
  std::uint32_t variable = 0;  ///< the updated variable, or the condition's
  std::uint32_t number = 0;    ///< the summand, a condition's modulus, or a loop's iterations
  std::vector<Node> body;
  std::vector<Node> otherwise;
};

/// Generates random programs. Break appears only inside loops, Return anywhere, and each loop is bounded.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::vector<Node> block(int depth, bool breakable, bool continuable) {
    std::vector<Node> nodes;
    const std::uint32_t count = 1 + pick(4);
    for (std::uint32_t i = 0; i < count; ++i) { nodes.push_back(node(depth, breakable, continuable)); }
    return nodes;
  }

 private:
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }

  Node node(int depth, bool breakable, bool continuable) {
    Node made;
    made.variable = pick(kVariables);
    made.number = 2 + pick(5);
    const std::uint32_t choice = pick(depth > 0 ? 14 : 4);
    if (choice == 0 && breakable) {
      made.kind = Kind::Break;
    } else if (choice == 1 && continuable) {
      made.kind = Kind::Continue;
    } else if (choice == 2 && pick(3) == 0) {
      made.kind = Kind::Return;
    } else if (choice >= 4 && choice <= 5) {
      made.kind = Kind::If;
    } else if (choice >= 6 && choice <= 7) {
      made.kind = Kind::IfElse;
    } else if (choice == 8) {
      made.kind = Kind::While;
    } else if (choice == 9) {
      made.kind = Kind::DoWhile;
    } else if (choice == 10) {
      made.kind = Kind::Once;
    } else if (choice == 11) {
      made.kind = Kind::Call;
    } else if (choice >= 12) {
      made.kind = Kind::Ternary;
    }
    switch (made.kind) {
      case Kind::If:
        made.body = block(depth - 1, breakable, continuable);
        break;
      case Kind::IfElse:
      case Kind::Ternary:
        made.body = block(depth - 1, breakable, continuable);
        made.otherwise = block(depth - 1, breakable, continuable);
        break;
      case Kind::While:
      case Kind::DoWhile:
        made.body = block(depth - 1, true, true);
        break;
      case Kind::Once:
        made.body = block(depth - 1, true, continuable);
        break;
      case Kind::Call:
        made.body = block(depth - 1, false, false);
        break;
      default:
        break;
    }
    return made;
  }

  std::mt19937 random_;
};

bool holds(const Node& node, const Variables& variables) {
  return variables[node.variable] % node.number < (node.number + 1) / 2;
}

void update(const Node& node, Variables& variables) {
  std::uint32_t& value = variables[node.variable];
  value = value * 5U + node.number + variables[(node.variable + 1) % kVariables];
}

/// The return value of an inlined function: at a Return, and at its end.
std::uint32_t returned(std::uint32_t number, const Variables& variables) { return variables[1] * 3 + number; }

enum class Way : std::uint8_t { On, Break, Continue, Return };

/// How a block of statements was left; with a Return, the value.
struct Leave {
  Way way = Way::On;
  std::uint32_t value = 0;
};

Leave interpret(const std::vector<Node>& nodes, Variables& variables);

Leave interpretLoop(const Node& node, Variables& variables) {
  for (std::uint32_t round = 0;; ++round) {
    if (node.kind == Kind::While && !(round < node.number && holds(node, variables))) { return {}; }
    const Leave leave = interpret(node.body, variables);
    if (leave.way == Way::Return) { return leave; }
    if (leave.way == Way::Break) { return {}; }
    if (node.kind == Kind::DoWhile && !(round + 1 < node.number && holds(node, variables))) { return {}; }
  }
}

Leave interpretBranch(const Node& node, Variables& variables) {
  const bool taken = holds(node, variables);
  const Leave leave = interpret(taken ? node.body : node.otherwise, variables);
  if (leave.way == Way::On && node.kind == Kind::Ternary) {
    variables[node.variable] = variables[2] + (taken ? node.number : variables[0]);
  }
  return leave;
}

void interpretCall(const Node& node, Variables& variables) {
  const Leave leave = interpret(node.body, variables);
  variables[node.variable] = leave.way == Way::Return ? leave.value : returned(node.number, variables);
}

Leave interpret(const std::vector<Node>& nodes, Variables& variables) {
  for (const Node& node : nodes) {
    Leave leave;
    switch (node.kind) {
      case Kind::Update:
        update(node, variables);
        break;
      case Kind::If:
      case Kind::IfElse:
      case Kind::Ternary:
        leave = interpretBranch(node, variables);
        break;
      case Kind::While:
      case Kind::DoWhile:
        leave = interpretLoop(node, variables);
        break;
      case Kind::Once:
        leave = interpret(node.body, variables);
        if (leave.way == Way::Break) { leave = {}; }
        break;
      case Kind::Call:
        interpretCall(node, variables);
        break;
      case Kind::Break:
        return {Way::Break, 0};
      case Kind::Continue:
        return {Way::Continue, 0};
      case Kind::Return:
        return {Way::Return, returned(node.number, variables)};
    }
    if (leave.way != Way::On) { return leave; }
  }
  return {};
}

/// Generates the same program in the IR. All of it is a Call, so that its Returns do not skip the stores at the end.
/// Temporaries that merge branches or returns are shared as by the front end, where they cannot be live together.
class Emitter {
 public:
  Program program(const Node& whole) {
    out_ = builder_.global("out", ValueType::U32);
    const RegisterId thread = builder_.builtin(Builtin::ThreadIdxX);
    const RegisterId block = builder_.builtin(Builtin::BlockIdxX);
    for (std::uint32_t i = 0; i < kVariables; ++i) {
      variables_[i] = builder_.variable("v" + std::to_string(i), ValueType::U32);
      builder_.statement();
      builder_.assign(variables_[i], builder_.add(builder_.mul(thread, u32(i + 3)), block));
    }
    emitCall(whole);
    const RegisterId size = builder_.builtin(Builtin::BlockDimX);
    const RegisterId first =
        builder_.mul(builder_.add(builder_.mul(block, size), thread), u32(static_cast<std::uint32_t>(kVariables)));
    for (std::uint32_t i = 0; i < kVariables; ++i) {
      builder_.statement();
      builder_.store(out_, builder_.add(first, u32(i)), variables_[i]);
    }
    return builder_.build();
  }
  [[nodiscard]] ObjectId out() const { return out_; }

 private:
  RegisterId u32(std::uint32_t value) { return builder_.constant(ValueType::U32, value); }

  RegisterId condition(const Node& node) {
    builder_.statement(StatementKind::Condition);
    return builder_.less(builder_.binary(Opcode::Rem, variables_[node.variable], u32(node.number)),
                         u32((node.number + 1) / 2));
  }

  void emit(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) { emit(node); }
  }

  void emit(const Node& node) {
    switch (node.kind) {
      case Kind::Update: {
        builder_.statement();
        const RegisterId target = variables_[node.variable];
        const RegisterId scaled = builder_.add(builder_.mul(target, u32(5)), u32(node.number));
        builder_.assign(target, builder_.add(scaled, variables_[(node.variable + 1) % kVariables]));
        break;
      }
      case Kind::If:
        builder_.beginIf(condition(node));
        emit(node.body);
        builder_.endIf();
        break;
      case Kind::IfElse:
        builder_.beginIf(condition(node));
        emit(node.body);
        builder_.beginElse();
        emit(node.otherwise);
        builder_.endIf();
        break;
      case Kind::While:
      case Kind::DoWhile:
        emitLoop(node);
        break;
      case Kind::Once:
        builder_.beginLoop();
        emit(node.body);
        builder_.endOnce();
        break;
      case Kind::Call:
        emitCall(node);
        break;
      case Kind::Ternary:
        emitTernary(node);
        break;
      case Kind::Break:
        leave(Opcode::Break);
        break;
      case Kind::Continue:
        leave(Opcode::Continue);
        break;
      case Kind::Return:
        builder_.statement(StatementKind::Return);
        emitResult(node.number);
        builder_.control(Opcode::Return);
        break;
    }
  }

  void emitResult(std::uint32_t number) {
    builder_.assign(temporary(results_, calls_), builder_.add(builder_.mul(variables_[1], u32(3)), u32(number)));
  }

  void emitCall(const Node& node) {
    builder_.statement();
    builder_.call();
    ++calls_;
    emit(node.body);
    emitResult(node.number);
    builder_.control(Opcode::EndCall);
    builder_.assign(variables_[node.variable], temporary(results_, calls_));
    --calls_;
  }

  void emitTernary(const Node& node) {
    ++merges_;
    builder_.beginIf(condition(node));
    emit(node.body);
    builder_.assign(temporary(merged_, merges_), builder_.add(variables_[2], u32(node.number)));
    builder_.beginElse();
    emit(node.otherwise);
    builder_.assign(temporary(merged_, merges_), builder_.add(variables_[2], variables_[0]));
    builder_.endIf();
    builder_.assign(variables_[node.variable], temporary(merged_, merges_));
    --merges_;
  }

  RegisterId temporary(std::vector<RegisterId>& registers, std::size_t depth) {
    while (registers.size() <= depth) { registers.push_back(builder_.temporary(ValueType::U32)); }
    return registers[depth];
  }

  void leave(Opcode op) {
    builder_.statement();
    builder_.control(op);
  }

  void emitLoop(const Node& node) {
    const RegisterId round = builder_.variable("round", ValueType::U32);
    builder_.statement(StatementKind::LoopInit);
    builder_.assign(round, u32(0));
    builder_.beginLoop();
    if (node.kind == Kind::While) { testRound(node, round); }
    emit(node.body);
    builder_.loopNext();
    builder_.statement(StatementKind::LoopIncrement);
    builder_.assign(round, builder_.add(round, u32(1)));
    if (node.kind == Kind::DoWhile) { testRound(node, round); }
    builder_.endLoop();
  }

  void testRound(const Node& node, RegisterId round) {
    const RegisterId again = condition(node);
    builder_.loopTest(builder_.binary(Opcode::And, again, builder_.less(round, u32(node.number))));
  }

  ProgramBuilder builder_;
  std::array<RegisterId, kVariables> variables_{};
  std::vector<RegisterId> results_;  ///< per depth of calls
  std::vector<RegisterId> merged_;   ///< per depth of ternaries
  std::size_t calls_ = 0;
  std::size_t merges_ = 0;
  ObjectId out_ = kNone;
};

/// Sums the notifications; statements must agree between schedules, and masks must never be empty.
class HookCheck final : public simt::Observer {
 public:
  [[nodiscard]] Wants wants() const override { return {.statements = true, .instructions = true, .accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<HookCheck>(); }
  void join(Observer& worker) override {
    const auto& other = static_cast<HookCheck&>(worker);
    statements += other.statements;
    instructions += other.instructions;
    empty += other.empty;
  }
  void statement(const simt::WarpContext& context, StatementId) override {
    ++statements;
    if (context.active == 0) { ++empty; }
  }
  void instruction(const simt::WarpContext& context, std::uint32_t) override {
    ++instructions;
    if (context.active == 0) { ++empty; }
  }

  std::uint64_t statements = 0;
  std::uint64_t instructions = 0;
  std::uint64_t empty = 0;
};

TEST(SimtControl, RandomProgramsEndAsThreadsAloneWould) {
  constexpr std::uint32_t kThreadsOfBlock = 75;  // the third warp is partial
  constexpr std::uint32_t kBlocksOfGrid = 2;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const Node whole{.kind = Kind::Call,
                     .variable = 0,
                     .number = 1,
                     .body = Generator(seed).block(4, false, false),
                     .otherwise = {}};
    Emitter emitter;
    const Program program = emitter.program(whole);
    std::vector<std::uint32_t> expected;
    for (std::uint32_t block = 0; block < kBlocksOfGrid; ++block) {
      for (std::uint32_t thread = 0; thread < kThreadsOfBlock; ++thread) {
        Variables variables;
        for (std::uint32_t i = 0; i < kVariables; ++i) { variables[i] = thread * (i + 3) + block; }
        interpretCall(whole, variables);
        expected.insert(expected.end(), variables.begin(), variables.end());
      }
    }
    simt::Profile profile;
    for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
      for (const bool observed : {false, true}) {
        Launch launch = launchOf(program, {kBlocksOfGrid, 1, 1}, {kThreadsOfBlock, 1, 1});
        launch.arrays[emitter.out()] = arrayOf(ValueType::U32, std::vector<std::uint32_t>(expected.size()));
        HookCheck check;
        std::vector<simt::Observer*> observers;
        if (observed) { observers.push_back(&check); }
        const simt::ExecuteResult result = simt::execute(program, launch, observers, {.schedule = schedule});
        ASSERT_EQ(result.outcome, simt::Outcome::Finished) << result.message;
        ASSERT_EQ(valuesOf<std::uint32_t>(launch.arrays[emitter.out()]), expected)
            << "seed " << seed << (observed ? ", observed\n" : "\n") << print(program);
        ASSERT_EQ(check.empty, 0U);
        if (profile.lanes.empty()) { profile = result.profile; }
        ASSERT_EQ(result.profile.lanes, profile.lanes) << "seed " << seed;
        ASSERT_EQ(result.profile.warps, profile.warps) << "seed " << seed;
        if (observed) {
          std::uint64_t warps = 0;
          for (const std::uint64_t count : profile.warps) { warps += count; }
          ASSERT_EQ(check.instructions, warps) << "seed " << seed;
        }
      }
    }
  }
}

TEST(SimtControl, ReturnFromTheKernelEndsThreadsForGood) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::U32);
  const RegisterId thread = builder.builtin(Builtin::ThreadIdxX);
  builder.statement();
  builder.beginIf(builder.less(thread, builder.constant(ValueType::U32, 20)));
  builder.beginLoop();
  builder.statement(StatementKind::Return);
  builder.control(Opcode::Return);
  builder.loopNext();
  builder.endLoop();
  builder.endIf();
  builder.statement();
  builder.store(out, thread, builder.constant(ValueType::U32, 7));
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {40, 1, 1});
  launch.arrays[out] = arrayOf(ValueType::U32, std::vector<std::uint32_t>(40));
  const simt::ExecuteResult result = simt::execute(program, launch);
  const std::vector<std::uint32_t> values = valuesOf<std::uint32_t>(launch.arrays[out]);
  for (std::uint32_t i = 0; i < 40; ++i) { EXPECT_EQ(values[i], i < 20 ? 0U : 7U) << i; }
  EXPECT_EQ(result.threads, 40U);
}

TEST(SimtControl, AProgramWhoseConstructsDoNotNestIsRefused) {
  ProgramBuilder builder;
  builder.control(Opcode::EndLoop);
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {1, 1, 1});
  EXPECT_THROW(simt::execute(program, launch), std::logic_error);
}

TEST(SimtControl, EndlessLoopsStopBeyondTheBudget) {
  ProgramBuilder builder;
  const RegisterId v = builder.variable("v", ValueType::I32);
  builder.statement();
  builder.beginLoop();
  builder.statement();
  builder.assign(v, builder.i32(0));
  builder.beginLoop();  // an inner loop that does end, executed repeatedly
  builder.statement(StatementKind::LoopCondition);
  builder.loopTest(builder.less(v, builder.i32(3)));
  builder.statement();
  builder.loopNext();
  builder.assign(v, builder.add(v, builder.i32(1)));
  builder.endLoop();
  builder.loopNext();
  builder.endLoop();
  const Program program = builder.build();
  for (const simt::Schedule schedule : {simt::Schedule::Barrier, simt::Schedule::Statement}) {
    Launch launch = launchOf(program, {3, 1, 1}, {64, 1, 1});
    const simt::ExecuteResult result =
        simt::execute(program, launch, {}, {.schedule = schedule, .instructionBudget = 10'000});
    EXPECT_EQ(result.outcome, simt::Outcome::Endless);
    EXPECT_EQ(result.block, 0U);
    EXPECT_EQ(result.where, program.loops[0].range);
    EXPECT_NE(result.message.find("the loop at 2:1 does not end: "), std::string::npos) << result.message;
  }
}

TEST(SimtControl, AStopRequestEndsALoop) {
  ProgramBuilder builder;
  builder.beginLoop();
  builder.loopNext();
  builder.endLoop();
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {32, 1, 1});
  std::stop_source source;
  source.request_stop();
  const simt::ExecuteResult result = simt::execute(program, launch, {}, {.stop = source.get_token()});
  EXPECT_EQ(result.outcome, simt::Outcome::Stopped);
  EXPECT_EQ(result.blocks, 0U);
}

}  // namespace
}  // namespace haloscope::test
