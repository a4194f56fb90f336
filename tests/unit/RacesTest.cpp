#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "ProgramBuilder.h"
#include "faults/FaultChecks.h"
#include "faults/Races.h"
#include "provenance/ControlFlow.h"
#include "simt/Executor.h"

namespace haloscope::test {
namespace {

constexpr std::uint32_t kThreads = 48;
constexpr std::uint32_t kBlocks = 3;
constexpr int kElements = 40;

/// One access of a random program: each thread's element and value come from a table in memory.
struct Step {
  enum class Kind : std::uint8_t { Load, Store, Atomic, Barrier };
  Kind kind = Kind::Load;
  bool shared = false;
  std::vector<std::int32_t> element;  ///< per thread of the grid; -1: none
  std::vector<std::int32_t> value;
};

/// Straight code of random accesses and barriers.
std::vector<Step> randomSteps(std::mt19937& random) {
  const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::vector<Step> steps(static_cast<std::size_t>(3 + below(6)));
  const int spread = 1 + below(kElements);
  for (Step& step : steps) {
    step.kind = static_cast<Step::Kind>(below(4));
    step.shared = below(2) == 0;
    const int pattern = below(3);
    for (std::uint32_t thread = 0; thread < kThreads * kBlocks; ++thread) {
      const auto own = static_cast<std::int32_t>((pattern == 0 ? thread : thread % kThreads) % kElements);
      const bool takesPart = below(8) != 0;
      step.element.push_back(!takesPart ? -1 : pattern == 2 ? below(spread) : own);
      step.value.push_back(below(2));
    }
  }
  return steps;
}

struct Made {
  Program program;
  Launch launch;
  std::map<std::uint32_t, std::size_t> stepOf;  ///< of the instructions under test
};

Made make(const std::vector<Step>& steps) {
  ProgramBuilder builder;
  const ObjectId table = builder.global("table", ValueType::I32);
  const ObjectId global = builder.global("global", ValueType::I32);
  const ObjectId shared = builder.object("shared", MemorySpace::Shared, ValueType::I32, {kElements});
  const RegisterId thread =
      builder.add(builder.mul(builder.builtinInt(Builtin::BlockIdxX), builder.i32(static_cast<int>(kThreads))),
                  builder.builtinInt(Builtin::ThreadIdxX));
  Made made;
  std::vector<std::int32_t> values;
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const Step& step = steps[at];
    builder.statement();
    if (step.kind == Step::Kind::Barrier) {
      builder.control(Opcode::Barrier);
      continue;
    }
    const auto begin = static_cast<std::int32_t>(values.size());
    values.insert(values.end(), step.element.begin(), step.element.end());
    values.insert(values.end(), step.value.begin(), step.value.end());
    const RegisterId element = builder.load(table, builder.add(thread, builder.i32(begin)));
    const RegisterId value =
        builder.load(table, builder.add(thread, builder.i32(begin + static_cast<std::int32_t>(step.element.size()))));
    builder.beginIf(builder.binary(Opcode::GreaterEqual, element, builder.i32(0)));
    const ObjectId object = step.shared ? shared : global;
    if (step.kind == Step::Kind::Load) { builder.load(object, element); }
    if (step.kind == Step::Kind::Store) { builder.store(object, element, value); }
    if (step.kind == Step::Kind::Atomic) { builder.atomicAdd(object, element, value); }
    made.stepOf[builder.next() - 1] = at;
    builder.endIf();
  }
  made.program = builder.build();
  made.launch = launchOf(made.program, {kBlocks, 1, 1}, {kThreads, 1, 1});
  values.push_back(0);
  made.launch.arrays[table] = arrayOf(ValueType::I32, values);
  made.launch.arrays[global] = arrayOf(ValueType::I32, std::vector<std::int32_t>(kElements));
  return made;
}

using Pair = std::tuple<std::size_t, std::size_t>;

/// All pairs of steps that race, by comparing every access with every other one.
std::set<Pair> racesByDefinition(const std::vector<Step>& steps) {
  std::vector<int> interval;
  for (const Step& step : steps) {
    const int before = interval.empty() ? 0 : interval.back();
    interval.push_back(before + (step.kind == Step::Kind::Barrier ? 1 : 0));
  }
  std::set<Pair> pairs;
  for (std::size_t a = 0; a < steps.size(); ++a) {
    for (std::size_t b = a; b < steps.size(); ++b) {
      const Step& one = steps[a];
      const Step& two = steps[b];
      if (one.kind == Step::Kind::Barrier || two.kind == Step::Kind::Barrier || one.shared != two.shared) { continue; }
      if (one.kind == two.kind && one.kind != Step::Kind::Store) { continue; }
      const bool bothStore = one.kind == Step::Kind::Store && two.kind == Step::Kind::Store;
      for (std::uint32_t s = 0; s < one.element.size(); ++s) {
        for (std::uint32_t t = 0; t < two.element.size(); ++t) {
          if (s == t || one.element[s] < 0 || one.element[s] != two.element[t]) { continue; }
          const bool sameBlock = s / kThreads == t / kThreads;
          if (one.shared && !sameBlock) { continue; }
          if (sameBlock && interval[a] != interval[b]) { continue; }
          // Two stores of the same value do not race with each other, but may race with a third one: see below.
          if (bothStore && one.value[s] == two.value[t]) { continue; }
          pairs.emplace(a, b);
        }
      }
    }
  }
  return pairs;
}

std::set<Pair> racesFound(const Made& made, const std::vector<faults::Race>& races) {
  std::set<Pair> pairs;
  for (const faults::Race& race : races) {
    const std::size_t a = made.stepOf.at(race.writer);
    const std::size_t b = made.stepOf.at(race.other);
    pairs.emplace(std::min(a, b), std::max(a, b));
  }
  return pairs;
}

TEST(Races, AreThoseOfTheDefinition) {
  std::mt19937 random(7);
  std::size_t racing = 0;
  for (int round = 0; round < 400; ++round) {
    const std::vector<Step> steps = randomSteps(random);
    Made made = make(steps);
    faults::Races races(made.program, made.launch);
    simt::Observer* const observers[] = {&races};
    simt::ExecuteOptions options;
    options.workers = 1 + static_cast<unsigned>(round) % 3;
    options.order = simt::WarpOrder::InOrder;
    ASSERT_EQ(simt::execute(made.program, made.launch, observers, options).outcome, simt::Outcome::Finished);
    const std::set<Pair> expected = racesByDefinition(steps);
    const std::set<Pair> found = racesFound(made, races.races());
    // A pair of stores may be reported because values differ within one of them.
    for (const Pair& pair : expected) { EXPECT_EQ(found.count(pair), 1U) << "round " << round; }
    for (const Pair& pair : found) {
      const bool bothStore =
          steps[std::get<0>(pair)].kind == Step::Kind::Store && steps[std::get<1>(pair)].kind == Step::Kind::Store;
      EXPECT_TRUE(bothStore || expected.count(pair) == 1) << "round " << round;
    }
    racing += expected.size();
  }
  EXPECT_GT(racing, 400U);
}

TEST(Races, TheQuickSearchFindsThoseOfTheThorough) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    Made made = make(randomSteps(random));
    Launch copy = made.launch;
    faults::Races races(made.program, made.launch);
    simt::Observer* const observers[] = {&races};
    simt::execute(made.program, made.launch, observers);
    faults::FaultOptions options;
    options.execute.workers = 2;
    const faults::FaultReport report = faults::findFaults(made.program, copy, options);
    // The exhaustive search lists each pair of places; a finding has one main pair and lists the others.
    std::set<std::tuple<int, int, faults::FindingKind>> thorough;
    std::set<std::tuple<int, int, faults::FindingKind>> quick;
    std::map<faults::FindingKind, std::uint64_t> thoroughOccurrences;
    std::map<faults::FindingKind, std::uint64_t> quickOccurrences;
    for (const faults::Race& race : races.races()) {
      const faults::Finding& finding = race.finding;
      thorough.emplace(finding.where.line, finding.other.line, finding.kind);
      thoroughOccurrences[finding.kind] += finding.occurrences;
    }
    for (const faults::Finding& finding : report.findings) {
      const bool isRace =
          finding.kind == faults::FindingKind::RaceShared || finding.kind == faults::FindingKind::RaceGlobal;
      if (!isRace) { continue; }
      quickOccurrences[finding.kind] += finding.occurrences;
      EXPECT_TRUE(quick.emplace(finding.where.line, finding.other.line, finding.kind).second) << "reported twice";
      for (const faults::AlsoAt& also : finding.also) {
        EXPECT_TRUE(quick.emplace(also.where.line, also.other.line, finding.kind).second) << "reported twice";
      }
    }
    EXPECT_EQ(thoroughOccurrences, quickOccurrences) << "round " << round;
    EXPECT_EQ(thorough, quick) << "round " << round;
  }
}

