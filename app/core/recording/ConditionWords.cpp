#include "recording/ConditionWords.h"

#include <optional>

#include "language/Text.h"
#include "program/NumberText.h"
#include "recording/GoingOn.h"

namespace haloscope::recording {

std::string conditionText(const Recording& recording, std::size_t step) {
  const StatementId statement = recording.steps[step].statement;
  if (statement == kNone) { return {}; }
  const StatementKind kind = recording.program->statements[statement].kind;
  if (kind == StatementKind::Switch) { return tr("A case is chosen"); }
  if (kind != StatementKind::Condition && kind != StatementKind::LoopCondition) { return {}; }
  const std::optional<GoingOn> going = threadsGoingOn(recording, step);
  if (!going) { return tr("A condition is evaluated"); }
  const std::string threads = grouped(going->threads), of = grouped(going->of);
  if (going->threads == 0) {
    return going->loop ? trn("The loop ends for {} thread", "The loop ends for all {} threads", going->of, of)
                       : trn("The condition does not hold for {} thread", "The condition holds for none of {} threads",
                             going->of, of);
  }
  if (going->begins && going->threads == going->of) {
    return trn("The loop begins for {} thread", "The loop begins for all {} threads", going->of, of);
  }
  if (going->begins) { return trf("The loop begins for {} of {} threads", threads, of); }
  if (going->threads == going->of) {
    return going->loop
               ? trn("The loop goes on for {} thread", "The loop goes on for all {} threads", going->of, of)
               : trn("The condition holds for {} thread", "The condition holds for all {} threads", going->of, of);
  }
  return going->loop ? trf("The loop goes on for {} of {} threads", threads, of)
                     : trf("The condition holds for {} of {} threads", threads, of);
}

}  // namespace haloscope::recording
