#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "ProgramBuilder.h"
#include "simt/Executor.h"
#include "simt/Observer.h"
#include "simt/Warp.h"

namespace haloscope::test {
namespace {

/// Logs every access and every fault.
class AccessLog final : public simt::Observer {
 public:
  [[nodiscard]] Wants wants() const override { return {.statements = false, .instructions = false, .accesses = true}; }
  [[nodiscard]] std::unique_ptr<Observer> fork() const override { return std::make_unique<AccessLog>(); }
  void join(Observer& worker) override {
    const auto& other = static_cast<AccessLog&>(worker);
    accesses.insert(accesses.end(), other.accesses.begin(), other.accesses.end());
    faults.insert(faults.end(), other.faults.begin(), other.faults.end());
  }
  void access(const simt::WarpContext&, const simt::MemoryAccess& access) override { accesses.push_back(access); }
  void outOfBounds(const simt::WarpContext&, const simt::OutOfBounds& fault) override { faults.push_back(fault); }

  std::vector<simt::MemoryAccess> accesses;
  std::vector<simt::OutOfBounds> faults;
};

TEST(SimtMemory, OutOfBoundsIsReportedAndNotCarriedOut) {
  ProgramBuilder builder;
  const ObjectId in = builder.global("in", ValueType::F32);
  const ObjectId out = builder.global("out", ValueType::F32);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.statement();
  const RegisterId left = builder.load(in, builder.sub(thread, builder.i32(1)));
  builder.store(out, builder.add(thread, builder.i32(2)), left);
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {40, 1, 1});
  std::vector<float> values(40);
  for (std::size_t i = 0; i < values.size(); ++i) { values[i] = static_cast<float>(i) + 1; }
  launch.arrays[in] = arrayOf(ValueType::F32, values);
  launch.arrays[out] = arrayOf(ValueType::F32, std::vector<float>(40, -1.0F));
  AccessLog log;
  simt::Observer* const observers[] = {&log};
  const simt::ExecuteResult result = simt::execute(program, launch, observers);
  EXPECT_EQ(result.outcome, simt::Outcome::Finished);
  EXPECT_EQ(result.outOfBounds, 3U);
  EXPECT_EQ(result.firstOutOfBoundsMessage, "in[-1] is outside in[0..39], read by thread (0,0,0) of block (0,0,0)");
  EXPECT_EQ(result.firstOutOfBounds.line, 2);
  const std::vector<float> stored = valuesOf<float>(launch.arrays[out]);
  EXPECT_EQ(stored[0], -1.0F);
  EXPECT_EQ(stored[2], 0.0F);  // the load that failed yields 0
  EXPECT_EQ(stored[3], 1.0F);
  ASSERT_EQ(log.faults.size(), 2U);
  EXPECT_EQ(log.faults[0].lanes, 1U);
  EXPECT_EQ(log.faults[0].index[0], -1);
  EXPECT_FALSE(log.faults[0].store);
  EXPECT_TRUE(log.faults[1].store);
  EXPECT_EQ(log.faults[1].lanes, 0xc0U);
  EXPECT_EQ(log.faults[1].index[7], 41);
}

TEST(SimtMemory, AccessesTellIndicesAndValues) {
  ProgramBuilder builder;
  const ObjectId in = builder.global("in", ValueType::I16);
  const ObjectId out = builder.global("out", ValueType::U8);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.beginIf(builder.less(thread, builder.i32(3)));
  builder.store(out, builder.sub(builder.i32(3), thread), builder.convert(builder.load(in, thread), ValueType::U8));
  builder.endIf();
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {32, 1, 1});
  launch.arrays[in] = arrayOf(ValueType::I16, std::vector<std::int16_t>{-2, 300, 5, 6});
  launch.arrays[out] = arrayOf(ValueType::U8, std::vector<std::uint8_t>(4, 9));
  AccessLog log;
  simt::Observer* const observers[] = {&log};
  simt::execute(program, launch, observers);
  ASSERT_EQ(log.accesses.size(), 2U);
  EXPECT_EQ(log.accesses[0].lanes, 7U);
  EXPECT_EQ(log.accesses[0].object, in);
  EXPECT_EQ(log.accesses[0].element, ValueType::I16);
  EXPECT_EQ(log.accesses[0].space, MemorySpace::Global);
  EXPECT_EQ(log.accesses[0].index[2], 2);
  EXPECT_EQ(log.accesses[0].value[0], 0xfffeU);
  EXPECT_TRUE(log.accesses[1].store);
  EXPECT_EQ(log.accesses[1].index[0], 3);
  EXPECT_EQ(log.accesses[1].value[1], 44U);
  EXPECT_EQ(valuesOf<std::uint8_t>(launch.arrays[out]), (std::vector<std::uint8_t>{9, 5, 44, 254}));
}

