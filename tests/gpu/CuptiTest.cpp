#include "hardware/Cupti.h"

#include <cstdlib>

#include "FaultSupport.h"
#include "hardware/Counters.h"

#if HALOSCOPE_HAS_CUDA && __has_include(<cupti_range_profiler.h>)
#include <cuda.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#define HALOSCOPE_COMPARES_CUPTI 1
#endif

/// The table of CUPTI's functions: what is missing is named, its declarations are those of its headers, and a session
/// makes the calls in the order that they need.
namespace haloscope::gpu {
namespace {

constexpr int kDriver = 13000;

std::string problemOf(const std::string& file) {
  try {
    const hardware::Cupti cupti(kDriver, file);
  } catch (const Unavailable& problem) { return problem.what(); }
  return {};
}

TEST(CuptiTest, AMissingLibraryIsNamed) {
  EXPECT_EQ(problemOf("libcupti-that-is-not-there.so"), "CUPTI not found (libcupti-that-is-not-there.so)");
}

TEST(CuptiTest, AnOldLibraryIsNamedByItsFunction) {
  EXPECT_EQ(problemOf("libm.so.6"),
            "CUPTI lacks cuptiGetResultString: hardware counters need the CUPTI of CUDA 12.6 or newer");
}

/// On the fake driver and the fake CUPTI.
class CounterSessionTest : public testing::Test {
 protected:
  void SetUp() override {
    const DeviceSearch search = findDevice(fakeDevice());
    ASSERT_NE(search.device, nullptr) << search.missing;
    device_ = search.device;
  }

