#include "live/InputReader.h"

#include <utility>

#include "actions/PlaygroundActions.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace {

ReadFile readTyped(const TypedFile& asked, const std::stop_token& /*stop*/) {
  ReadFile read;
  try {
    inputs::ChosenData data;
    inputs::choose(data, asked.array, asked.spec);
    read.choice = std::move(data[asked.array]);
  } catch (const UserError& error) { read.problem = error.message(); }
  return read;
}

}  // namespace

InputReader::InputReader(work::Pool& pool)
    : worker_(pool, {work::Priority::Foreground, work::Cores::One}, readTyped),
      pictures_(pool, {work::Priority::Foreground, work::Cores::One}, readTyped) {}

void InputReader::update(AppState& state) {
  updateTyped(state);
  updatePicture(state);
}

void InputReader::updatePicture(AppState& state) {
  const std::filesystem::path& dropped = state.playground.dropped;
  if (dropped.empty()) {
    pictures_.cancel();
    return;
  }
  TypedFile now{"picture", "@" + dropped.string()};
  if (!pictures_.busy() || !(askedPicture_ == now)) {
    askedPicture_ = std::move(now);
    pictures_.request(askedPicture_);
  }
  if (auto read = pictures_.poll()) { takePicture(state, read->choice, read->problem); }
}

void InputReader::updateTyped(AppState& state) {
  TypedCell& typed = state.typedCell;
  if (typed.reading.empty()) {
    worker_.cancel();
    return;
  }
  TypedFile now{typed.array, typed.reading};
  if (!worker_.busy() || !(asked_ == now)) {
    asked_ = std::move(now);
    worker_.request(asked_);
  }
  auto read = worker_.poll();
  if (!read) { return; }
  typed.reading.clear();
  typed.refusal = std::move(read->problem);
  typed.taken = typed.refusal.empty();
  if (typed.taken) { state.choice.data[asked_.array] = std::move(read->choice); }
}

void InputReader::settle(AppState& state) {
  for (update(state); busy(); update(state)) {
    worker_.finish();
    pictures_.finish();
  }
}

}  // namespace haloscope