template <class T>
void expectMaskedLoads(ValueType type) {
  ProgramBuilder builder;
  const ObjectId in = builder.global("in", type);
  const ObjectId out = builder.global("out", type);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  const RegisterId v = builder.variable("v", type);
  builder.assign(v, builder.convert(thread, type));
  const RegisterId address = builder.element(in, builder.sub(builder.i32(39), thread));
  builder.beginIf(
      builder.binary(Opcode::NotEqual, builder.binary(Opcode::Rem, thread, builder.i32(3)), builder.i32(0)));
  builder.emit({.op = Opcode::Load, .type = type, .dst = v, .a = address, .aux = in, .range = {}});
  builder.endIf();
  builder.store(out, thread, v);
  const Program program = builder.build();
  std::vector<T> values;
  for (int i = 0; i < 40; ++i) { values.push_back(static_cast<T>(i * 100 - 1000)); }
  for (const auto set : {simt::InstructionSet::Baseline, simt::InstructionSet::Avx2, simt::InstructionSet::Avx512}) {
    Launch launch = launchOf(program, {1, 1, 1}, {50, 1, 1});
    launch.arrays[in] = arrayOf(type, values);
    launch.arrays[out] = arrayOf(type, std::vector<T>(50));
    AccessLog log;
    std::vector<simt::Observer*> observers;
    for (const bool observed : {false, true}) {
      if (observed) { observers.push_back(&log); }
      const simt::ExecuteResult result = simt::execute(program, launch, observers, {.instructionSet = set});
      EXPECT_EQ(result.outOfBounds, 7U);  // of threads 40 to 49, those not divisible by 3
      const std::vector<T> stored = valuesOf<T>(launch.arrays[out]);
      for (int i = 0; i < 50; ++i) {
        const T loaded = i < 40 ? values[static_cast<std::size_t>(39 - i)] : T{0};
        EXPECT_EQ(stored[static_cast<std::size_t>(i)], i % 3 == 0 ? static_cast<T>(i) : loaded) << i;
      }
    }
    ASSERT_EQ(log.accesses.size(), 4U);
    EXPECT_EQ(log.accesses[0].lanes, 0xb6db6db6U);
    EXPECT_EQ(log.accesses[0].index[31], 8);
  }
}

TEST(SimtMemory, LoadsLeaveInactiveLanesAlone) {
  expectMaskedLoads<std::int16_t>(ValueType::I16);
  expectMaskedLoads<std::int32_t>(ValueType::I32);
  expectMaskedLoads<float>(ValueType::F32);
  expectMaskedLoads<std::int64_t>(ValueType::I64);
  expectMaskedLoads<double>(ValueType::F64);
}

TEST(SimtMemory, OfLanesThatWriteOneElementTheLastWins) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::I32);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.store(out, builder.i32(0), thread);
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {32, 1, 1});
  launch.arrays[out] = arrayOf(ValueType::I32, std::vector<std::int32_t>(1));
  simt::execute(program, launch);
  EXPECT_EQ(valuesOf<std::int32_t>(launch.arrays[out]).front(), 31);
}

