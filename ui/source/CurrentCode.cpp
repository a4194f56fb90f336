#include "ui/source/CurrentCode.h"

#include "ui/widgets/CarrierColours.h"

namespace haloscope::ui {

NameColours nameColours(const AppState& state, const Theme& theme) {
  NameColours names;
  const experiment::Experiment& experiment = *state.experiment;
  const std::vector<ImU32> colours = carrierColours(theme, experiment);
  for (std::size_t i = 0; i < colours.size(); ++i) { names.emplace_back(experiment.carriers[i].name, colours[i]); }
  return names;
}

CurrentCode currentCode(const AppState& state) {
  const recording::Step* step = state.cursor.empty() ? nullptr : state.cursor.current();
  if (step == nullptr || step->statement == kNone) { return {}; }
  const Program& program = *state.experiment->program;
  const Statement& statement = program.statements[step->statement];
  return {statement.range, program.functions[statement.function].calledAt};
}

}  // namespace haloscope::ui
