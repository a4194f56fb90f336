#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/Catalogue.h"
#include "lessons/Course.h"

namespace haloscope::handout {

/// A question of the course with its answer, found by executing the kernel at this moment.
struct AnsweredQuestion {
  std::string lesson;   ///< its title
  std::string setting;  ///< sizes, tunables and block of what was executed: "N = 8, block (1,1,0)"; empty: the defaults
  std::string ask;
  lessons::Question::Kind kind{};       ///< of its answer
  std::vector<std::string> options{};   ///< of a choice
  std::optional<std::size_t> option{};  ///< of a choice: the right one
  std::string answer, because;
  std::string origin;  ///< where the answer comes from: "executed"
};

struct KernelQuestions {
  std::vector<AnsweredQuestion> questions{};  ///< in the order of the course
  std::vector<std::string> missing{};         ///< why others could not be answered, a sentence each
};

/// The questions of all lessons that are about a kernel of the catalogue, with the numbers of their files.
[[nodiscard]] KernelQuestions questionsAbout(const std::string& kernel, const lessons::Course& course,
                                             const Catalogue& catalogue, const std::stop_token& stop = {});

}  // namespace haloscope::handout
