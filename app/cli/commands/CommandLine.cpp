#include "commands/CommandLine.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue/Catalogue.h"
#include "commands/Command.h"
#include "commands/ManualPages.h"
#include "driver/KernelProcess.h"
#include "frontend/CompilerProcess.h"
#include "grading/HandInProcess.h"
#include "host/ServeHost.h"
#include "language/Language.h"
#include "language/Text.h"
#include "options/ProgramOptions.h"
#include "program/Misspelling.h"
#include "program/ResourceFolder.h"
#include "reports/HandInCheck.h"
#include "text/Print.h"

namespace haloscope {

namespace {

Catalogue openCatalogue(const std::string& folder) {
  Catalogue catalogue =
      Catalogue::read(folder.empty() ? resourceFolder("kernels", HALOSCOPE_SOURCE_DIR) : std::filesystem::path(folder));
  for (const SourceError& problem : catalogue.problems()) {
    printText(stderr, "haloscope: warning: {}\n", problem.what());
  }
  return catalogue;
}

/// Takes --language out of the arguments, wherever it is before --, because help is written before they are parsed.
/// Throws InputError.
std::optional<Language> takeLanguage(std::vector<char*>& arguments) {
  constexpr std::string_view kOption = "--language";
  std::optional<Language> chosen;
  for (auto at = arguments.begin(); at != arguments.end() && *at != std::string_view("--");) {
    const std::string_view text = *at;
    if (!text.starts_with(kOption) || (text.size() > kOption.size() && text[kOption.size()] != '=')) {
      ++at;
      continue;
    }
    std::string_view code = text.size() > kOption.size() ? text.substr(kOption.size() + 1) : std::string_view();
    at = arguments.erase(at);
    if (text == kOption && at != arguments.end()) {
      code = *at;
      at = arguments.erase(at);
    }
    chosen = languageWithCode(code);
    if (!chosen) { throw InputError(trf("--language \"{}\": choose en (English) or zh (Chinese)", code)); }
  }
  return chosen;
}

/// Without a catalogue everything is English.
void speak(Language chosen) {
  try {
    setLanguageFolder(resourceFolder("assets", HALOSCOPE_SOURCE_DIR) / "languages");
    setLanguage(chosen);
  } catch (const std::exception& problem) {
    printText(stderr, "haloscope: warning: {}; all texts are English\n", problem.what());
  }
}

/// An option of the window before a command would be ignored. Throws InputError.
void expectOnlyCommand(const CLI::App& app, const std::vector<const CLI::Option*>& ofTheWindow) {
  if (app.get_subcommands().empty()) { return; }
  const std::string command = app.get_subcommands().front()->get_name();
  for (const CLI::Option* option : ofTheWindow) {
    if (option->count() == 0) { continue; }
    throw InputError(trf("{} before \"{}\" applies to the window: write it after \"{}\", if that command has it",
                         option->get_name(), command, command));
  }
}

/// The command that was chosen, or the program itself: `figure shape` is a command of a command.
CLI::App& chosenCommand(CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : chosenCommand(*chosen.front());
}

/// The option of a command of which another is probably a misspelling; empty: there is none.
std::string optionMeant(const std::string& written, const CLI::App& command) {
  const std::string name = written.substr(0, written.find('='));
  for (const CLI::Option* const option : command.get_options()) {
    for (const std::string& one : option->get_lnames()) {
      if (!option->get_group().empty() && name.starts_with("--") && isMisspelling(name.substr(2), one)) {
        return "--" + one;
      }
    }
  }
  return {};
}

/// What CLI11 says of a command line, in the words of the other messages.
std::string plainText(const CLI::ParseError& error, CLI::App& app) {
  const std::string text = error.what();
  std::smatch part;
  const auto matches = [&](const char* pattern) { return std::regex_match(text, part, std::regex(pattern)); };
  if (matches("Could not convert: (.*) = (.*)") || matches("(.*): Check (.*) value in .*")) {
    return trf("{} {}: this is not a value of this option", part[1].str(), part[2].str());
  }
  if (matches("The following arguments? (?:was|were) not expected: (.*)")) {
    const std::vector<std::string> rest = chosenCommand(app).remaining();  // CLI11's text has them in reverse
    const std::string given = rest.empty() ? part[1].str() : fmt::format("{}", fmt::join(rest, " "));
    if (const std::string meant = rest.empty() ? "" : optionMeant(rest.front(), chosenCommand(app)); !meant.empty()) {
      return trf("{}: this command does not accept it; did you mean {}?", given, meant);
    }
    if (app.get_subcommands().empty()) {
      for (const CLI::Option* const one : app.get_options()) {
        const std::string meant = one->get_positional() && one->count() > 0 ? commandMeant(one->results().front()) : "";
        if (!meant.empty()) {
          return trf("{}: there is no such command; did you mean \"haloscope {}\"?", one->results().front(), meant);
        }
      }
    }
    return trf("{}: this command does not accept it", given);
  }
  if (matches("(.*): Value (.*) not in range (.*) to (.*)")) {
    return trf("{} {}: a value from {} to {} is needed", part[1].str(), part[2].str(), part[3].str(), part[4].str());
  }
  if (matches("(.*): (.*) not in \\{(.*)\\}")) {
    return trf("{} {}: write one of {}", part[1].str(), part[2].str(), part[3].str());
  }
  if (matches("(.*): \\d+ required .* missing")) { return trf("{}: its value is missing", part[1].str()); }
  if (matches("(--?.*) excludes (.*)")) {
    return trf("{} excludes {}: give one of them", part[1].str(), part[2].str());
  }
  if (matches("(--?.*) requires (.*)")) { return trf("{} is only for {}", part[1].str(), part[2].str()); }
  if (text == "A subcommand is required") {
    CLI::App& command = chosenCommand(app);
    std::string names;
    for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; })) {
      names += (names.empty() ? "" : ", ") + one->get_name();
    }
    return trf("{}: name one of {}", command.get_name(), names);
  }
  if (matches("(.*) is required")) { return trf("{} is missing", part[1].str()); }
  return text;
}

