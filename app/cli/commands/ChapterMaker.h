#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "catalogue/KernelFile.h"
#include "commands/Command.h"
#include "experiment/Experiment.h"
#include "handout/Handout.h"
#include "options/KernelOptions.h"
#include "options/PictureOptions.h"
#include "program/Program.h"
#include "state/AppState.h"

namespace haloscope {

/// What is taken home: a variant, the path of a .cu file, or that of a session, whose scenes become chapters.
struct PageSubject {
  const std::string& id;
  const KernelOptions& kernel;
  const ScheduleOptions& schedule;
  const std::string& block;  ///< "x,y,z"; empty: an interior one; of a file with findings that of the first
  const Place& place;        ///< at which it opens; not given: the start, or the first finding of a file
  std::optional<std::int64_t> finding{};  ///< ... or where this one shows, counted from 1
};

/// What chapters have besides a recording.
struct ChapterOptions {
  bool questions = false, notes = false;
  bool counts = false;     ///< the whole grid is executed, too
  bool tasks = false;      ///< those of the bug lab are checked, too
  bool atFindings = true;  ///< a file with findings opens where the first one shows, not only in its block
  /// The arrays of a launch in place of those that were chosen; none: as they were chosen.
  std::function<inputs::ChosenData(const KernelFile&, const Program&, inputs::ChosenData)> data{};
};

/// Executes what is taken home, with the course read once.
class ChapterMaker {
 public:
  ChapterMaker(const CommandContext& context, ChapterOptions options, std::stop_token stop);

  /// Throws UserError, and experiment::Cancelled when asked to stop.
  [[nodiscard]] std::vector<handout::Chapter> chaptersOf(const CommandContext& context, const PageSubject& subject);

 private:
  [[nodiscard]] handout::Chapter ofKernel(const CommandContext& context, const PageSubject& subject);
  [[nodiscard]] std::vector<handout::Chapter> ofSession(const std::string& path);
  [[nodiscard]] handout::Chapter ofScene(const Scene& scene);
  [[nodiscard]] std::shared_ptr<const experiment::Experiment> execute(const KernelFile& file,
                                                                      const experiment::Choice& choice) const;
  void complete(handout::Chapter& chapter) const;
  void goToFinding(handout::Chapter& chapter, std::size_t index, bool anyBlock) const;

  ChapterOptions options_;
  std::stop_token stop_;
  AppState state_;
};

/// The name of a session, or the title of the kernel.
[[nodiscard]] std::string titleOf(const PageSubject& subject, const std::vector<handout::Chapter>& chapters);

}  // namespace haloscope
