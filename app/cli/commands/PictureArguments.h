#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "book/Figure.h"
#include "commands/Command.h"
#include "commands/CompareOptions.h"
#include "options/CliForward.h"
#include "options/GpuOption.h"
#include "options/KernelArguments.h"
#include "options/PictureOptions.h"
#include "state/AppState.h"

namespace haloscope {

/// The options of all figures in one command. Each belongs to some of them.
class PictureFigures {
 public:
  /// `this` must outlive the command.
  void addTo(CLI::App& command);
  /// Throws InputError for an option that was given to the command and that this figure does not have; empty: no
  /// figure.
  void expectOptionsOf(const std::string& figure) const;
  /// Puts a figure in front. Throws InputError for what the kernel does not have.
  void show(const std::string& figure, FigurePicture& of) const;

 private:
  /// The options of the command from this one on belong to these figures.
  void note(CLI::App& command, std::size_t first, const std::vector<std::string>& figures);

  std::map<std::string, std::unique_ptr<FigureCommand>> commands_;
  std::vector<std::pair<const CLI::Option*, std::vector<std::string>>> options_;
  GpuOption gpu_;
};

/// What the window shows, and where in it the picture is taken.
struct WindowPicture {
  AppState state;
  PictureOptions options;
};

/// What the command line says about a picture of the window.
struct PictureArguments {
  std::string id;  ///< a variant, or the path of a .cu file
  KernelOptions kernel;
  ScheduleOptions schedule;
  std::string block;                    ///< "x,y,z"; empty: an interior block
  std::string cell;                     ///< "I,J,K": the output element that is selected; empty: the middle thread's
  std::optional<std::int64_t> finding;  ///< counted from 1
  std::optional<std::int64_t> launch;   ///< of the program, counted from 1
  bool program = false;                 ///< it is in front
  std::string figure;                   ///< of the book, in front instead of the block; empty: none
  PictureFigures figures;
  bool startPage = false;
  bool lab = false;
  std::string make;      ///< id of a task in which a kernel is written; empty: none
  std::string solution;  ///< a file with its solution; empty: the skeleton
  bool exercise = false;
  std::string lesson;                 ///< of the course; empty: none
  double scroll = 0;                  ///< how far down its page
  std::string question;               ///< of the lesson, to be scrolled to
  std::string play;                   ///< a problem of the playground; empty: none
  std::string engine;                 ///< the kernel that computes it; empty: the problem's own
  std::string filter;                 ///< of a picture, by name; empty: the first
  std::optional<std::int64_t> scene;  ///< of a session, counted from 1
  CompareOptions compare;
  AppState state;  ///< what is shown, as far as flags say it
  PictureOptions picture;

  /// What any picture takes; `this` must outlive the command.
  void addTo(CLI::App& command);
  /// ... and what only one of the whole window does.
  void addWindow(CLI::App& command);
  /// The window as they describe it, executed as far as that is necessary. Throws InputError, SourceError and what
  /// experiment::run throws.
  [[nodiscard]] WindowPicture prepare(const CommandContext& context) const;

 private:
  [[nodiscard]] WindowPicture ofKernel(const CommandContext& context) const;
  void addPlace(CLI::App& command, CLI::Option* focused);
  void addPanels(CLI::App& command);
};

}  // namespace haloscope