/// CLI11's words in help, in the current language.
class HelpText : public CLI::Formatter {
 public:
  HelpText() {
    label("Usage", tr("Usage"));
    label("Positionals", tr("Positionals"));
    label("OPTIONS", tr("OPTIONS"));
    label("SUBCOMMAND", tr("SUBCOMMAND"));
    label("REQUIRED", tr("REQUIRED"));
    label("Needs", tr("Needs"));
    label("Excludes", tr("Excludes"));
  }

  [[nodiscard]] std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (const auto& [heading, translated] :
         {std::pair("\nOptions:\n", tr("\nOptions:\n")), std::pair("\nSubcommands:\n", tr("\nSubcommands:\n"))}) {
      const std::size_t at = text.find(heading);
      if (at != std::string::npos) { text.replace(at, std::string_view(heading).size(), translated); }
    }
    // A positional that is not for help leaves its brackets in the usage.
    constexpr std::string_view kHidden = " []";
    if (const std::size_t at = text.find(kHidden); at != std::string::npos) { text.erase(at, kHidden.size()); }
    return text;
  }

  /// "..." stands for values that follow; an option that is written again for each says so.
  [[nodiscard]] std::string make_option_opts(const CLI::Option* option) const override {
    constexpr std::string_view kMore = " ...";
    std::string text = CLI::Formatter::make_option_opts(option);
    const std::size_t at = text.find(kMore);
    if (at != std::string::npos && !option->get_positional() && !option->get_allow_extra_args()) {
      text.replace(at, kMore.size(), tr(" (repeatable)"));
    }
    return text;
  }
};

