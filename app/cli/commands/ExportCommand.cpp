#include <CLI/CLI.hpp>
#include <charconv>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "actions/ExportActions.h"
#include "commands/Command.h"
#include "commands/ExportedPage.h"
#include "commands/PictureArguments.h"
#include "commands/Screen.h"
#include "language/Text.h"
#include "program/SourceLocation.h"
#include "reports/Interruption.h"
#include "reports/ProgressLine.h"

/// `haloscope export`: one panel as a picture, an animation or a table; a block as a page.
namespace haloscope {
namespace {

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
