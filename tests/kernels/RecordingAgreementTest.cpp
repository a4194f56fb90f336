#include "recording/RecordingAgreement.h"

#include <algorithm>
#include <bit>

#include <gtest/gtest.h>

#include "RecordingSupport.h"

// Two recordings with one difference, which is found, classified and reported.

namespace haloscope {
namespace {

using recording::Change;
using recording::Recording;
using recording::RecordingAgreement;

class RecordingAgreementTest : public testing::Test {
 protected:
  RecordingAgreementTest()
      : prepared_(test::prepare("stencil/tiled", {{"N", 12}})), first_(prepared_.record({0, 0, 0})), second_(*first_) {}

  /// The first access of this kind in the second recording.
  recording::AccessGroup& access(bool store, MemorySpace space) {
    return *std::ranges::find_if(
        second_.accesses, [&](const recording::AccessGroup& one) { return one.store == store && one.space == space; });
  }

  test::Prepared prepared_;
  std::shared_ptr<const Recording> first_;
  Recording second_;
};

TEST_F(RecordingAgreementTest, OfTheSameEverythingIsComparedAndNothingDiffers) {
  const RecordingAgreement agreement = recording::compare(*first_, second_);
  EXPECT_TRUE(agreement.same());
  EXPECT_TRUE(agreement.sameButForRounding());
  EXPECT_FALSE(agreement.first);
  EXPECT_EQ(agreement.accesses, first_->elements.size());
  EXPECT_EQ(agreement.assignments,
            static_cast<std::size_t>(std::ranges::count(first_->changes, Change::Kind::Variable, &Change::kind)));
  EXPECT_EQ(agreement.sharedValues, 512U * first_->intervals.size());
}

TEST_F(RecordingAgreementTest, ARoundedValueIsReportedWithItsDistance) {
  recording::AccessGroup& stored = access(true, MemorySpace::Global);
  second_.values[stored.first] += 3;
  const RecordingAgreement agreement = recording::compare(*first_, second_);
  EXPECT_FALSE(agreement.same());
  EXPECT_TRUE(agreement.sameButForRounding());
  EXPECT_EQ(agreement.different, 1U);
  EXPECT_EQ(agreement.maxUlps, 3);
  ASSERT_TRUE(agreement.first);
  EXPECT_NE(agreement.first->sentence.find("on the emulator and "), std::string::npos) << agreement.first->sentence;
  EXPECT_EQ(agreement.first->where.line, first_->program->code[stored.instruction].range.line);
}

TEST_F(RecordingAgreementTest, AnotherElementIsNoMatterOfRounding) {
  second_.elements[access(false, MemorySpace::Global).first] += 1;
  const RecordingAgreement agreement = recording::compare(*first_, second_);
  EXPECT_EQ(agreement.elsewhere, 1U);
  EXPECT_FALSE(agreement.sameButForRounding());
}

TEST_F(RecordingAgreementTest, AValueThatIsNoNumberIsNoMatterOfRounding) {
  second_.values[access(true, MemorySpace::Global).first] = 0x7fc00000U;
  EXPECT_FALSE(recording::compare(*first_, second_).sameButForRounding());
}

TEST_F(RecordingAgreementTest, AMissingLaneIsMissed) {
  recording::AccessGroup& stored = access(true, MemorySpace::Global);
  stored.lanes &= stored.lanes - 1;
  ++stored.first;
  const RecordingAgreement agreement = recording::compare(*first_, second_);
  EXPECT_EQ(agreement.missing, 1U);
  ASSERT_TRUE(agreement.first);
  EXPECT_NE(agreement.first->sentence.find("on the emulator only"), std::string::npos) << agreement.first->sentence;
}

TEST_F(RecordingAgreementTest, AnotherAssignmentIsFound) {
  const auto integer = std::ranges::find_if(second_.changes, [](const Change& change) {
    return change.kind == Change::Kind::Variable && change.originAfter.kind == recording::Origin::Kind::Computed;
  });
  ASSERT_NE(integer, second_.changes.end());
  integer->after += 1;
  const RecordingAgreement agreement = recording::compare(*first_, second_);
  EXPECT_EQ(agreement.different, 1U);
  EXPECT_FALSE(agreement.sameButForRounding());
}

TEST_F(RecordingAgreementTest, SharedMemoryIsComparedAtEachBarrier) {
  const auto shared = std::ranges::find_if(second_.changes, [](const Change& change) {
    return change.kind == Change::Kind::Shared && change.originAfter.kind == recording::Origin::Kind::Element;
  });
  ASSERT_NE(shared, second_.changes.end());
  shared->after += 1;
  EXPECT_EQ(recording::compare(*first_, second_).different, first_->intervals.size());
}

TEST_F(RecordingAgreementTest, UninitialisedValuesAreNotCompared) {
  // The last block's tile extends beyond the grid: its rim stays uninitialised.
  const auto edge = prepared_.record({1, 1, 1});
  Recording other = *edge;
  const auto unwritten = [](const Change& change) {
    return change.kind == Change::Kind::Shared && change.originAfter.kind == recording::Origin::Kind::Unwritten;
  };
  std::ranges::for_each(other.changes, [&](Change& change) {
    if (unwritten(change)) { change.after = 1; }
  });
  EXPECT_TRUE(recording::compare(*edge, other).same());
}

TEST_F(RecordingAgreementTest, RecordingsOfDifferentBlocksAreRefused) {
  EXPECT_THROW((void)recording::compare(*first_, *prepared_.record({1, 0, 0})), InputError);
}

}  // namespace
}  // namespace haloscope
