#include "actions/TypedCellActions.h"

#include <fmt/format.h>

#include "experiment/ChosenArrays.h"
#include "language/Text.h"
#include "state/AppState.h"

namespace haloscope {

namespace {

const inputs::ArrayChoice* choiceOf(const AppState& state, const std::string& array) {
  const auto found = state.choice.data.find(array);
  return found == state.choice.data.end() ? nullptr : &found->second;
}

/// The value of an element as it would be typed: with the digits of its own type.
std::string shownValue(const ArrayData& array, std::int64_t element) {
  const double value = experiment::valueAt(array, element);
  return array.element == ValueType::F64 ? inputs::typed(value) : fmt::format("{}", static_cast<float>(value));
}

}  // namespace

std::vector<ChoosableArray> choosableArrays(const AppState& state) {
  std::vector<ChoosableArray> arrays;
  if (state.experiment == nullptr) { return arrays; }
  for (std::string& name : experiment::choosableArrays(state.experiment->file, *state.experiment->program)) {
    const inputs::ArrayChoice* const choice = choiceOf(state, name);
    arrays.push_back({std::move(name), choice == nullptr ? inputs::ArrayChoice{} : *choice});
  }
  return arrays;
}

bool canBeTyped(const AppState& state, ObjectId array) {
  if (state.experiment == nullptr || array == kNone || state.choice.kernel != state.experiment->file.id) {
    return false;
  }
  return experiment::canBeChosen(state.experiment->file, state.experiment->program->objects[array]);
}

void typeCell(AppState& state, ObjectId array, std::int64_t element) {
  if (!canBeTyped(state, array)) { return; }
  const ArrayData& data = state.experiment->launch->arrays[array];
  if (element < 0 || element >= data.elementCount() || data.bytes.empty()) { return; }
  std::vector<std::int64_t> extents = data.extents;
  if (extents.empty()) { extents = {1}; }
  state.typedCell = {.array = state.experiment->program->objects[array].name,
                     .index = experiment::indexIn(extents, element),
                     .text = shownValue(data, element),
                     .file = {},
                     .refusal = {},
                     .reading = {},
                     .opens = true,
                     .taken = false};
}

void typeArray(AppState& state, const std::string& array) {
  state.typedCell = {
      .array = array, .index = {}, .text = {}, .file = {}, .refusal = {}, .reading = {}, .opens = true, .taken = false};
}

bool takeTyped(AppState& state) {
  TypedCell& typed = state.typedCell;
  const ObjectId array = state.experiment->program->findObject(typed.array);
  if (!typed.index || !canBeTyped(state, array)) { return false; }
  const auto value = inputs::numberOf(typed.text);
  if (!value) {
    typed.refusal = trf("\"{}\" is not a number; write one such as 2, -0.5 or 1e-3.", typed.text);
    return false;
  }
  const ValueType type = state.experiment->program->objects[array].element;
  typed.refusal = experiment::whyNotHeld(type, *value);
  if (!typed.refusal.empty()) { return false; }
  state.choice.data[typed.array].cells[*typed.index] = *value;
  return true;
}

bool takeSpec(AppState& state, const std::string& spec) {
  state.typedCell.reading.clear();
  if (spec.starts_with('@')) {
    state.typedCell.reading = spec;
    state.typedCell.refusal.clear();
    return false;
  }
  try {
    inputs::choose(state.choice.data, state.typedCell.array, spec);
  } catch (const InputError& error) {
    state.typedCell.refusal = error.what();
    return false;
  }
  state.typedCell.refusal.clear();
  return true;
}

std::string newRandom(const AppState& state) {
  const inputs::ArrayChoice* const now = choiceOf(state, state.typedCell.array);
  return fmt::format("random:{}", now == nullptr ? 1 : now->seed + 1);
}

}  // namespace haloscope