TEST(SimtMemory, UninitialisedMemoryIsPoisoned) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::F32);
  const ObjectId shared = builder.object("tile", MemorySpace::Shared, ValueType::F32, {8});
  const ObjectId local = builder.object("window", MemorySpace::Local, ValueType::F32, {3});
  const RegisterId variable = builder.variable("v", ValueType::F32);
  builder.store(out, builder.i32(0), builder.load(shared, builder.i32(5)));
  builder.store(out, builder.i32(1), builder.load(local, builder.i32(2)));
  builder.store(out, builder.i32(2), variable);
  builder.store(shared, builder.i32(5), builder.f32(1.0F));  // the next block must not see it
  builder.store(local, builder.i32(2), builder.f32(1.0F));
  builder.assign(variable, builder.f32(1.0F));
  const Program program = builder.build();
  Launch launch = launchOf(program, {4, 1, 1}, {32, 1, 1});
  launch.arrays[out] = arrayOf(ValueType::F32, std::vector<float>(3));
  EXPECT_EQ(simt::execute(program, launch, {}, {.workers = 1}).outOfBounds, 0U);
  for (const std::uint32_t bits : valuesOf<std::uint32_t>(launch.arrays[out])) { EXPECT_EQ(bits, 0xffffffffU); }
}

TEST(SimtMemory, EachThreadHasItsOwnLocalArrays) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::F64);
  const ObjectId local = builder.object("window", MemorySpace::Local, ValueType::F64, {5});
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  const RegisterId slot = builder.binary(Opcode::Rem, thread, builder.i32(5));
  builder.store(local, slot, builder.convert(thread, ValueType::F64));
  builder.store(out, thread, builder.load(local, slot));
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {100, 1, 1});
  launch.arrays[out] = arrayOf(ValueType::F64, std::vector<double>(100));
  EXPECT_EQ(simt::execute(program, launch).outOfBounds, 0U);
  const std::vector<double> values = valuesOf<double>(launch.arrays[out]);
  for (std::size_t i = 0; i < values.size(); ++i) { EXPECT_EQ(values[i], static_cast<double>(i)); }
}

TEST(SimtMemory, PointersChosenWhenTheProgramRuns) {
  ProgramBuilder builder;
  const ObjectId first = builder.global("first", ValueType::I32);
  const ObjectId second = builder.global("second", ValueType::I32);
  const ObjectId local = builder.object("local", MemorySpace::Local, ValueType::I32, {1});
  const ObjectId out = builder.global("out", ValueType::I32);
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.store(local, builder.i32(0), builder.mul(thread, builder.i32(1000)));
  const RegisterId third = builder.binary(Opcode::Rem, thread, builder.i32(4));
  const RegisterId a = builder.element(first, thread);
  const RegisterId b = builder.element(second, thread);
  const RegisterId c = builder.element(local, builder.i32(0));
  const RegisterId none = builder.constant(ValueType::Pointer, PackedPointer::kNull);
  const auto choose = [&](int which, RegisterId yes, RegisterId no) {
    return builder.ternary(Opcode::Select, builder.binary(Opcode::Equal, third, builder.i32(which)), yes, no);
  };
  const RegisterId chosen = choose(0, a, choose(1, b, choose(2, c, none)));
  builder.store(out, thread, builder.loadFrom(chosen, ValueType::I32));
  builder.storeTo(chosen, builder.i32(-1), ValueType::I32);
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {32, 1, 1});
  std::vector<std::int32_t> tens;
  std::vector<std::int32_t> hundreds;
  for (int i = 0; i < 32; ++i) {
    tens.push_back(i * 10);
    hundreds.push_back(i * 100);
  }
  launch.arrays[first] = arrayOf(ValueType::I32, tens);
  launch.arrays[second] = arrayOf(ValueType::I32, hundreds);
  launch.arrays[out] = arrayOf(ValueType::I32, tens);
  AccessLog log;
  simt::Observer* const observers[] = {&log};
  const simt::ExecuteResult result = simt::execute(program, launch, observers);
  EXPECT_EQ(result.outOfBounds, 16U);
  EXPECT_EQ(result.firstOutOfBoundsMessage,
            "a pointer that does not point into an array, read by thread (3,0,0) of block (0,0,0)");
  const auto values = valuesOf<std::int32_t>(launch.arrays[out]);
  for (int i = 0; i < 32; ++i) {
    const int factor[] = {10, 100, 1000, 0};
    EXPECT_EQ(values[static_cast<std::size_t>(i)], i * factor[i % 4]) << i;
  }
  EXPECT_EQ(valuesOf<std::int32_t>(launch.arrays[first])[4], -1);
  EXPECT_EQ(valuesOf<std::int32_t>(launch.arrays[first])[5], 50);
  EXPECT_EQ(valuesOf<std::int32_t>(launch.arrays[second])[5], -1);
  EXPECT_EQ(log.accesses.size(), 8U);  // local once, then three objects for the load, one out, three for the store
  EXPECT_EQ(log.faults.size(), 2U);
  EXPECT_EQ(log.faults[0].object, kNone);
}

