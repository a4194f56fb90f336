#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <vector>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "actions/ExportActions.h"
#include "commands/ChapterMaker.h"
#include "commands/Command.h"
#include "commands/PictureArguments.h"
#include "commands/Screen.h"
#include "documents/SessionFile.h"
#include "experiment/Experiment.h"
#include "files/FileText.h"
#include "handout/Handout.h"
#include "handout/LiveKernel.h"
#include "language/Text.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "reports/Interruption.h"
#include "reports/ProgressLine.h"
#include "worksheet/Worksheet.h"

/// `haloscope export`: one panel as a picture, an animation or a table; a block as a page.
namespace haloscope {

namespace fs = std::filesystem;

namespace {

/// `haloscope export … --html` and `--pdf`: recorded blocks to take home, as a page for a browser or on paper.
struct PageOptions {
  std::filesystem::path output;  ///< the page; empty: none is asked for
  std::filesystem::path sheet;   ///< the worksheet; empty: none is asked for
  bool questions = false, notes = false;
  bool solutions = false;    ///< of the worksheet
  std::string paper = "a4";  ///< or "letter"

  /// Whether one of them is asked for. Throws InputError if only their options are.
  [[nodiscard]] bool wanted() const;
  /// Their options, after all others of the command: those that say how something looks do not go with them. `this`
  /// must outlive the command.
  void addTo(CLI::App& command);
};

constexpr std::int64_t kLastSecond = 253402300799;  // of the year 9999

/// When a PDF says that it was made, so that two of the same content are alike.
std::int64_t secondsOfFile() {
  const char* text = std::getenv("SOURCE_DATE_EPOCH");
  if (text == nullptr) { return 0; }
  std::int64_t seconds = 0;
  const char* end = text + std::strlen(text);
  const auto [read, error] = std::from_chars(text, end, seconds);
  if (error != std::errc() || read != end || seconds < 0 || seconds > kLastSecond) {
    throw InputError(trf("SOURCE_DATE_EPOCH={}: seconds since 1970 are a whole number", text));
  }
  return seconds;
}

void expectEnding(const char* option, const fs::path& output, const std::set<std::string>& endings) {
  if (endings.contains(output.extension().string())) { return; }
  throw InputError(trf("{} {}: give a name that ends in {}", option, output.string(), *endings.rbegin()));
}

bool PageOptions::wanted() const {
  if (!output.empty() || !sheet.empty()) { return true; }
  if (questions) { throw InputError(tr("--questions goes with --html")); }
  if (notes) { throw InputError(tr("--notes goes with --html or --pdf")); }
  return false;
}

void PageOptions::addTo(CLI::App& command) {
  const std::vector<CLI::Option*> others = command.get_options();
  CLI::Option* html = command.add_option(
      "--html", output,
      tr("Write a page that any browser opens without a network: the source, the block at every step, its values, "
         "counts "
         "and findings, all executed anew as the reader chooses. The scenes of a session become its chapters"));
  CLI::Option* pdf = command.add_option(
      "--pdf", sheet,
      tr("Write a worksheet to print: the source, the block with cells to fill in, a thread's trace, the course's "
         "questions. The scenes of a session become its chapters"));
  html->excludes(pdf);
  command.add_flag("--solutions", solutions, tr("With --pdf: the same pages, with everything filled in"))->needs(pdf);
  command.add_option("--paper", paper, tr("With --pdf: a4 or letter"))
      ->check(CLI::IsMember({"a4", "letter"}))
      ->capture_default_str()
      ->needs(pdf);
  command.add_flag("--questions", questions,
                   tr("With --html: the course's questions about the kernel, with their answers as executed now; a "
                      "worksheet has them in any case"));
  command.add_flag("--notes", notes, tr("With --html or --pdf, of a session: its notes, too"));
  // What says which block is executed, and where the page opens.
  const std::set<std::string> mine = {"ID",
                                      "help",
                                      "define",
                                      "size",
                                      "blocks",
                                      "kernel",
                                      "launch",
                                      "bind",
                                      "shared",
                                      "data",
                                      "order",
                                      "seed",
                                      "without-barrier",
                                      "block",
                                      "step",
                                      "barrier",
                                      "plane",
                                      "end",
                                      "finding",
                                      "file",
                                      "no-host",
                                      "program-arguments"};
  for (CLI::Option* other : others) {
    if (mine.contains(other->get_single_name())) { continue; }
    html->excludes(other);
    pdf->excludes(other);
  }
}

/// Writes the page or the worksheet, whole or not at all. Throws UserError; interrupted by Ctrl + C, it writes nothing.
ExitCode exportPage(const CommandContext& context, const PageSubject& subject, const PageOptions& options) {
  const Interruption interruption;
  const bool onPaper = !options.sheet.empty();
  const fs::path& output = onPaper ? options.sheet : options.output;
  if (onPaper) {
    expectEnding("--pdf", output, {".pdf"});
  } else {
    expectEnding("--html", output, {".htm", ".html"});
  }
  if (options.notes && !isSession(subject.id)) {
    throw InputError(trf("--notes: {} is no session, whose scenes have notes", subject.id));
  }
  const std::int64_t seconds = onPaper ? secondsOfFile() : 0;
  try {
    ChapterOptions wanted{.questions = options.questions || onPaper, .notes = options.notes, .counts = !onPaper};
    if (onPaper) {  // a mistake is there to be found
      wanted.tasks = true;
      wanted.atFindings = false;
      wanted.data = worksheet::withSmallNumbers;
    }
    ChapterMaker maker(context, wanted, interruption.token());
    const std::vector<handout::Chapter> chapters = maker.chaptersOf(context, subject);
    const fs::path assets = resourceFolder("assets", HALOSCOPE_SOURCE_DIR);
    const std::string title = titleOf(subject, chapters);
    std::string bytes;
    if (onPaper) {
      worksheet::SheetOptions sheet{
          .paper = options.paper == "letter" ? worksheet::Paper::Letter : worksheet::Paper::A4,
          .solutions = options.solutions,
          .version = HALOSCOPE_VERSION,
          .seconds = seconds,
          .fonts = assets / "fonts"};
      bytes = worksheet::sheets(title, chapters, sheet);
    } else {
      const fs::path module = handout::modulePath(assets);
      if (module.empty()) {
        trPrint(stderr,
                "haloscope: the page shows what was recorded, and executes nothing: {} builds what that needs\n",
                "./run.sh --pages");
      }
      bytes = handout::page(title, chapters, assets, module, interruption.token());
    }
    if (interruption.token().stop_requested()) { throw experiment::Cancelled(); }
    const std::string problem = replaceWhole(output, bytes);
    if (!problem.empty()) { throw InputError(problem); }
  } catch (const experiment::Cancelled&) { throw InputError(trf("interrupted: {} was not written", output.string())); }
  return ExitCode::Good;
}

struct ExportOptions {
  PictureArguments window;
  std::string panel;  ///< empty: the block, or the field of the playground
  ExportPlan plan;
  PageOptions page;
  std::string steps;  ///< "A..B"; empty: all
  std::size_t every = 1;
  std::optional<double> rate;  ///< none: what suits the animation

