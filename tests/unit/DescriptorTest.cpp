#include "process/Descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <utility>

namespace haloscope::process {
namespace {

bool isOpen(int number) { return fcntl(number, F_GETFD) >= 0; }

TEST(DescriptorTest, APipeEndsWhenItsOnlyWriterIsClosed) {
  int reading = -1;
  {
    Pipe pipe;
    reading = pipe.reading.number();
    EXPECT_EQ(write(pipe.writing.number(), "x", 1), 1);
    pipe.writing.close();
    EXPECT_FALSE(pipe.writing.isOpen());
    char byte = 0;
    EXPECT_EQ(read(reading, &byte, 1), 1);
    EXPECT_EQ(read(reading, &byte, 1), 0) << "the end";
    EXPECT_NE(fcntl(reading, F_GETFD) & FD_CLOEXEC, 0) << "a child process must not keep the pipe open";
  }
  EXPECT_FALSE(isOpen(reading));
}

TEST(DescriptorTest, WhatIsMovedIsClosedOnce) {
  Pipe pipe;
  const int first = pipe.reading.number();
  const int second = pipe.writing.number();
  Descriptor taken = std::move(pipe.reading);
  EXPECT_EQ(taken.number(), first);
  EXPECT_TRUE(isOpen(first));
  taken = std::move(pipe.writing);
  EXPECT_FALSE(isOpen(first)) << "what it had before";
  EXPECT_EQ(taken.number(), second);
  EXPECT_TRUE(isOpen(second));
}

}  // namespace
}  // namespace haloscope::process