TEST(SimtMemory, PointerArithmetic) {
  ProgramBuilder builder;
  const ObjectId in = builder.global("in", ValueType::F32);
  const ObjectId out = builder.global("out", ValueType::I64);
  const RegisterId thread = builder.builtin(Builtin::ThreadIdxX);
  const RegisterId end = builder.offset(builder.pointer(in), builder.i32(100), 4);
  const RegisterId row = builder.offset(builder.pointer(in), builder.convert(thread, ValueType::I64), 12);  // float[3]
  const RegisterId difference = builder.temporary(ValueType::I64);
  builder.emit({.op = Opcode::PointerDifference,
                .type = ValueType::Pointer,
                .dst = difference,
                .a = row,
                .b = end,
                .aux = 4,
                .range = {}});
  builder.store(out, thread, difference);
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {32, 1, 1});
  launch.arrays[in] = arrayOf(ValueType::F32, std::vector<float>(100));
  launch.arrays[out] = arrayOf(ValueType::I64, std::vector<std::int64_t>(32));
  simt::execute(program, launch);
  const auto values = valuesOf<std::int64_t>(launch.arrays[out]);
  for (std::int64_t i = 0; i < 32; ++i) { EXPECT_EQ(values[static_cast<std::size_t>(i)], 3 * i - 100); }
}

TEST(SimtMemory, AnAddressBetweenTwoElementsIsAFault) {
  ProgramBuilder builder;
  const ObjectId in = builder.global("in", ValueType::F32);
  const RegisterId odd = builder.offset(builder.pointer(in), builder.i32(2), 1);
  builder.loadFrom(odd, ValueType::F32, in);
  const Program program = builder.build();
  Launch launch = launchOf(program, {1, 1, 1}, {1, 1, 1});
  launch.arrays[in] = arrayOf(ValueType::F32, std::vector<float>(10));
  const simt::ExecuteResult result = simt::execute(program, launch);
  EXPECT_EQ(result.outOfBounds, 1U);
  EXPECT_EQ(result.firstOutOfBoundsMessage,
            "in[0] is accessed at a misaligned address, read by thread (0,0,0) of block (0,0,0)");
}