  /// Throws InputError for what is no range.
  [[nodiscard]] std::optional<ExportSteps> range() const;
};

std::optional<ExportSteps> ExportOptions::range() const {
  if (steps.empty()) { return every == 1 ? std::nullopt : std::optional(ExportSteps{0, kToTheEnd, every}); }
  ExportSteps read{0, 0, every};
  const std::size_t dots = steps.find("..");
  const auto number = [](std::string_view text, std::size_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  };
  const std::string_view text = steps;
  if (dots == std::string::npos || !number(text.substr(0, dots), read.first) ||
      !number(text.substr(dots + 2), read.last)) {
    throw InputError(trf("--steps {}: a range is FIRST..LAST, such as 0..40", steps));
  }
  return read;
}

ExitCode exportPanel(const CommandContext& context, const ExportOptions& options) {
  ExportPlan plan = options.plan;
  const Tab usual = options.window.play.empty() ? Tab::Block : Tab::Field;
  plan.panel = options.panel.empty() ? usual : tabNamed(options.panel);
  plan.format = exportFormat(plan.output);
  plan.width = options.window.picture.width;
  plan.height = options.window.picture.height;
  plan.steps = options.range();
  plan.rate = options.rate.value_or(plan.speed ? kRateOfMovements : plan.rate);
  expectExportable(plan);
  const Interruption interruption;  // before the threads that it protects
  WindowPicture picture = options.window.prepare(context);
  picture.state.view.tabs.bringToFront(plan.panel);
  // The panel is drawn in a hidden window.
  picture.options.width = 1280;
  picture.options.height = 720;
  ProgressLine progress;
  const auto report = [&](std::size_t done, std::size_t all) {
    if (all > 1 && done > 0) { progress.show(trf("{} of {} pictures", done, all)); }
  };
  const bool written = context.screen.exportPanel(picture.state, picture.options, plan, report, interruption.token());
  if (!written) { throw InputError(trf("interrupted: {} was not written", plan.output.string())); }
  return ExitCode::Good;
}

CommandRun addExport(CLI::App& command) {
  const auto options = std::make_shared<ExportOptions>();
  options->window.picture.width = options->plan.width;
  options->window.picture.height = options->plan.height;
  options->window.addTo(command);
  command.add_option(
      "--panel", options->panel,
      tr("The panel: Block, Source, Memory, Timeline, Tuning, Field, … (default: Block; with --play Field)"));
  command.add_option("--scale", options->plan.scale, tr("Pixels for each of --width and --height: 2 for print"))
      ->check(CLI::Range(0.5, 8.0))
      ->capture_default_str();
  command.add_flag("--whole", options->plan.whole,
                   tr("A picture as high as the panel's content: a whole source, all findings"));
  command.add_option("--steps", options->steps,
                     tr("Of an animation: FIRST..LAST (default: all steps); of Field these are sweeps"));
  CLI::Option* const every =
      command.add_option("--every", options->every, tr("Of an animation: a picture for every so many steps or sweeps"));
  every->check(CLI::Range(1, 1'000'000))->capture_default_str();
  command
      .add_option(
          "--rate", options->rate,
          trf("Of an animation: pictures a second (default: {}, with --speed {})", ExportPlan{}.rate, kRateOfMovements))
      ->check(CLI::Range(0.1, 50.0));
  command
      .add_option("--speed", options->plan.speed,
                  tr("Of an animation of steps: played with their movements, so many times as fast as the window "
                     "usually does"))
      ->check(CLI::Range(kSlowest, kFastest))
      ->excludes(every);
  command.add_option("-o,--output", options->plan.output,
                     tr("File to write: .png, .svg, .gif, .mp4, .webm, .csv or .json"));
  // What is written without a window takes its options here, and its turn below.
  options->page.addTo(command);
  return [options](const CommandContext& context) {
    if (options->page.wanted()) {
      const PictureArguments& of = options->window;
      return exportPage(context, {of.id, of.kernel, of.schedule, of.block, of.picture.place, of.finding},
                        options->page);
    }
    if (options->plan.output.empty()) { throw InputError(tr("export needs -o FILE: where to write")); }
    return exportPanel(context, *options);
  };
}

}  // namespace

extern const Command exportCommand{
    "export", trMark("Write one panel as a picture, an animation or a table; needs no display"), addExport};

}  // namespace haloscope
