#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "commands/Command.h"
#include "commands/ManualPages.h"
#include "language/Text.h"
#include "lessons/LessonText.h"
#include "program/SourceLocation.h"
#include "text/Print.h"

/// `haloscope help`: the manual on a terminal.
namespace haloscope {
namespace {

void listPages(const lessons::Course& manual) {
  std::string section;
  for (const lessons::Lesson& page : manual.lessons) {
    if (page.section != section) {
      if (!section.empty()) { printText("\n"); }
      printText("{}\n", page.section);
      section = page.section;
    }
    printText("  {:<16} {}\n", page.id, page.title);
  }
  printText("\n{}\n", tr("haloscope help TOPIC prints one of them, and F1 in the window opens them all."));
}

ExitCode help(const std::string& topic) {
  const lessons::Course manual = readManual();
  if (manual.lessons.empty()) { throw InputError(trf("there is no manual in {}", manual.folder.string())); }
  if (topic.empty()) {
    listPages(manual);
    return ExitCode::Good;
  }
  printLines(lessons::plainPage(pageAt(manual, topic)));
  return ExitCode::Good;
}

CommandRun addHelp(CLI::App& command) {
  const auto topic = std::make_shared<std::string>();
  command.add_option("TOPIC", *topic, tr("A page of the manual, or a command; without it all pages are listed"));
  return [topic](const CommandContext& /*context*/) { return help(*topic); };
}

}  // namespace

extern const Command helpCommand{"help", trMark("Print a page of the manual"), addHelp};

}  // namespace haloscope