TEST(SimtMemory, AtomicsAddLaneAfterLaneAndBlockAfterBlock) {
  ProgramBuilder builder;
  const ObjectId sum = builder.global("sum", ValueType::F32);
  const ObjectId before = builder.global("before", ValueType::I32);
  const ObjectId ticket = builder.object("ticket", MemorySpace::Shared, ValueType::I32, {1});
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  const RegisterId block = builder.builtinInt(Builtin::BlockIdxX);
  builder.beginIf(builder.binary(Opcode::Equal, thread, builder.i32(0)));
  builder.store(ticket, builder.i32(0), builder.i32(5));
  builder.endIf();
  builder.control(Opcode::Barrier);
  const RegisterId old = builder.atomicAdd(ticket, builder.i32(0), builder.i32(2));
  builder.store(before, thread, old);
  const RegisterId value = builder.convert(builder.add(builder.mul(block, builder.i32(64)), thread), ValueType::F32);
  builder.atomicAdd(sum, builder.i32(0),
                    builder.binary(Opcode::Div, builder.f32(1.0F), builder.add(value, builder.f32(1.0F))));
  const Program program = builder.build();
  float expected = 0.0F;
  for (int i = 0; i < 64 * 20; ++i) { expected += 1.0F / (static_cast<float>(i) + 1.0F); }
  for (const unsigned workers : {1U, 4U}) {
    Launch launch = launchOf(program, {20, 1, 1}, {64, 1, 1});
    launch.arrays[sum] = arrayOf(ValueType::F32, std::vector<float>(1));
    launch.arrays[before] = arrayOf(ValueType::I32, std::vector<std::int32_t>(64));
    simt::execute(program, launch, {}, {.workers = workers});
    EXPECT_EQ(valuesOf<float>(launch.arrays[sum]).front(), expected);
    EXPECT_EQ(valuesOf<std::int32_t>(launch.arrays[before])[33], 5 + 2 * 33);
  }
}

TEST(SimtMemory, DynamicSharedMemoryAndInitialisedConstants) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::F32);
  const ObjectId fixed = builder.object("fixed", MemorySpace::Shared, ValueType::F32, {3});
  const ObjectId dynamic = builder.object("dynamic", MemorySpace::Shared, ValueType::F32, {});
  const ObjectId weights = builder.object("weights", MemorySpace::Constant, ValueType::F32, {3});
  const RegisterId thread = builder.builtinInt(Builtin::ThreadIdxX);
  builder.store(dynamic, thread, builder.load(weights, thread));
  builder.store(fixed, thread, builder.f32(9.0F));
  builder.store(out, thread, builder.load(dynamic, thread));
  Program program = builder.build();
  for (const float value : {1.0F, 2.0F, 3.0F}) {
    program.objects[weights].initial.push_back(std::bit_cast<std::uint32_t>(value));
  }
  Launch launch = launchOf(program, {1, 1, 1}, {4, 1, 1});
  launch.configuration.dynamicSharedBytes = 12;
  launch.arrays[out] = arrayOf(ValueType::F32, std::vector<float>(4));
  const simt::ExecuteResult result = simt::execute(program, launch);
  EXPECT_EQ(result.outOfBounds, 4U);  // the fourth thread, four times
  EXPECT_EQ(result.firstOutOfBoundsMessage,
            "weights[3] is outside weights[0..2], read by thread (3,0,0) of block (0,0,0)");
  EXPECT_EQ(valuesOf<float>(launch.arrays[out]), (std::vector<float>{1, 2, 3, 0}));
  // The launch's values replace the initialiser.
  launch.arrays[weights] = arrayOf(ValueType::F32, std::vector<float>{4, 5, 6});
  simt::execute(program, launch);
  EXPECT_EQ(valuesOf<float>(launch.arrays[out]), (std::vector<float>{4, 5, 6, 0}));
}

TEST(SimtMemory, NarrowArgumentsAreExtended) {
  ProgramBuilder builder;
  const ObjectId out = builder.global("out", ValueType::I32);
  const RegisterId small = builder.scalar("small", ValueType::I8);
  const RegisterId changed = builder.scalar("changed", ValueType::U16);
  builder.assign(changed, builder.unary(Opcode::BitNot, changed));
  builder.store(out, builder.i32(0), builder.convert(small, ValueType::I32));
  builder.store(out, builder.i32(1), builder.convert(changed, ValueType::I32));
  const Program program = builder.build();
  Launch launch = launchOf(program, {2, 1, 1}, {1, 1, 1});
  launch.arguments = {0, 0xab, 0xffff0001U};
  launch.arrays[out] = arrayOf(ValueType::I32, std::vector<std::int32_t>(2));
  simt::execute(program, launch, {}, {.workers = 1});
  EXPECT_EQ(valuesOf<std::int32_t>(launch.arrays[out]), (std::vector<std::int32_t>{-85, 65534}));
}

}  // namespace
}  // namespace haloscope::test