/// The last line of a command's help: the page of the manual that explains it.
std::string manualPointer(const std::string& command) {
  try {
    const lessons::Course manual = readManual();
    const lessons::Lesson* const page = pageAbout(manual, command);
    return page == nullptr ? std::string() : trf("haloscope help {} says more: {}.", page->id, page->title);
  } catch (const InputError&) { return {}; }  // help is help without its manual, too
}

}  // namespace

ExitCode runCommandLine(int argc, char** argv, Screen& screen) {
  std::vector<char*> given(argv, argv + argc);
  const std::optional<Language> chosen = takeLanguage(given);
  // What a script reads is English, unless it asks for another language.
  const auto programsOwn = std::ranges::find(given, std::string_view("--"));
  const bool json = std::find(given.begin(), programsOwn, std::string_view("--json")) != programsOwn;
  speak(chosen.value_or(json ? Language::English : systemLanguage()));
  CLI::App app{
      tr("Haloscope: a microscope for GPU stencil and convolution kernels.\n"
         "Without a command it opens the window.")};
  app.formatter(std::make_shared<HelpText>());
  app.set_help_flag("-h,--help", tr("Print this help and exit"));
  app.set_version_flag("--version", std::string("haloscope ") + HALOSCOPE_VERSION, tr("Print the version and exit"));
  app.require_subcommand(0, 1);
  std::string kernelsFolder;
  app.add_option("--kernels", kernelsFolder, tr("Folder of kernels to use instead of the program's own"));
  std::string code;  // taken already
  app.add_option("--language", code, tr("Language of all texts: en or zh; without it, that of the system"));
  const std::vector<const CLI::Option*> ofTheProgram = std::as_const(app).get_options();
  CommandRun run = windowCommand.add(app);
  std::vector<const CLI::Option*> ofTheWindow = std::as_const(app).get_options();
  std::erase_if(ofTheWindow,
                [&](const CLI::Option* one) { return std::ranges::find(ofTheProgram, one) != ofTheProgram.end(); });
  for (const Command* command : commands()) {
    CLI::App* added = app.add_subcommand(command->name, tr(command->help));
    added->footer("");  // that of the window
    added->footer([name = std::string(command->name)] { return manualPointer(name); });
    added->callback([&run, itsRun = command->add(*added)] { run = itsRun; });
  }
  // Started by gpu::KernelProcess; not for users.
  const CLI::App* child = app.add_subcommand("kernel-process", "Run a kernel for another Haloscope")->group("");
  // Started by running::HostProcess; not for users.
  CLI::App* hostChild = app.add_subcommand(host::kHostCommand, "Run a program's host half for another Haloscope");
  hostChild->group("")->allow_extras();

  // Started by grading::judgeInProcess; not for users.
  CLI::App* handInChild = app.add_subcommand(grading::kGradeCommand, "Check one hand-in for another Haloscope");
  handInChild->group("");
  const std::shared_ptr<HandInCheck> handIn = addHandInCheck(*handInChild);

  // What follows -- is for the program that the command executes, whatever it looks like.
  const auto dashes = std::ranges::find(given, std::string_view("--"));
  const std::vector<std::string> arguments(dashes == given.end() ? dashes : dashes + 1, given.end());

  try {
    app.parse(static_cast<int>(dashes - given.begin()), given.data());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text, text);
      printLines(text.str());
      return ExitCode::Good;
    }
    throw InputError(trf("{}; --help lists the options", plainText(error, app)));
  }
  if (*child) { return static_cast<ExitCode>(gpu::serveKernelProcess()); }
  if (*hostChild) {
    return static_cast<ExitCode>(host::serveHost(host::HostLimits::fromArguments(hostChild->remaining())));
  }
  if (*handInChild) {
    if (!arguments.empty()) { giveArguments(*handInChild, arguments); }
    return checkHandIn(*handIn);
  }
  expectOnlyCommand(app, ofTheWindow);
  if (!arguments.empty()) { giveArguments(chosenCommand(app), arguments); }
  frontend::prepareCompiler();  // while the catalogue is read
  return run({openCatalogue(kernelsFolder), screen, chosen});
}

}  // namespace haloscope