  std::shared_ptr<Device> device_;
};

TEST_F(CounterSessionTest, ARefusalSaysHowCountersAreAllowed) {
  const hardware::Cupti cupti(kDriver, fakeLibrary("cupti"));
  const std::string message = cupti.describe(hardware::Cupti::kInsufficientPrivileges, "any call");
  EXPECT_NE(message.find("run haloscope as root"), std::string::npos) << message;
  EXPECT_NE(message.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << message;
  EXPECT_NE(message.find("/etc/modprobe.d"), std::string::npos) << message;
  EXPECT_EQ(cupti.describe(999, "cuptiCall"), "the hardware counters cannot be read: cuptiCall: fake trouble (999)");
}

TEST_F(CounterSessionTest, RepeatsTheWorkForEachPass) {
  hardware::CounterSession session(device_, {"a.sum", "b.sum"}, fakeLibrary("cupti"));
  for (int time = 0; time < 2; ++time) {  // a session can measure again
    std::string order;
    const auto values =
        session.measure({{"first", [&] { order += '1'; }}, {"second", [&] { order += '2'; }}}, [&] { order += 'p'; });
    EXPECT_EQ(order, "p12p12p12");
    EXPECT_EQ(session.passes(), 3);
    EXPECT_EQ(values, (std::vector<std::vector<double>>{{100, 101}, {200, 201}}));
  }
}

TEST_F(CounterSessionTest, WhyWarpsWaitIsCountedByReason) {
  int launches = 0;
  const hardware::Counters counters = hardware::countersOf(device_, [&] { ++launches; }, [] {}, fakeLibrary("cupti"));
  EXPECT_EQ(launches, 9) << "three sessions of three passes";
  EXPECT_EQ(counters.passes, 9);
  EXPECT_EQ(counters.stallsMissing, "");
  ASSERT_EQ(counters.stalls.size(), 17U);
  // The fake's value of the last metric is the highest.
  EXPECT_EQ(counters.stalls.front().metric, "misc");
  EXPECT_EQ(counters.stalls.front().cycles, 116);
  EXPECT_EQ(counters.stalls.back().metric, "long_scoreboard");
  EXPECT_EQ(counters.stallCycles(), 17 * 108);
}

TEST_F(CounterSessionTest, EndsWhenItGoes) {
  for (int time = 0; time < 2; ++time) {
    // The fake refuses a second one at a time.
    hardware::CounterSession session(device_, {"a.sum"}, fakeLibrary("cupti"));
    EXPECT_EQ(session.measure({{"all", [] {}}}, [] {}).size(), 1U);
  }
}

TEST_F(CounterSessionTest, SaysWhatTheDriverForbids) {
  setenv("FAKE_CUPTI_REFUSES", "35", 1);
  std::string message;
  try {
    const hardware::CounterSession session(device_, {"a.sum"}, fakeLibrary("cupti"));
  } catch (const Unavailable& problem) { message = problem.what(); }
  unsetenv("FAKE_CUPTI_REFUSES");
  EXPECT_NE(message.find("only administrators"), std::string::npos) << message;
}

#ifdef HALOSCOPE_COMPARES_CUPTI

#define EXPECT_SIZE(ours, theirs)                                                                              \
  static_assert(sizeof(hardware::Cupti::ours) == sizeof(theirs##_Params), #theirs " is declared differently"); \
  EXPECT_EQ(hardware::Cupti::ours{}.size, static_cast<std::size_t>(theirs##_Params_STRUCT_SIZE))
#define EXPECT_PLACE(ours, member, theirs, field) \
  EXPECT_EQ(offsetof(hardware::Cupti::ours, member), offsetof(theirs##_Params, field))

TEST(CuptiTest, ItsStructuresAreThoseOfTheHeaders) {
  EXPECT_SIZE(Initialize, CUpti_Profiler_Initialize);
  EXPECT_SIZE(ChipName, CUpti_Device_GetChipName);
  EXPECT_SIZE(Availability, CUpti_Profiler_GetCounterAvailability);
  EXPECT_SIZE(HostInitialize, CUpti_Profiler_Host_Initialize);
  EXPECT_SIZE(HostDeinitialize, CUpti_Profiler_Host_Deinitialize);
  EXPECT_SIZE(HostAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics);
  EXPECT_SIZE(HostConfigSize, CUpti_Profiler_Host_GetConfigImageSize);
  EXPECT_SIZE(HostConfig, CUpti_Profiler_Host_GetConfigImage);
  EXPECT_SIZE(HostEvaluate, CUpti_Profiler_Host_EvaluateToGpuValues);
  EXPECT_SIZE(Enable, CUpti_RangeProfiler_Enable);
  EXPECT_SIZE(Plain, CUpti_RangeProfiler_Disable);
  EXPECT_SIZE(Plain, CUpti_RangeProfiler_Start);
  EXPECT_SIZE(Plain, CUpti_RangeProfiler_PopRange);
  EXPECT_SIZE(Stop, CUpti_RangeProfiler_Stop);
  EXPECT_SIZE(PushRange, CUpti_RangeProfiler_PushRange);
  EXPECT_SIZE(Decode, CUpti_RangeProfiler_DecodeData);
  EXPECT_SIZE(DataSize, CUpti_RangeProfiler_GetCounterDataSize);
  EXPECT_SIZE(DataInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize);
  EXPECT_SIZE(SetConfig, CUpti_RangeProfiler_SetConfig);
  EXPECT_SIZE(RangeInfo, CUpti_RangeProfiler_CounterData_GetRangeInfo);

  EXPECT_PLACE(HostInitialize, chip, CUpti_Profiler_Host_Initialize, pChipName);
  EXPECT_PLACE(HostEvaluate, range, CUpti_Profiler_Host_EvaluateToGpuValues, rangeIndex);
  EXPECT_PLACE(HostEvaluate, values, CUpti_Profiler_Host_EvaluateToGpuValues, pMetricValues);
  EXPECT_PLACE(Stop, allPassesSubmitted, CUpti_RangeProfiler_Stop, isAllPassSubmitted);
  EXPECT_PLACE(Decode, dropped, CUpti_RangeProfiler_DecodeData, numOfRangeDropped);
  EXPECT_PLACE(DataSize, nodes, CUpti_RangeProfiler_GetCounterDataSize, maxNumRangeTreeNodes);
  EXPECT_PLACE(DataSize, bytes, CUpti_RangeProfiler_GetCounterDataSize, counterDataSize);
  EXPECT_PLACE(SetConfig, config, CUpti_RangeProfiler_SetConfig, pConfig);
  EXPECT_PLACE(SetConfig, data, CUpti_RangeProfiler_SetConfig, pCounterDataImage);
  EXPECT_PLACE(SetConfig, mode, CUpti_RangeProfiler_SetConfig, range);
  EXPECT_PLACE(SetConfig, replay, CUpti_RangeProfiler_SetConfig, replayMode);
  EXPECT_PLACE(SetConfig, ranges, CUpti_RangeProfiler_SetConfig, maxRangesPerPass);
  EXPECT_PLACE(SetConfig, levels, CUpti_RangeProfiler_SetConfig, numNestingLevels);
  EXPECT_PLACE(SetConfig, level, CUpti_RangeProfiler_SetConfig, targetNestingLevel);
  EXPECT_PLACE(RangeInfo, name, CUpti_RangeProfiler_CounterData_GetRangeInfo, rangeName);
}

TEST(CuptiTest, ItsNumbersAreThoseOfTheHeaders) {
  EXPECT_EQ(hardware::Cupti::kHardwareBusy, CUPTI_ERROR_HARDWARE_BUSY);
  EXPECT_EQ(hardware::Cupti::kNotSupported, CUPTI_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(hardware::Cupti::kVirtualDeviceNotSupported, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(hardware::Cupti::kInsufficientPrivileges, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
  EXPECT_EQ(hardware::Cupti::kVirtualDeviceInsufficientPrivileges,
            CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
  EXPECT_EQ(hardware::Cupti::kConfidentialComputing, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
  EXPECT_EQ(hardware::Cupti::kMiningDevice, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(hardware::Cupti::kMultiInstanceDevice, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(hardware::Cupti::kSliDevice, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(hardware::Cupti::kWslDevice, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
  EXPECT_EQ(hardware::Cupti::kInvalidChipName, CUPTI_ERROR_INVALID_CHIP_NAME);
  EXPECT_EQ(hardware::Cupti::kRangeProfiler, CUPTI_PROFILER_TYPE_RANGE_PROFILER);
  EXPECT_EQ(hardware::Cupti::kUserRange, CUPTI_UserRange);
  EXPECT_EQ(hardware::Cupti::kUserReplay, CUPTI_UserReplay);
}

#endif

}  // namespace
}  // namespace haloscope::gpu
