#pragma once

#include <cstddef>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiment/Experiment.h"
#include "handout/Columns.h"
#include "language/Text.h"
#include "text/JsonText.h"

namespace haloscope::handout {

// What a page has written for the function that it calls, and what that answers.
extern std::vector<std::byte> request;
extern std::string answer;

/// The answer is what `work` returns or, where it throws, {"error": "…"}.
template <typename Work>
void answerWith(Work work) {
  try {
    answer = work();
  } catch (const std::exception& error) {
    answer = container(jsonText(nlohmann::json{{"error", error.what()}}), {});
  } catch (const experiment::Cancelled&) {
    answer = container(jsonText(nlohmann::json{{"error", tr("the execution was stopped")}}), {});
  }
}

}  // namespace haloscope::handout
