#include "commands/ExportedPage.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "commands/ChapterMaker.h"
#include "documents/SessionFile.h"
#include "experiment/Experiment.h"
#include "files/FileText.h"
#include "handout/Handout.h"
#include "language/Text.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"
#include "reports/Interruption.h"
#include "worksheet/Worksheet.h"

namespace haloscope {
namespace {

namespace fs = std::filesystem;

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

}  // namespace

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
      tr("Write a page that any browser opens without a network: the source, the block at every step, its values and "
         "the findings. The scenes of a session become its chapters"));
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
    ChapterOptions wanted;
    wanted.questions = options.questions || onPaper;
    wanted.notes = options.notes;
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
      worksheet::SheetOptions sheet;
      sheet.paper = options.paper == "letter" ? worksheet::Paper::Letter : worksheet::Paper::A4;
      sheet.solutions = options.solutions;
      sheet.version = HALOSCOPE_VERSION;
      sheet.seconds = seconds;
      sheet.fonts = assets / "fonts";
      bytes = worksheet::sheets(title, chapters, sheet);
    } else {
      bytes = handout::page(title, chapters, assets);
    }
    if (interruption.token().stop_requested()) { throw experiment::Cancelled(); }
    const std::string problem = replaceWhole(output, bytes);
    if (!problem.empty()) { throw InputError(problem); }
  } catch (const experiment::Cancelled&) { throw InputError(trf("interrupted: {} was not written", output.string())); }
  return ExitCode::Good;
}

}  // namespace haloscope
