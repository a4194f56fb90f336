#include "driver/KernelMessages.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "driver/KernelJob.h"
#include "program/SourceLocation.h"

/// Messages between KernelProcess and its child process. No GPU is needed.
namespace haloscope::gpu {
namespace {

/// A job with one of everything that is sent.
KernelJob sampleJob() {
  KernelJob job;
  job.device = {.ordinal = 1, .driver = "libcuda.so.1"};
  job.text = {.file = "job.cu",
              .text = "__global__ void f(float* out) {}",
              .defines = {{"TILE", "8"}},
              .prologue = "int before;",
              .headers = {{"a.h", "// \xff"}},
              .kernel = "f",
              .contract = false,
              .variables = {{"w", "heat::w"}},
              .registerLimit = 32};
  job.program.kernel = "f";
  job.program.objects.push_back({.name = "out",
                                 .space = MemorySpace::Global,
                                 .element = ValueType::F64,
                                 .extents = {2, 3},
                                 .declared = {},
                                 .readOnly = true,
                                 .extentsAtLaunch = true,
                                 .initial = {1, ~std::uint64_t{0}},
                                 .argument = 0,
                                 .argumentOffset = -8});
  job.program.parameters.push_back({.name = "out",
                                    .type = ValueType::Pointer,
                                    .variable = kNone,
                                    .object = 0,
                                    .declared = {},
                                    .argument = 0,
                                    .argumentOffset = 8});
  job.program.argumentBytes = {8};
  job.launch.configuration = {.grid = {2, 3, 4}, .block = {32, 2, 1}, .dynamicSharedBytes = 128};
  job.launch.arguments = {~std::uint64_t{0}};
  job.launch.arrays = {{ValueType::F64, {2, 3}, std::vector<std::byte>(48, std::byte{7})}};
  return job;
}

std::vector<std::byte> storedArrays(const KernelJob& job) {
  std::vector<std::byte> arrays(arrayBytes(job.launch));
  storeArrays(job.launch, arrays);
  return arrays;
}

TEST(KernelJob, SurvivesTheWayToAnotherProcess) {
  const KernelJob sent = sampleJob();
  const KernelJob job = decodeJob(encode(sent), storedArrays(sent));
  EXPECT_EQ(job.device.ordinal, 1);
  EXPECT_EQ(job.device.driver, sent.device.driver);
  EXPECT_EQ(job.text.file, sent.text.file);
  EXPECT_EQ(job.text.text, sent.text.text);
  EXPECT_EQ(job.text.defines, sent.text.defines);
  EXPECT_EQ(job.text.prologue, sent.text.prologue);
  EXPECT_EQ(job.text.headers, sent.text.headers) << "also text that is not UTF-8";
  EXPECT_EQ(job.text.kernel, sent.text.kernel);
  EXPECT_EQ(job.text.contract, sent.text.contract);
  EXPECT_EQ(job.text.variables, sent.text.variables);
  EXPECT_EQ(job.text.registerLimit, sent.text.registerLimit);
  EXPECT_EQ(job.program.kernel, "f");
  ASSERT_EQ(job.program.objects.size(), 1U);
  EXPECT_EQ(job.program.objects[0].name, "out");
  EXPECT_EQ(job.program.objects[0].space, MemorySpace::Global);
  EXPECT_EQ(job.program.objects[0].element, ValueType::F64);
  EXPECT_EQ(job.program.objects[0].extents, sent.program.objects[0].extents);
  EXPECT_TRUE(job.program.objects[0].readOnly);
  EXPECT_TRUE(job.program.objects[0].extentsAtLaunch);
  EXPECT_EQ(job.program.objects[0].initial, sent.program.objects[0].initial);
  EXPECT_EQ(job.program.objects[0].argument, 0U);
  EXPECT_EQ(job.program.objects[0].argumentOffset, -8);
  ASSERT_EQ(job.program.parameters.size(), 1U);
  EXPECT_EQ(job.program.parameters[0].type, ValueType::Pointer);
  EXPECT_EQ(job.program.parameters[0].object, 0U);
  EXPECT_EQ(job.program.parameters[0].argumentOffset, 8);
  EXPECT_EQ(job.program.argumentBytes, sent.program.argumentBytes);
  EXPECT_EQ(job.launch.configuration, sent.launch.configuration);
  EXPECT_EQ(job.launch.arguments, sent.launch.arguments);
  ASSERT_EQ(job.launch.arrays.size(), 1U);
  EXPECT_EQ(job.launch.arrays[0].element, ValueType::F64);
  EXPECT_EQ(job.launch.arrays[0].extents, sent.launch.arrays[0].extents);
  EXPECT_EQ(job.launch.arrays[0].bytes, sent.launch.arrays[0].bytes);
  EXPECT_FALSE(job.sweeps());
}

TEST(KernelJob, RefusesArraysOfAnotherSize) {
  const std::vector<std::byte> job = encode(sampleJob());
  EXPECT_THROW((void)decodeJob(job, std::vector<std::byte>(47)), InputError);
  EXPECT_THROW((void)decodeJob(job, std::vector<std::byte>(49)), InputError);
  std::vector<std::byte> small(47);
  EXPECT_THROW(storeArrays(sampleJob().launch, small), InputError);
}

TEST(KernelJob, RefusesAProgramThatDoesNotFitItsLaunch) {
  const auto refuses = [](void (*spoil)(KernelJob&)) {
    KernelJob job = sampleJob();
    spoil(job);
    EXPECT_THROW((void)decodeJob(encode(job), storedArrays(job)), InputError);
  };
  refuses([](KernelJob& job) { job.program.parameters[0].object = 1; });
  refuses([](KernelJob& job) { job.launch.arguments.clear(); });
  refuses([](KernelJob& job) { job.launch.arrays.clear(); });
  refuses([](KernelJob& job) { job.input = 0; });
  refuses([](KernelJob& job) { job.input = job.output = 7; });
  refuses([](KernelJob& job) { job.program.objects[0].element = static_cast<ValueType>(77); });
}

/// Every prefix, and every byte changed in several ways: a result or an InputError, never anything else.
template <typename Decode>
void expectSafe(const std::vector<std::byte>& message, Decode decode) {
  std::size_t refused = 0;
  const auto attempt = [&](const std::vector<std::byte>& bytes) {
    try {
      (void)decode(bytes);
    } catch (const InputError& error) {
      EXPECT_STRNE(error.what(), "");
      ++refused;
    }
  };
  for (std::size_t length = 0; length < message.size(); ++length) {
    attempt({message.begin(), message.begin() + static_cast<std::ptrdiff_t>(length)});
  }
  EXPECT_EQ(refused, message.size()) << "no prefix is a message";
  for (std::size_t at = 0; at < message.size(); ++at) {
    for (const int value : {0x00, 0x1b, 0x5f, 0x7f, 0x81, 0x9f, 0xa1, 0xf6, 0xff}) {
      std::vector<std::byte> bytes = message;
      bytes[at] = static_cast<std::byte>(value);
      attempt(bytes);
    }
  }
  attempt(std::vector<std::byte>(std::size_t{1} << 16, std::byte{0x81}));
}

TEST(KernelJob, DamagedBytesAreRefused) {
  const KernelJob job = sampleJob();
  const std::vector<std::byte> arrays = storedArrays(job);
  expectSafe(encode(job), [&](const std::vector<std::byte>& bytes) { return decodeJob(bytes, arrays); });
}

TEST(KernelMessages, Survive) {
  EXPECT_TRUE(std::holds_alternative<ReplaceField>(decodeRequest(encode(KernelRequest(ReplaceField{})))));
  EXPECT_EQ(std::get<RunSweeps>(decodeRequest(encode(KernelRequest(RunSweeps{12})))).count, 12);
  EXPECT_EQ(std::get<KernelReady>(decodeReply(encode(KernelReply(KernelReady{"H200"})))).gpuName, "H200");
  EXPECT_EQ(std::get<KernelFailed>(decodeReply(encode(KernelReply(KernelFailed{"(700)"})))).message, "(700)");
  const std::vector<double> times{0.5, 1e-3};
  EXPECT_EQ(std::get<SweepsDone>(decodeReply(encode(KernelReply(SweepsDone{times})))).milliseconds, times);
}

TEST(KernelMessages, FitIntoAPacket) {
  EXPECT_LE(encode(KernelReply(KernelFailed{std::string(100'000, 'x')})).size(), kMaxPacketBytes);
  EXPECT_LE(encode(KernelReply(SweepsDone{std::vector<double>(kMaxSweepTimes, 0.1)})).size(), kMaxPacketBytes);
}

TEST(KernelMessages, DamagedBytesAreRefused) {
  for (const KernelRequest& request : {KernelRequest(ReplaceField{}), KernelRequest(RunSweeps{1000})}) {
    expectSafe(encode(request), decodeRequest);
  }
  for (const KernelReply& reply :
       {KernelReply(KernelReady{"H200"}), KernelReply(SweepsDone{{0.5, 0.25}}), KernelReply(KernelFailed{"why"})}) {
    expectSafe(encode(reply), decodeReply);
  }
}

}  // namespace
}  // namespace haloscope::gpu
