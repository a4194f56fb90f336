#include "catalogue/YamlReader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <cstddef>
#include <istream>
#include <streambuf>
#include <string_view>
#include <utility>

#include "language/Text.h"

namespace haloscope {

HeaderReader::Comment HeaderReader::commentOf(const std::string& file, const std::string& text) {
  const std::size_t begin = text.find(kOpening);
  if (begin == std::string::npos) {
    throw SourceError(file, {1, 1, 1, 1}, tr("no header: a kernel file begins with a \"/* haloscope … */\" comment"));
  }
  const std::size_t end = text.find("*/", begin);
  if (end == std::string::npos) {
    throw SourceError(file, {1, 1, 1, 1}, tr("the header comment is not closed with */"));
  }
  const auto lines = [&](std::size_t to) {
    return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
  };
  const std::size_t body = begin + std::string_view(kOpening).size();
  return {.yaml = text.substr(body, end - body), .line = 1 + lines(begin), .firstCodeLine = 2 + lines(end)};
}

HeaderReader::HeaderReader(const std::string& file, const std::string& text)
    : HeaderReader(file, commentOf(file, text)) {}

HeaderReader::HeaderReader(const std::string& file, const Comment& comment)
    : YamlReader(file, comment.yaml, comment.line, static_cast<int>(std::string_view(kOpening).size())),
      firstCodeLine_(comment.firstCodeLine) {}

namespace {

/// Reads a text in pieces. Before yaml-cpp says what a bracket begins it keeps all tokens up to where that ends, 250
/// bytes for each: the text ends here early if there are too many since it last said anything.
class Pieces final : public std::streambuf {
 public:
  explicit Pieces(const std::string& text) : text_(text) {}

  void restart() { marks_ = 0; }
  [[nodiscard]] bool endedEarly() const { return marks_ > kMostMarks; }
  static constexpr std::size_t kMostMarks = 250'000;

 protected:
  int_type underflow() override {
    if (endedEarly() || at_ == text_.size()) { return traits_type::eof(); }
    piece_ = text_.substr(at_, kPiece);
    at_ += piece_.size();
    marks_ += static_cast<std::size_t>(std::ranges::count_if(
        piece_, [](char c) { return std::string_view("[]{},:?!&*\"'").find(c) != std::string_view::npos; }));
    setg(piece_.data(), piece_.data(), piece_.data() + piece_.size());
    return traits_type::to_int_type(piece_.front());
  }

 private:
  static constexpr std::size_t kPiece = 2048;
  const std::string& text_;
  std::string piece_;
  std::size_t at_ = 0, marks_ = 0;
};

/// Goes through a text before anything is built of it, and ends at what no text of this program has. An alias lets a
/// few lines stand for any number, and each value takes some hundred bytes.
class WithinLimits final : public YAML::EventHandler {
 public:
  explicit WithinLimits(Pieces& pieces) : pieces_(pieces) {}

  void OnDocumentStart(const YAML::Mark& /*mark*/) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { count(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    throw YAML::ParserException(mark, tr("an alias (*name) is not read: write what it stands for"));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                const std::string& /*value*/) override {
    count(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark);
  }
  void OnSequenceEnd() override { --depth_; }
  void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark);
  }
  void OnMapEnd() override { --depth_; }
  [[nodiscard]] const YAML::Mark& last() const { return last_; }

 private:
  static constexpr std::size_t kMostValues = 200'000;
  static constexpr int kMostDepth = 32;

  void count(const YAML::Mark& mark) {
    pieces_.restart();
    last_ = mark;
    if (++values_ > kMostValues) { throw YAML::ParserException(mark, trf("it has more than {} values", kMostValues)); }
  }
  void open(const YAML::Mark& mark) {
    count(mark);
    if (++depth_ > kMostDepth) { throw YAML::ParserException(mark, tr("it is nested too deeply")); }
  }

  Pieces& pieces_;
  YAML::Mark last_;
  std::size_t values_ = 0;
  int depth_ = 0;
};

YAML::Node loaded(const std::string& yaml) {
  Pieces pieces(yaml);
  std::istream stream(&pieces);
  WithinLimits limits(pieces);
  const auto expectWhole = [&] {
    if (!pieces.endedEarly()) { return; }
    throw YAML::ParserException(
        limits.last(),
        trf("after this, it has more than {} brackets, commas and other marks in one value", Pieces::kMostMarks));
  };
  try {
    YAML::Parser(stream).HandleNextDocument(limits);
  } catch (const YAML::Exception&) {
    expectWhole();
    throw;
  }
  expectWhole();
  return YAML::Load(yaml);
}

}  // namespace

YamlReader::YamlReader(std::string file, const std::string& yaml, int line, int columns)
    : file_(std::move(file)), line_(line), columns_(columns) {
  try {
    root_ = loaded(yaml);
  } catch (const YAML::Exception& error) {
    throw SourceError(file_, place(error.mark), trf("this is not valid YAML: {}", error.msg));
  }
  if (!root_.IsMap()) {
    throw SourceError(file_, {line_, 1, line_, 1}, tr("a list of \"key: value\" lines is needed here"));
  }
}

SourceRange YamlReader::place(const YAML::Mark& mark) const {
  if (mark.line < 0) { return {line_, 1, line_, 1}; }
  const int line = line_ + mark.line;
  const int column = mark.column + 1 + (mark.line == 0 ? columns_ : 0);
  return {line, column, line, column + 1};
}

void YamlReader::fail(const YAML::Node& node, const std::string& message) const {
  throw SourceError(file_, place(node), message);
}

void YamlReader::expectKeys(const YAML::Node& node, const std::string& what,
                            std::initializer_list<const char*> known) const {
  if (!node.IsMap()) { fail(node, trf("{} must be a list of \"key: value\"", what)); }
  for (const auto& entry : node) {
    const std::string word = text(entry.first, trf("a key of {}", what));
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      fail(entry.first, trf("unknown key \"{}\" in {}; known keys: {}", word, what, fmt::join(known, ", ")));
    }
  }
}

YAML::Node YamlReader::need(const YAML::Node& map, const std::string& what, const char* word) const {
  YAML::Node node = map[word];
  if (!node) { fail(map, trf("{} lacks the key \"{}\"", what, word)); }
  return node;
}

std::string YamlReader::text(const YAML::Node& node, const std::string& what) const {
  if (!node.IsScalar()) { fail(node, trf("{} must be one value", what)); }
  return node.as<std::string>();
}

std::int64_t YamlReader::integer(const YAML::Node& node, const std::string& what) const {
  try {
    return node.as<std::int64_t>();
  } catch (const YAML::Exception&) { fail(node, trf("{} must be an integer", what)); }
}

double YamlReader::number(const YAML::Node& node, const std::string& what) const {
  try {
    return node.as<double>();
  } catch (const YAML::Exception&) { fail(node, trf("{} must be a number", what)); }
}

Expression YamlReader::expression(const YAML::Node& node, const std::string& what) const {
  return Expression(text(node, what));
}

std::vector<Expression> YamlReader::expressions(const YAML::Node& node, const std::string& what,
                                                std::size_t count) const {
  if (!node.IsSequence() || (count != 0 && node.size() != count)) {
    fail(node, count == 0 ? trf("{} must be a list [...]", what) : trf("{} must be a list of {} values", what, count));
  }
  std::vector<Expression> list;
  for (const auto& entry : node) { list.push_back(expression(entry, what)); }
  return list;
}

}  // namespace haloscope
