#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "experiment/Experiment.h"
#include "handout/Handout.h"
#include "inputs/ChosenData.h"
#include "program/Program.h"

/// A recorded block as sheets of paper with blanks, and the same sheets with the solutions.
namespace haloscope::worksheet {

enum class Paper : std::uint8_t { A4, Letter };

struct SheetOptions {
  Paper paper = Paper::A4;
  bool solutions = false;       ///< the blanks are filled in
  std::string version{};        ///< of Haloscope
  std::int64_t seconds = 0;     ///< since 1970: when the file says that it was made
  std::filesystem::path fonts;  ///< assets/fonts
};

/// Chapters of a sheet at most.
inline constexpr std::size_t kMostChapters = 60;

/// The sheets as a PDF, in the current language, the same bytes for the same chapters and options; with solutions the
/// same pages. Throws InputError for a chapter without a recording and for too many chapters, MissingError without
/// one of the fonts.
[[nodiscard]] std::string sheets(const std::string& title, const std::vector<handout::Chapter>& chapters,
                                 const SheetOptions& options);

/// Small whole numbers, which can be added up by hand, for the floating-point inputs for which nothing was chosen: not
/// for those that the header or a program fills. What was chosen stays.
[[nodiscard]] inputs::ChosenData withSmallNumbers(const KernelFile& file, const Program& program,
                                                  inputs::ChosenData chosen);

}  // namespace haloscope::worksheet