TEST(ControlFlow, FollowsBreakContinueAndReturn) {
  ProgramBuilder builder;
  const RegisterId yes = builder.constant(ValueType::Bool, 1);
  builder.beginLoop();                      // 0
  builder.loopTest(yes);                    // 1
  builder.beginIf(yes);                     // 2
  builder.control(Opcode::Break);           // 3
  builder.beginElse();                      // 4
  builder.control(Opcode::Continue);        // 5
  builder.endIf();                          // 6
  builder.control(Opcode::Barrier);         // 7
  builder.loopNext();                       // 8
  builder.endLoop();                        // 9: LoopBack, 10: EndLoop
  builder.call();                           // 11
  builder.control(Opcode::Return);          // 12
  builder.control(Opcode::EndCall);         // 13
  builder.control(Opcode::Return);          // 14
  const Program program = builder.build();  // 15: End
  const provenance::ControlFlow flow(program);
  using Next = std::array<std::uint32_t, 2>;
  EXPECT_EQ(flow.successors(1), (Next{2, 10}));
  EXPECT_EQ(flow.successors(2), (Next{3, 5}));
  EXPECT_EQ(flow.successors(3), (Next{10, kNone}));
  EXPECT_EQ(flow.successors(4), (Next{6, kNone}));
  EXPECT_EQ(flow.successors(5), (Next{8, kNone}));
  EXPECT_EQ(flow.successors(9), (Next{1, kNone}));
  EXPECT_EQ(flow.successors(12), (Next{13, kNone}));
  EXPECT_EQ(flow.successors(14), (Next{15, kNone}));
  EXPECT_EQ(flow.successors(15), (Next{kNone, kNone}));
  const std::vector<std::vector<std::uint32_t>> intervals = flow.intervals();
  ASSERT_EQ(intervals.size(), 2U);
  EXPECT_THAT(intervals[0], testing::Not(testing::Contains(7U))) << "both branches leave before it";
  EXPECT_THAT(intervals[0], testing::Contains(14U));
  EXPECT_THAT(intervals[1], testing::Not(testing::Contains(0U)));
  EXPECT_THAT(intervals[1], testing::Contains(3U));
}

}  // namespace
}  // namespace haloscope::test
