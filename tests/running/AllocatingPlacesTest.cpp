#include <gtest/gtest.h>

#include "running/AllocationNames.h"

namespace haloscope::running {
namespace {

TEST(AllocatingPlaces, NameTheVariablesOfEachPlaceInTurn) {
  const host::HostProgram program{.files = {{"a.cu",
                                             "cudaMalloc(&x, 4); cudaMalloc((void**)&y.data, 4);\n"
                                             "CHECK(cudaMallocManaged(&rows[i], n * sizeof(float)));\n"
                                             "allocate(&z, 4);\n"}},
                                  .headers = {{"b.h", "\ncudaMallocHost(reinterpret_cast<void**>(&p), 4);\n"}}};
  AllocatingPlaces places(program);
  EXPECT_EQ(places.next({"a.cu", 1}), "x");
  EXPECT_EQ(places.next({"a.cu", 1}), "y.data");
  EXPECT_EQ(places.next({"a.cu", 1}), "x") << "the line is in a loop";
  EXPECT_EQ(places.next({"a.cu", 2}), "rows[i]");
  EXPECT_EQ(places.next({"a.cu", 2}), "rows[i]");
  EXPECT_EQ(places.next({"a.cu", 3}), "");
  EXPECT_EQ(places.next({"b.h", 2}), "p");
}

TEST(AllocatingPlaces, NameTheVectorsOfThrust) {
  const host::HostProgram program{.files = {{"a.cu",
                                             "thrust::device_vector<float> d_in(n), d_out(n, 1), e;\n"
                                             "auto pairs = thrust::device_vector<thrust::pair<int, int>>(n);\n"
                                             "d_in = host;\n"
                                             "e.resize(n);\n"
                                             "cudaMalloc(&p, n);\n"
                                             "thrust::device_vector<float> f = host, g = w;\n"
                                             "for (int k = 0; k < 7; ++k) w[k] = taps[k];\n"}}};
  AllocatingPlaces places(program);
  EXPECT_EQ(places.next({"a.cu", 1}), "d_in");
  EXPECT_EQ(places.next({"a.cu", 1}), "d_out");
  EXPECT_EQ(places.next({"a.cu", 2}), "pairs");
  EXPECT_EQ(places.next({"a.cu", 3}), "d_in");
  EXPECT_EQ(places.next({"a.cu", 4}), "the device_vector of line 4");
  EXPECT_EQ(places.next({"a.cu", 5}), "p");
  for (const char* name : {"f", "g", "f"}) { EXPECT_EQ(places.next({"a.cu", 6}), name); }
  EXPECT_EQ(places.next({"a.cu", 7}), "the device_vector of line 7");
}

TEST(AllocatingPlaces, HaveNoNameForPlacesThatAreNone) {
  const host::HostProgram program{.files = {{"a.cu", "cudaMalloc("}}};
  AllocatingPlaces places(program);
  for (const int line : {-5, 0, 1, 2, 1 << 30}) { EXPECT_EQ(places.next({"a.cu", line}), ""); }
  EXPECT_EQ(places.next({"b.cu", 1}), "");
  EXPECT_EQ(places.next({"", 0}), "");
}

}  // namespace
}  // namespace haloscope::running
