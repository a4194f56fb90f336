#include "running/StreamOrder.h"

#include <gtest/gtest.h>

#include <cstdint>

// What is over before what: the order that CUDA promises between streams, events and the host.

namespace haloscope::running {
namespace {

constexpr std::uint64_t kDefault = 0, kOne = 16, kOther = 17, kApart = 18, kEvent = 30;

/// Two streams, and one that is non-blocking.
StreamOrder threeStreams(bool perThread = false) {
  StreamOrder order(perThread);
  order.create(kOne, false);
  order.create(kOther, false);
  order.create(kApart, true);
  return order;
}

/// Whether work in a stream is over before the work that comes into another right after it.
bool isOrdered(StreamOrder order, std::uint64_t first, std::uint64_t second) {
  const OperationPoint earlier = order.issue(first);
  return order.isBefore(earlier, order.issue(second));
}

TEST(StreamOrder, AStreamIsInOrderAndOthersAreNot) {
  EXPECT_TRUE(isOrdered(threeStreams(), kOne, kOne));
  EXPECT_FALSE(isOrdered(threeStreams(), kOne, kOther));
  EXPECT_FALSE(isOrdered(threeStreams(), kApart, kOther));
}

TEST(StreamOrder, TheDefaultStreamWaitsForBlockingOnesAndTheyForIt) {
  EXPECT_TRUE(isOrdered(threeStreams(), kOne, kDefault));
  EXPECT_TRUE(isOrdered(threeStreams(), kDefault, kOne));
  EXPECT_FALSE(isOrdered(threeStreams(), kApart, kDefault));
  EXPECT_FALSE(isOrdered(threeStreams(), kDefault, kApart));
  StreamOrder order = threeStreams();
  const OperationPoint earlier = order.issue(kOne);
  order.issue(kDefault);
  EXPECT_TRUE(order.isBefore(earlier, order.issue(kOther)));
}

TEST(StreamOrder, EachGpuHasItsOwnDefaultStream) {
  StreamOrder order = threeStreams();
  const OperationPoint first = order.issue(kDefault);
  const OperationPoint blocking = order.issue(kOne);
  order.useDevice(1);
  EXPECT_FALSE(order.isBefore(blocking, order.issue(kDefault)));
  EXPECT_EQ(order.deviceOf(kOne), 0U);
  order.hostWaitsForDevice();
  EXPECT_FALSE(order.isOver(first));
  order.wait(kDefault, kEvent);
  order.record(kEvent, kOne);
  order.wait(kDefault, kEvent);
  EXPECT_TRUE(order.isBefore(blocking, order.issue(kDefault)));
  order.useDevice(0);
  order.hostWaitsForDevice();
  EXPECT_TRUE(order.isOver(first));
}

TEST(StreamOrder, ThatOfTheThreadIsOneOfMany) {
  EXPECT_FALSE(isOrdered(threeStreams(true), kOne, kDefault));
  EXPECT_TRUE(isOrdered(threeStreams(true), 1, kDefault));
  EXPECT_FALSE(isOrdered(threeStreams(), 2, kOne));
  EXPECT_TRUE(isOrdered(threeStreams(), 2, kDefault));
}

TEST(StreamOrder, AnEventOrdersWhatItIsRecordedBehind) {
  StreamOrder order = threeStreams();
  order.wait(kOther, kEvent);  // never recorded
  const OperationPoint before = order.issue(kOne);
  order.record(kEvent, kOne);
  const OperationPoint after = order.issue(kOne);
  EXPECT_FALSE(order.isBefore(before, order.issue(kOther)));
  order.wait(kOther, kEvent);
  const OperationPoint last = order.issue(kOther);
  EXPECT_TRUE(order.isBefore(before, last));
  EXPECT_FALSE(order.isBefore(after, last));
  // And what waits for that one.
  order.record(kEvent, kOther);
  order.wait(kApart, kEvent);
  EXPECT_TRUE(order.isBefore(before, order.issue(kApart)));
}

TEST(StreamOrder, TheHostOrdersWhatItHasWaitedFor) {
  StreamOrder order = threeStreams();
  const OperationPoint one = order.issue(kOne), apart = order.issue(kApart);
  order.hostWaitsForStream(kOne);
  EXPECT_TRUE(order.isOver(one));
  EXPECT_FALSE(order.isOver(apart));
  const OperationPoint next = order.issue(kOther);
  EXPECT_TRUE(order.isBefore(one, next));
  EXPECT_FALSE(order.isBefore(apart, next));
  order.record(kEvent, kApart);
  order.hostWaitsForEvent(kEvent);
  EXPECT_TRUE(order.isOver(apart));
  order.hostWaitsForAll();
  EXPECT_TRUE(order.isOver(next));
}

TEST(StreamOrder, AnUnknownStreamOrdersEverything) {
  StreamOrder order = threeStreams();
  const OperationPoint earlier = order.issue(kApart);
  EXPECT_TRUE(order.isBefore(earlier, order.issue(99)));
  EXPECT_TRUE(order.isOver(earlier));
}

TEST(StreamOrder, StreamsThatAreGoneMakeRoom) {
  StreamOrder order(false);
  for (std::uint64_t stream = 16; stream < 5000; ++stream) {
    order.create(stream, stream % 2 == 0);
    order.issue(stream);
    order.destroy(stream);
    order.hostWaitsForAll();
  }
  EXPECT_FALSE(order.isLost());
  for (std::uint64_t stream = 5000; stream < 6000; ++stream) { order.create(stream, false); }
  EXPECT_TRUE(order.isLost());
  EXPECT_FALSE(order.mayOverlap());
}

}  // namespace
}  // namespace haloscope::running
