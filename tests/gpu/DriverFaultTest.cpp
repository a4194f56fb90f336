#include <string>

#include "FaultSupport.h"

/// GPUs that cannot be used at all: the table in README.md names these tests.
namespace haloscope::gpu {
namespace {

struct Missing {
  const char* name;
  const char* trouble;
  int ordinal;
  const char* message;
};

class MissingGpuTest : public testing::TestWithParam<Missing> {};

TEST_P(MissingGpuTest, IsNamed) {
  const FakeTrouble trouble(GetParam().trouble);
  const DeviceSearch search = findDevice(fakeDevice(GetParam().ordinal));
  EXPECT_EQ(search.device, nullptr);
  EXPECT_EQ(search.missing, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, MissingGpuTest,
    testing::Values(Missing{"no_gpu", "init=100", 0, "no NVIDIA GPU (the driver finds none)"},
                    Missing{"hidden_by_cuda", "count=0", 0, "no NVIDIA GPU (CUDA_VISIBLE_DEVICES may hide it)"},
                    Missing{"driver_and_kernel_module_differ", "init=803", 0,
                            "the NVIDIA driver cannot be initialised: fake trouble (803)"},
                    Missing{"old_driver", "version=11040", 0,
                            "the NVIDIA driver is for CUDA 11.4, older than 12.0: install driver 525 or newer"},
                    Missing{"third_of_two", "count=2", 2, "no GPU number 2: the driver shows 2"},
                    Missing{"lost", "retain=46", 0, "cuDevicePrimaryCtxRetain: fake trouble (46)"}),
    [](const auto& one) { return one.param.name; });

TEST(TwoGpusTest, TheSecondIsOpened) {
  const FakeTrouble trouble("count=2");
  EXPECT_EQ(Device::open(fakeDevice(0))->properties().name, "Fake GPU");
  EXPECT_EQ(Device::open(fakeDevice(1))->properties().name, "Second fake GPU");
}

TEST(OldDriverTest, AnNvrtcTooNewForItIsNamed) {
  if (!hasCompiler()) { GTEST_SKIP() << "needs NVRTC 13"; }
  try {
    const Compiler older(12040);
    GTEST_SKIP() << "there is an NVRTC 12, too";
  } catch (const Unavailable& missing) {
    EXPECT_NE(std::string(missing.what()).find("NVRTC 13"), std::string::npos) << missing.what();
    EXPECT_NE(std::string(missing.what()).find("the driver is for CUDA 12.4"), std::string::npos) << missing.what();
  }
}

/// Where it is missing; here, after `mount -t tmpfs none /usr/local/cuda-13.0`.
TEST(NoNvrtcTest, WhatToInstallIsSaid) {
  try {
    const Compiler found(13000);
    GTEST_SKIP() << "NVRTC is here: " << found.path();
  } catch (const Unavailable& missing) {
    EXPECT_NE(std::string(missing.what()).find("install the CUDA toolkit"), std::string::npos) << missing.what();
  }
}

TEST(ErrorTest, AFaultEndsTheProcessAndLackOfRoomDoesNot) {
  for (const int code : {46, 214, 700, 702, 709, 710, 715, 716, 719, 999}) {
    EXPECT_TRUE(Error("", code).endsProcess()) << code;
  }
  for (const int code : {1, 2, 200, 304, 500, 600, 701}) { EXPECT_FALSE(Error("", code).endsProcess()) << code; }
}

}  // namespace
}  // namespace haloscope::gpu
