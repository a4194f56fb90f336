#include "running/AllocationLabels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace haloscope::running {
namespace {

using testing::ElementsAre;

TEST(AllocationLabels, AreTheVariablesOfTheCalls) {
  EXPECT_THAT(allocatedNames("  cudaMalloc(&d_in, n * sizeof(float));"), ElementsAre("d_in"));
  EXPECT_THAT(allocatedNames("CHECK(cudaMalloc((void **)&d_in, bytes));"), ElementsAre("d_in"));
  EXPECT_THAT(allocatedNames("cudaMalloc(reinterpret_cast<void**>(&p), 4);"), ElementsAre("p"));
  EXPECT_THAT(allocatedNames("cudaMallocPitch(&img.data, &pitch, w, h);"), ElementsAre("img.data"));
  EXPECT_THAT(allocatedNames("cudaMalloc(&rows[i + 1], 4);"), ElementsAre("rows[i + 1]"));
  EXPECT_THAT(allocatedNames("cudaMalloc(&this->data_, 4);"), ElementsAre("this->data_"));
  EXPECT_THAT(allocatedNames("cudaMallocManaged<float>(&m, 4);"), ElementsAre("m"));
  EXPECT_THAT(allocatedNames("cudaMalloc(&a, 4); cudaMalloc(&b, f(4, 5));"), ElementsAre("a", "b"));
}

TEST(AllocationLabels, AreEmptyWhereALineSaysNothing) {
  EXPECT_THAT(allocatedNames("allocate(&a, 4);"), ElementsAre());
  EXPECT_THAT(allocatedNames("myCudaMalloc(&a); haloscudaMalloc(&b, 4);"), ElementsAre());
  EXPECT_THAT(allocatedNames("cudaMalloc"), ElementsAre());
  EXPECT_THAT(allocatedNames("cudaMalloc("), ElementsAre(""));
  EXPECT_THAT(allocatedNames("cudaMalloc((((((("), ElementsAre(""));
  EXPECT_THAT(allocatedNames("cudaMalloc((void**)"), ElementsAre(""));
  EXPECT_THAT(allocatedNames("cudaMalloc<"), ElementsAre());
  EXPECT_THAT(allocatedNames("cudaMalloc(static_cast<void**>, 1)"), ElementsAre(""));
  EXPECT_THAT(allocatedNames("cudaMalloc(pick(a, b) ? \"x\" : \"y\", 4);"), ElementsAre(""));
  EXPECT_THAT(allocatedNames(""), ElementsAre());
}

TEST(AllocationLabels, NumberAllocationsOfTheSameName) {
  const host::HostProgram program{.files = {{"a.cu",
                                             "cudaMalloc(&x, 4); cudaMalloc(&y, 4);\ncudaMalloc(&x, 4);\n"
                                             "cudaMalloc(\n    &z, 4);\n"}}};
  AllocationLabels labels(program);
  EXPECT_EQ(labels.next({"a.cu", 1}), "x");
  EXPECT_EQ(labels.next({"a.cu", 1}), "y");
  EXPECT_EQ(labels.next({"a.cu", 2}), "x (2)");
  EXPECT_EQ(labels.next({"a.cu", 1}), "x (3)");
  EXPECT_EQ(labels.next({"a.cu", 3}), "z");
  EXPECT_EQ(labels.next({"a.cu", 77}), "");
  EXPECT_EQ(labels.next({"b.cu", 1}), "");
  EXPECT_EQ(labels.next({"a.cu", -5}), "");
}

}  // namespace
}  // namespace haloscope::running
