#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lessons/Setting.h"
#include "lessons/WindowLink.h"
#include "program/SourceLocation.h"
#include "questions/Origin.h"

/// A lesson of the course as its file has it: words, and what they ask of an execution. No answer is in the file. A
/// page of the manual is one that asks for nothing.
namespace haloscope::lessons {

/// A piece of a line of text.
struct Span {
  enum class Kind : std::uint8_t {
    Text,
    Code,
    Formula,  ///< TeX between $ and $
    Display,  ///< ... and between $$ and $$; in a paragraph it becomes a Block of its own
    Value,    ///< {{…}}, computed when the lesson is shown
    Break,    ///< the line ends here
  };
  Kind kind = Kind::Text;
  std::string text{};  ///< of a formula it may contain values: see withValues()
  bool strong = false, emphasised = false;
  std::optional<std::size_t> link{};  ///< index into Lesson::links
  std::size_t value = 0;              ///< index into Lesson::values
};
using Spans = std::vector<Span>;

/// {{EXPR}}, {{EXPR:.2f}}, {{EXPR|stencil/tiled N=16}}.
struct Value {
  std::string expression;
  std::string format;                   ///< ".2f", "%", or empty
  Setting setting;                      ///< what it says of it, within the lesson's or the question's
  std::optional<std::size_t> question;  ///< that it stands in
  int line = 0;
};

/// What stands for a Value once it is computed.
struct ShownValue {
  std::string text;            ///< "?" if it cannot be computed
  questions::Origins origins;  ///< where it comes from
  std::string missing;         ///< what it needs and this machine lacks; empty: nothing
};

struct Link {
  enum class Kind : std::uint8_t { Window, Term, Lesson, Exercise, Page, Web };
  Kind kind = Kind::Web;
  std::string target;   ///< of the term, lesson, exercise or page; the address; of Kind::Window as written
  WindowLink window;    ///< of Kind::Window
  bool broken = false;  ///< one of Lesson::problems says why
  int line = 0;
};

/// One of the answers that a question offers.
struct Option {
  Spans text;
  std::string when;  ///< exactly one option's expression is true when executed
};

/// A question whose answer is executed.
struct Question {
  enum class Kind : std::uint8_t { Number, Choice, Cells, Line };
  std::string id;
  Kind kind = Kind::Number;
  Spans ask, because;
  Setting setting;                                        ///< what it says of it, within the lesson's
  std::map<std::string, std::vector<std::string>> again;  ///< values from which other numbers are drawn, by name
  std::string answer;                                     ///< expression, name of a set of cells or of lines
  std::optional<double> tolerance;                        ///< relative; none: see questions::agrees()
  std::string unit;
  std::vector<Option> options;
  LinkPairs look;  ///< where a wrong answer sends the reader, as written; may contain {{…}}
  int line = 0;
};

/// A small animation of real steps.
struct StepsBlock {
  Setting setting;  ///< what it says of it, within the lesson's
  Moment from, to;
  std::optional<Dim3> thread;  ///< whose reads are drawn; none: the middle one of the block
  Spans caption;
  int line = 0;
};

/// Something that stands below what was before it.
struct Block {
  enum class Kind : std::uint8_t { Heading, Paragraph, Code, Formula, Table, Picture, Steps, Question, Problem };
  Kind kind = Kind::Paragraph;
  int level = 0;       ///< of a heading, from 1; of a paragraph: of how many lists it is an item
  std::string marker;  ///< "•" or "2.", of an item's first paragraph
  bool quoted = false;
  Spans spans;                             ///< of a picture: what it shows
  std::string text;                        ///< of code, of a displayed formula, of a problem; the path of a picture
  std::vector<std::vector<Spans>> rows{};  ///< of a table; the first is its head
  std::size_t index = 0;                   ///< into Lesson::steps or ::questions
  int line = 0;
};

struct Lesson {
  std::string id;  ///< "tiles-and-halos": the file's name without number and ending
  std::filesystem::path path;
  std::string language;  ///< of its words: "en"
  std::string title,
      section;  ///< "7.4"; "beyond" where the book has none; of the manual: the heading it is listed under
  std::vector<std::string> commands{};  ///< of a page of the manual: those that it explains
  std::vector<std::string> restsOn;
  int restsOnLine = 1;
  int minutes = 0;
  Setting setting;
  std::vector<Block> blocks;
  std::vector<Link> links;
  std::vector<Value> values;
  std::vector<Question> questions;
  std::vector<StepsBlock> steps;
  /// What is wrong with the file. The rest of the lesson is shown all the same.
  std::vector<SourceError> problems;

  [[nodiscard]] const Question* findQuestion(const std::string& question) const;
};

}  // namespace haloscope::lessons
