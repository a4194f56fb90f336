#include "lessons/LessonReader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <set>
#include <sstream>
#include <utility>

#include "catalogue/YamlReader.h"
#include "language/Text.h"
#include "lessons/Formula.h"
#include "lessons/Look.h"
#include "lessons/Markdown.h"

namespace haloscope::lessons {

namespace {

constexpr std::string_view kFence = "---";

/// The file: front matter between two lines of ---, then Markdown.
struct Parts {
  std::string front, body;
  int bodyLine = 1;
};

std::optional<Parts> divide(const std::string& text) {
  Parts parts;
  std::istringstream lines(text);
  std::string line;
  bool inside = false, closed = false;
  int number = 0;
  while (std::getline(lines, line)) {
    ++number;
    if (!line.empty() && line.back() == '\r') { line.pop_back(); }
    if (closed) {
      parts.body += line + '\n';
    } else if (line == kFence) {
      closed = std::exchange(inside, true);
      parts.bodyLine = number + 1;
    } else if (inside) {
      parts.front += line + '\n';
    } else if (!line.empty()) {
      return std::nullopt;
    }
  }
  if (!closed) { return std::nullopt; }
  return parts;
}

/// The values from which "again with other numbers" draws: [4, 16] is a range, "8 16 32" a list.
std::vector<std::string> drawnFrom(const YamlReader& yaml, const YAML::Node& node, const std::string& name) {
  std::vector<std::string> values;
  if (node.IsSequence()) {
    if (node.size() != 2) { yaml.fail(node, trf("again: {} is a range [least, most] or a list \"8 16 32\"", name)); }
    const std::int64_t least = yaml.integer(node[0], name), most = yaml.integer(node[1], name);
    if (least > most || most - least > 100'000) { yaml.fail(node, trf("again: {} is not a range", name)); }
    for (std::int64_t value = least; value <= most; ++value) { values.push_back(std::to_string(value)); }
    return values;
  }
  std::istringstream words(yaml.text(node, name));
  for (std::string value; words >> value;) { values.push_back(value); }
  if (values.empty()) { yaml.fail(node, trf("again: {} needs values", name)); }
  return values;
}

class Reader {
 public:
  /// `catalogue`: none for a page of the manual.
  Reader(Lesson& lesson, const Catalogue* catalogue)
      : lesson_(lesson),
        catalogue_(catalogue != nullptr ? *catalogue : noKernels()),
        ofManual_(catalogue == nullptr),
        markdown_(
            lesson,
            [this](const std::string& address) { return ofManual_ ? readPageLink(address) : readLink(address); },
            [this](const std::string& address) { return findPicture(address); },
            [this](Value& value, const LinkPairs& given) { readValue(value, given); },
            [this](const std::string& word, const std::string& text, int line) {
              return readFenced(word, text, line);
            }) {}

  void read(const std::string& text) {
    const std::optional<Parts> parts = divide(text);
    if (!parts) {
      markdown_.addProblem(1, tr("a lesson begins with its title, section and kernel between two lines of ---"));
      return;
    }
    attempt([&] {
      const YamlReader front(lesson_.path.string(), parts->front, 2);
      ofManual_ ? readPageFront(front) : readFront(front);
    });
    markdown_.read(parts->body, parts->bodyLine);
    checkFormulas();
  }

 private:
  static const Catalogue& noKernels() {
    static const Catalogue none;
    return none;
  }

  /// What one part of the file lacks costs that part alone.
  template <typename Do>
  bool attempt(Do read) {
    try {
      read();
      return true;
    } catch (const SourceError& error) { lesson_.problems.push_back(error); } catch (const InputError& error) {
      markdown_.addProblem(1, error.message());
    }
    return false;
  }

  /// Runs something that throws InputError; the error then names the place of `node`.
  template <typename Do>
  auto at(const YamlReader& yaml, const YAML::Node& node, Do act) {
    try {
      return act();
    } catch (const InputError& error) { yaml.fail(node, error.message()); }
  }

  void readFront(const YamlReader& yaml) {
    const YAML::Node& root = yaml.root();
    if (root["title"]) { lesson_.title = yaml.text(root["title"], "title"); }
    attempt([&] {
      yaml.expectKeys(root, tr("a lesson"),
                      {"title", "section", "rests_on", "minutes", "kernel", "with", "data", "block"});
    });
    lesson_.title = yaml.text(yaml.need(root, tr("a lesson"), "title"), "title");
    lesson_.section = yaml.text(yaml.need(root, tr("a lesson"), "section"), "section");
    if (root["minutes"]) { lesson_.minutes = static_cast<int>(yaml.integer(root["minutes"], "minutes")); }
    if (const YAML::Node list = root["rests_on"]) {
      if (!list.IsSequence()) { yaml.fail(list, tr("rests_on must be a list [...] of lessons")); }
      lesson_.restsOnLine = yaml.place(list).line;
      for (const auto& one : list) { lesson_.restsOn.push_back(yaml.text(one, "rests_on")); }
    }
    const YAML::Node kernel = yaml.need(root, tr("a lesson"), "kernel");
    const std::string id = yaml.text(kernel, "kernel");
    at(yaml, kernel, [&] { static_cast<void>(catalogue_.at(id)); });
    lesson_.setting.kernel = id;
    readSetting(yaml, lesson_.setting, {});
  }

  void readPageFront(const YamlReader& yaml) {
    const YAML::Node& root = yaml.root();
    yaml.expectKeys(root, tr("a page of the manual"), {"title", "section", "commands"});
    lesson_.title = yaml.text(yaml.need(root, tr("a page of the manual"), "title"), "title");
    lesson_.section = yaml.text(yaml.need(root, tr("a page of the manual"), "section"), "section");
    for (const auto& one : root["commands"]) { lesson_.commands.push_back(yaml.text(one, "commands")); }
  }

  /// The kernel, sizes, data and block of a block of the file, which must be able to be launched with them.
  void readSetting(const YamlReader& yaml, Setting& setting, const Setting& around) {
    const YAML::Node& root = yaml.root();
    if (const YAML::Node named = root["kernel"]) { setting.kernel = yaml.text(named, "kernel"); }
    const KernelFile& file = at(yaml, root["kernel"] ? root["kernel"] : root, [&]() -> const KernelFile& {
      return catalogue_.at(setting.kernel.empty() ? around.kernel : setting.kernel);
    });
    for (const char* word : {"with", "data"}) {
      const YAML::Node node = root[word];
      if (!node) { continue; }
      if (!node.IsMap()) { yaml.fail(node, trf("{} must be a list {{NAME: value}}", word)); }
      for (const auto& entry : node) {
        at(yaml, entry.first,
           [&] { assign(setting, yaml.text(entry.first, word), yaml.text(entry.second, word), file); });
      }
    }
    if (const YAML::Node block = root["block"]) {
      setting.block = at(yaml, block, [&] { return parsePlace(yaml.text(block, "block"), "block"); });
    }
    at(yaml, root["with"] ? root["with"] : root,
       [&] { static_cast<void>(file.configuration(file.bind(within(around, setting).with))); });
  }

  void readValue(Value& value, const LinkPairs& given) {
    if (lesson_.setting.kernel.empty()) { return; }  // a problem says so already
    const Setting& around = lesson_.setting;
    const KernelFile& file = catalogue_.at(value.setting.kernel.empty() ? around.kernel : value.setting.kernel);
    for (const auto& [name, text] : given) { assign(value.setting, name, text, file); }
    static_cast<void>(file.configuration(file.bind(within(around, value.setting).with)));
  }

  /// A page of the manual names others by their files, so that a browser finds them, too.
  static Link readPageLink(const std::string& address) {
    if (!address.ends_with(".md") || address.find('/') != std::string::npos) {
      throw InputError(tr("a link of the manual is another page of it, PAGE.md"));
    }
    Link link;
    link.kind = Link::Kind::Page;
    link.target = lessonId(address);
    return link;
  }

  std::filesystem::path findPicture(const std::string& address) const {
    if (!ofManual_) {
      throw InputError(tr("pictures are not shown in lessons; a `steps` block or a link shows the window"));
    }
    return (lesson_.path.parent_path() / address).lexically_normal();
  }

  Link readLink(const std::string& address) {
    Link link;
    const std::size_t colon = address.find(':');
    const std::string kind = address.substr(0, colon);
    const std::string rest = colon == std::string::npos ? std::string() : address.substr(colon + 1);
    if (kind == "window") {
      link.kind = Link::Kind::Window;
      link.target = rest;
      link.broken = lesson_.setting.kernel.empty();  // a problem says so already
      if (link.broken) { return link; }
      link.window = parseWindowLink(linkPairs(rest), catalogue_, lesson_.setting);
      return link;
    }
    if (kind == "http" || kind == "https") {
      link.target = address;
      return link;
    }
    link.kind = kind == "term"       ? Link::Kind::Term
                : kind == "lesson"   ? Link::Kind::Lesson
                : kind == "exercise" ? Link::Kind::Exercise
                                     : Link::Kind::Web;
    if (link.kind == Link::Kind::Web) {
      throw InputError(tr("a link is window:…, lesson:ID, term:WORD, exercise:ID or https:…"));
    }
    link.target = decodedLink(rest);
    return link;
  }

  Block readFenced(const std::string& word, const std::string& text, int line) {
    Block block;
    block.line = line;
    const bool question = word == "question";
    block.kind = question ? Block::Kind::Question : Block::Kind::Steps;
    block.index = question ? lesson_.questions.size() : lesson_.steps.size();
    if (lesson_.setting.kernel.empty()) {
      block.kind = Block::Kind::Problem;
      block.text = tr("This cannot be shown, since the lesson has no kernel.");
      return block;
    }
    const bool good = attempt([&] {
      const YamlReader yaml(lesson_.path.string(), text, line);
      if (question) {
        lesson_.questions.push_back(readQuestion(yaml));
        lesson_.questions.back().line = line;
      } else {
        lesson_.steps.push_back(readSteps(yaml));
        lesson_.steps.back().line = line;
      }
    });
    if (!good) {
      block.kind = Block::Kind::Problem;
      block.text = lesson_.problems.back().what();
    }
    return block;
  }

  /// A text of the block, as Markdown.
  Spans spansOf(const YamlReader& yaml, const YAML::Node& node, const std::string& what,
                std::optional<std::size_t> question) {
    return markdown_.readSpans(yaml.text(node, what), yaml.place(node).line, question);
  }

  /// {barrier: 1}, {at: "in_s[", thread: "0,0,0"}.
  LinkPairs readPlace(const YamlReader& yaml, const YAML::Node& node) {
    if (!node.IsMap()) {
      yaml.fail(node, tr("a place is {step: N}, {barrier: N}, {plane: N}, {at: TEXT} or {end: true}"));
    }
    LinkPairs pairs;
    for (const auto& entry : node) {
      pairs.emplace_back(yaml.text(entry.first, tr("a key of a place")), yaml.text(entry.second, tr("a place")));
    }
    return pairs;
  }

  /// A moment, and the thread whose reads are drawn, if there is one.
  WindowLink readMoment(const YamlReader& yaml, const char* word, const Setting& setting) {
    const YAML::Node node = yaml.need(yaml.root(), tr("a steps block"), word);
    const LinkPairs pairs = readPlace(yaml, node);
    return at(yaml, node, [&] { return parseWindowLink(pairs, catalogue_, setting); });
  }

  StepsBlock readSteps(const YamlReader& yaml) {
    const YAML::Node& root = yaml.root();
    yaml.expectKeys(root, tr("a steps block"), {"from", "to", "kernel", "with", "data", "block", "caption"});
    StepsBlock steps;
    readSetting(yaml, steps.setting, lesson_.setting);
    const Setting setting = within(lesson_.setting, steps.setting);
    const WindowLink from = readMoment(yaml, "from", setting);
    steps.from = from.moment;
    steps.thread = from.thread;
    steps.to = readMoment(yaml, "to", setting).moment;
    if (root["caption"]) { steps.caption = spansOf(yaml, root["caption"], "caption", {}); }
    return steps;
  }

  Question readQuestion(const YamlReader& yaml) {
    const YAML::Node& root = yaml.root();
    yaml.expectKeys(root, "a question",
                    {"id", "ask", "kind", "kernel", "with", "data", "block", "again", "answer", "tolerance", "unit",
                     "choices", "because", "look"});
    Question question;
    const std::size_t index = lesson_.questions.size();
    const YAML::Node id = yaml.need(root, tr("a question"), "id");
    question.id = yaml.text(id, "id");
    if (lesson_.findQuestion(question.id) != nullptr) {
      yaml.fail(id, trf("the lesson has a question \"{}\" already", question.id));
    }
    question.kind = readKind(yaml, yaml.need(root, tr("a question"), "kind"));
    readSetting(yaml, question.setting, lesson_.setting);
    question.ask = spansOf(yaml, yaml.need(root, tr("a question"), "ask"), "ask", index);
    question.because = spansOf(yaml, yaml.need(root, tr("a question"), "because"), "because", index);
    if (question.kind == Question::Kind::Choice) {
      readOptions(yaml, yaml.need(root, tr("a question of kind choice"), "choices"), question, index);
    } else {
      question.answer = yaml.text(yaml.need(root, tr("a question"), "answer"), "answer");
    }
    if (root["tolerance"]) { question.tolerance = yaml.number(root["tolerance"], "tolerance"); }
    if (root["unit"]) { question.unit = yaml.text(root["unit"], "unit"); }
    if (const YAML::Node again = root["again"]) { readAgain(yaml, again, question); }
    if (const YAML::Node look = root["look"]) {
      question.look = readPlace(yaml, look);
      at(yaml, look,
         [&] { static_cast<void>(lookOf(question, within(lesson_.setting, question.setting), catalogue_)); });
    }
    return question;
  }

  static Question::Kind readKind(const YamlReader& yaml, const YAML::Node& node) {
    const std::string kind = yaml.text(node, "kind");
    if (kind == "number") { return Question::Kind::Number; }
    if (kind == "choice") { return Question::Kind::Choice; }
    if (kind == "cells") { return Question::Kind::Cells; }
    if (kind == "line") { return Question::Kind::Line; }
    yaml.fail(node, trf("kind: {}: a question is of kind number, choice, cells or line", kind));
  }

  void readOptions(const YamlReader& yaml, const YAML::Node& node, Question& question, std::size_t index) {
    if (!node.IsSequence() || node.size() < 2) { yaml.fail(node, tr("choices must be a list of two or more")); }
    for (const auto& entry : node) {
      yaml.expectKeys(entry, tr("a choice"), {"text", "when"});
      question.options.push_back({spansOf(yaml, yaml.need(entry, tr("a choice"), "text"), "text", index),
                                  yaml.text(yaml.need(entry, tr("a choice"), "when"), "when")});
    }
  }

  void readAgain(const YamlReader& yaml, const YAML::Node& node, Question& question) {
    if (!node.IsMap()) { yaml.fail(node, tr("again must be a list {NAME: [least, most]}")); }
    const Setting around = within(lesson_.setting, question.setting);
    const KernelFile& file = catalogue_.at(around.kernel);
    for (const auto& entry : node) {
      const std::string name = yaml.text(entry.first, tr("a name in again"));
      std::vector<std::string> values = drawnFrom(yaml, entry.second, name);
      Setting drawn;
      at(yaml, entry.second, [&] {
        for (const std::string& value : values) { assign(drawn, name, value, file); }
      });
      if (drawn.free.contains(name) && !around.free.contains(name)) {
        yaml.fail(entry.first, trf("again: {} has no size, tunable or array \"{}\", and `with` gives the "
                                   "question no number of that name",
                                   file.id, name));
      }
      question.again[name] = std::move(values);
    }
  }

  void checkFormulas() {
    const auto check = [&](const std::string& tex, int line) {
      try {
        static_cast<void>(parseFormula(tex));
      } catch (const InputError& error) { markdown_.addProblem(line, error.message()); }
    };
    const auto checkSpans = [&](const Spans& spans, int line) {
      for (const Span& span : spans) {
        if (span.kind == Span::Kind::Formula || span.kind == Span::Kind::Display) { check(span.text, line); }
      }
    };
    for (const Block& block : lesson_.blocks) {
      if (block.kind == Block::Kind::Formula) { check(block.text, block.line); }
      checkSpans(block.spans, block.line);
      for (const auto& row : block.rows) {
        for (const Spans& cell : row) { checkSpans(cell, block.line); }
      }
    }
    for (const Question& question : lesson_.questions) {
      checkSpans(question.ask, question.line);
      checkSpans(question.because, question.line);
      for (const Option& option : question.options) { checkSpans(option.text, question.line); }
    }
    for (const StepsBlock& steps : lesson_.steps) { checkSpans(steps.caption, steps.line); }
  }

  Lesson& lesson_;
  const Catalogue& catalogue_;
  bool ofManual_;
  Markdown markdown_;
};

}  // namespace

std::string lessonId(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  const std::size_t dash = stem.find('-');
  const bool numbered = dash != std::string::npos && dash > 0 &&
                        std::all_of(stem.begin(), stem.begin() + static_cast<std::ptrdiff_t>(dash),
                                    [](char c) { return c >= '0' && c <= '9'; });
  return numbered ? stem.substr(dash + 1) : stem;
}

Lesson readLesson(const std::filesystem::path& path, const std::string& text, const Catalogue& catalogue) {
  Lesson lesson;
  lesson.path = path;
  lesson.id = lesson.title = lessonId(path);
  Reader(lesson, &catalogue).read(text);
  return lesson;
}

Lesson readPage(const std::filesystem::path& path, const std::string& text) {
  Lesson page;
  page.path = path;
  page.id = page.title = lessonId(path);
  Reader(page, nullptr).read(text);
  return page;
}

const Question* Lesson::findQuestion(const std::string& question) const {
  const auto found = std::ranges::find(questions, question, &Question::id);
  return found == questions.end() ? nullptr : &*found;
}

}  // namespace haloscope::lessons
