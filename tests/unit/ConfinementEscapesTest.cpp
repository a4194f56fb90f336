#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "AnsweredCalls.h"
#include "ConfinementSupport.h"
#include "EscapeAttempts.h"

/// What hostile code might try, and that it is refused.
namespace haloscope::process {
namespace {

std::vector<Attempt> everyEscape() {
  std::vector<Attempt> all = fileEscapes();
  for (const auto& more : {processEscapes(), kernelEscapes()}) { all.insert(all.end(), more.begin(), more.end()); }
  return all;
}

class EscapeTest : public ConfinedTest, public testing::WithParamInterface<Attempt> {};

TEST_P(EscapeTest, IsRefused) {
  const Attempt& attempt = GetParam();
  const ChildEnd end = confined(around_, [&] { return attempt.run(around_); });
  EXPECT_EQ(end.status, attempt.refusal) << describe(end) << (end.status == 0 ? ": it got through" : "");

  // Without confinement it gets through; otherwise it would only be badly made.
  if (attempt.control == Control::Dangerous) { return; }
  const ChildEnd control = inChild([&] { return attempt.run(around_); });
  // Not everything is permitted to every user, or known to every kernel.
  for (const int error : {EPERM, EACCES, ENOSYS, EOPNOTSUPP, EAFNOSUPPORT, ENODEV}) {
    if (control.status == error) { return; }
  }
  EXPECT_EQ(control.status, 0) << "without confinement: " << describe(control) << ", "
                               << std::strerror(control.status.value_or(0));
}

TEST_P(EscapeTest, IsRefusedWhereFilesHaveNames) {
  const Attempt& attempt = GetParam();
  const ChildEnd end = inChild([&] {
    ConfinementLimits limits = testLimits();
    limits.namedFiles = true;
    Confinement confinement(limits, keptFiles(around_));
    answerTrappedCalls();
    confinement.forbidNewCode();
    return attempt.run(around_);
  });
  // A file that has no name is not there, or cannot be written.
  EXPECT_EQ(end.status, attempt.answer != 0 ? attempt.answer : attempt.refusal)
      << describe(end) << (end.status == 0 ? ": it got through" : "");
}

INSTANTIATE_TEST_SUITE_P(Confinement, EscapeTest, testing::ValuesIn(everyEscape()),
                         [](const auto& attempt) { return std::string(attempt.param.name); });

}  // namespace
}  // namespace haloscope::process
