#include "lessons/Markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include "language/Text.h"
#include "lessons/LessonMarks.h"
#include "program/Words.h"

namespace haloscope::lessons {

/// MD4C's events of one text.
class MarkdownEvents {
 public:
  MarkdownEvents(Markdown& reader, const std::string& text, int line, std::optional<std::size_t> question)
      : reader_(reader), lesson_(reader.lesson_), firstLine_(line), line_(line), question_(question) {
    const auto take = [this](Value value, const LinkPairs& given) {
      value.question = question_;
      try {
        reader_.values_(value, given);
      } catch (const InputError& error) {
        reader_.addProblem(value.line, trf("the value {{{{{}}}}}: {}", value.expression, error.message()));
      }
      lesson_.values.push_back(std::move(value));
      return lesson_.values.size() - 1;
    };
    text_ = marked(text, line, take, [this](int at, const std::string& problem) { reader_.addProblem(at, problem); });
  }

  void parse() {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES | MD_FLAG_LATEXMATHSPANS | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_COLLAPSEWHITESPACE;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
      return guarded(self, [&](MarkdownEvents& events) { return events.enterBlock(type, detail); });
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void* /*detail*/, void* self) {
      return guarded(self, [&](MarkdownEvents& events) { return events.leaveBlock(type); });
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
      return guarded(self, [&](MarkdownEvents& events) { return events.enterSpan(type, detail); });
    };
    parser.leave_span = [](MD_SPANTYPE type, void* /*detail*/, void* self) {
      return guarded(self, [&](MarkdownEvents& events) { return events.leaveSpan(type); });
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
      return guarded(self, [&](MarkdownEvents& events) { return events.addText(type, {text, size}); });
    };
    const int result = md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, this);
    if (thrown_) { std::rethrow_exception(thrown_); }
    if (result != 0) { reader_.addProblem(line_, tr("this Markdown cannot be read")); }
  }

  std::vector<Block> blocks;

 private:
  /// Nothing is thrown through MD4C, which is C: reading ends instead.
  template <typename Do>
  static int guarded(void* self, Do act) {
    auto& events = *static_cast<MarkdownEvents*>(self);
    try {
      return act(events);
    } catch (...) {
      events.thrown_ = std::current_exception();
      return -1;
    }
  }

  /// The line of the file in which a piece of the text stands.
  void noteLine(const char* at) {
    if (at < text_.data() || at > text_.data() + text_.size()) { return; }
    // Pieces come in the order of the text, but for a few: only what lies between two of them is counted.
    if (noted_ == nullptr || at < noted_) {
      noted_ = text_.data();
      notedLine_ = firstLine_;
    }
    while (const void* end = std::memchr(noted_, '\n', static_cast<std::size_t>(at - noted_))) {
      noted_ = static_cast<const char*>(end) + 1;
      ++notedLine_;
    }
    line_ = notedLine_;
  }

  Block& begin(Block::Kind kind) {
    Block block;
    block.kind = kind;
    block.level = static_cast<int>(lists_.size());
    block.quoted = quotes_ > 0;
    block.line = 0;
    if (itemBegins_ && !lists_.empty()) {
      block.marker = lists_.back() < 0 ? "•" : fmt::format("{}.", lists_.back()++);
      itemBegins_ = false;
    }
    blocks.push_back(std::move(block));
    return blocks.back();
  }

  /// Where spans go now; null outside anything that has text.
  Spans* target() {
    if (blocks.empty()) { return nullptr; }
    Block& block = blocks.back();
    if (block.kind != Block::Kind::Table) { return &block.spans; }
    return block.rows.empty() || block.rows.back().empty() ? nullptr : &block.rows.back().back();
  }

  int enterBlock(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        ++quotes_;
        break;
      case MD_BLOCK_UL:
        lists_.push_back(-1);
        break;
      case MD_BLOCK_OL:
        lists_.push_back(static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start));
        break;
      case MD_BLOCK_LI:
        itemBegins_ = true;
        break;
      case MD_BLOCK_H:
        begin(Block::Kind::Heading).level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
        break;
      case MD_BLOCK_P:
        begin(Block::Kind::Paragraph);
        break;
      case MD_BLOCK_CODE: {
        const MD_ATTRIBUTE& word = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang;
        fence_.assign(word.text == nullptr ? "" : word.text, word.size);
        code_.clear();
        codeLine_ = 0;
        inCode_ = true;
        break;
      }
      case MD_BLOCK_TABLE:
        begin(Block::Kind::Table);
        break;
      case MD_BLOCK_TR:
        blocks.back().rows.emplace_back();
        break;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD:
        blocks.back().rows.back().emplace_back();
        break;
      case MD_BLOCK_HTML:
        inHtml_ = true;
        html_.clear();
        break;
      case MD_BLOCK_DOC:
      case MD_BLOCK_HR:
      case MD_BLOCK_THEAD:
      case MD_BLOCK_TBODY:
        break;
    }
    return 0;
  }

  int leaveBlock(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_QUOTE:
        --quotes_;
        break;
      case MD_BLOCK_UL:
      case MD_BLOCK_OL:
        lists_.pop_back();
        break;
      case MD_BLOCK_P:
        displayFormulas();
        break;
      case MD_BLOCK_CODE:
        inCode_ = false;
        endCode();
        break;
      case MD_BLOCK_HTML:
        inHtml_ = false;
        if (!trimmed(html_).starts_with(kCommentBegin)) { refuseHtml(html_); }
        break;
      default:
        break;
    }
    return 0;
  }

  void endCode() {
    if (fence_ == "question" || fence_ == "steps") {
      blocks.push_back(reader_.fenced_(fence_, code_, codeLine_));
      return;
    }
    Block& block = begin(Block::Kind::Code);
    block.text = code_;
    block.marker = fence_;
    block.line = codeLine_;
  }

  int enterSpan(MD_SPANTYPE type, void* detail) {
    switch (type) {
      case MD_SPAN_EM:
        ++emphasised_;
        break;
      case MD_SPAN_STRONG:
        ++strong_;
        break;
      case MD_SPAN_A:
        beginLink(static_cast<MD_SPAN_A_DETAIL*>(detail)->href);
        break;
      case MD_SPAN_CODE:
        kind_ = Span::Kind::Code;
        break;
      case MD_SPAN_LATEXMATH:
      case MD_SPAN_LATEXMATH_DISPLAY:
        kind_ = Span::Kind::Formula;
        displayed_ = type == MD_SPAN_LATEXMATH_DISPLAY;
        formula_.clear();
        break;
      case MD_SPAN_IMG:
        beginPicture(static_cast<MD_SPAN_IMG_DETAIL*>(detail)->src);
        break;
      default:
        break;
    }
    return 0;
  }

  int leaveSpan(MD_SPANTYPE type) {
    switch (type) {
      case MD_SPAN_EM:
        --emphasised_;
        break;
      case MD_SPAN_STRONG:
        --strong_;
        break;
      case MD_SPAN_A:
        link_.reset();
        break;
      case MD_SPAN_CODE:
        kind_ = Span::Kind::Text;
        break;
      case MD_SPAN_IMG:
        endPicture();
        break;
      case MD_SPAN_LATEXMATH:
      case MD_SPAN_LATEXMATH_DISPLAY:
        kind_ = Span::Kind::Text;
        add({.kind = displayed_ ? Span::Kind::Display : Span::Kind::Formula, .text = formula_});
        break;
      default:
        break;
    }
    return 0;
  }

  void beginLink(const MD_ATTRIBUTE& href) {
    const std::string address(href.text == nullptr ? "" : href.text, href.size);
    noteLine(href.text);
    Link link;
    try {
      link = reader_.links_(address);
    } catch (const UserError& error) {
      link.broken = true;
      reader_.addProblem(line_, trf("the link \"{}\": {}", decodedLink(address), error.message()));
    }
    link.line = line_;
    link_ = lesson_.links.size();
    lesson_.links.push_back(std::move(link));
  }

  void beginPicture(const MD_ATTRIBUTE& source) {
    const std::string address(source.text == nullptr ? "" : source.text, source.size);
    noteLine(source.text);
    inPicture_ = true;
    shows_.clear();
    try {
      picture_ = reader_.pictures_(address).string();
    } catch (const UserError& error) {
      picture_.clear();
      reader_.addProblem(line_, error.message());
    }
  }

  /// A picture stands alone: in place of the paragraph that it begins.
  void endPicture() {
    inPicture_ = false;
    if (picture_.empty()) { return; }
    const bool begun = !blocks.empty() && blocks.back().kind == Block::Kind::Paragraph && blocks.back().spans.empty();
    Block& block = begun ? blocks.back() : begin(Block::Kind::Picture);
    block.kind = Block::Kind::Picture;
    block.line = line_;
    block.text = picture_;
    block.spans = {{.kind = Span::Kind::Text, .text = shows_}};
  }

  void refuseHtml(std::string_view html) {
    reader_.addProblem(line_, trf("\"{}\" is taken for HTML, which lessons do not have; write \\< or `code`",
                                  trimmed(html).substr(0, 40)));
  }

  int addText(MD_TEXTTYPE type, std::string_view text) {
    noteLine(text.data());
    if (inHtml_) {
      html_ += text;
      return 0;
    }
    if (inPicture_) {
      shows_ += text;
      return 0;
    }
    if (inCode_) {
      if (codeLine_ == 0) { codeLine_ = line_; }
      code_ += text;
      return 0;
    }
    switch (type) {
      case MD_TEXT_HTML:
        if (!text.starts_with(kCommentBegin)) { refuseHtml(text); }
        break;
      case MD_TEXT_BR:
        add({.kind = Span::Kind::Break});
        break;
      case MD_TEXT_SOFTBR:
        addWords(" ");
        break;
      case MD_TEXT_ENTITY:
        addWords(entity(text));
        break;
      case MD_TEXT_LATEXMATH:
        formula_ += text;
        break;
      default:
        addWords(text);
        break;
    }
    return 0;
  }

  static std::string_view entity(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kKnown = {
        {{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}, {"&nbsp;", "\xC2\xA0"}, {"&times;", "×"}}};
    for (const auto& [name, character] : kKnown) {
      if (text == name) { return character; }
    }
    return text;
  }

  /// Text with the values in it.
  void addWords(std::string_view text) {
    forEachPart(
        text, [this](std::string_view words) { add({.kind = kind_, .text = std::string(words)}); },
        [this](std::size_t value) { add({.kind = Span::Kind::Value, .value = value}); });
  }

  void add(Span span) {
    // The text of an item of a tight list comes without a paragraph.
    const bool loose = blocks.empty() || (!lists_.empty() && itemBegins_);
    if (loose || needsParagraph()) { begin(Block::Kind::Paragraph); }
    Spans* spans = target();
    if (spans == nullptr) { return; }
    if (blocks.back().line == 0) { blocks.back().line = line_; }
    span.strong = strong_ > 0;
    span.emphasised = emphasised_ > 0;
    span.link = link_;
    // Code comes in parts where a line of the source ends in it.
    const bool isWords = span.kind == Span::Kind::Text || span.kind == Span::Kind::Code;
    const bool joins = !spans->empty() && spans->back().kind == span.kind && isWords &&
                       spans->back().strong == span.strong && spans->back().emphasised == span.emphasised &&
                       spans->back().link == span.link;
    if (joins) {
      spans->back().text += span.text;
    } else {
      spans->push_back(std::move(span));
    }
  }

  /// After a list within an item, or a fenced block, text of a tight item goes on.
  [[nodiscard]] bool needsParagraph() const {
    const Block& last = blocks.back();
    const bool holdsText =
        last.kind == Block::Kind::Paragraph || last.kind == Block::Kind::Heading || last.kind == Block::Kind::Table;
    return !holdsText;
  }

  /// A formula between $$ stands alone: the paragraph that contains it is divided there.
  void displayFormulas() {
    if (blocks.empty() || blocks.back().kind != Block::Kind::Paragraph) { return; }
    Block whole = std::move(blocks.back());
    blocks.pop_back();
    Block part = whole;
    part.spans.clear();
    const auto flush = [&] {
      const bool empty = std::ranges::all_of(
          part.spans, [](const Span& span) { return span.kind == Span::Kind::Text && trimmed(span.text).empty(); });
      if (!empty) { blocks.push_back(part); }
      part.spans.clear();
    };
    for (Span& span : whole.spans) {
      if (span.kind != Span::Kind::Display) {
        part.spans.push_back(std::move(span));
        continue;
      }
      flush();
      Block formula = part;
      formula.kind = Block::Kind::Formula;
      formula.text = std::move(span.text);
      blocks.push_back(std::move(formula));
      part.marker.clear();
    }
    flush();
  }

  Markdown& reader_;
  Lesson& lesson_;
  std::string text_;
  int firstLine_, line_;
  const char* noted_ = nullptr;  ///< where the line of the piece that was noted last begins, in text_
  int notedLine_ = 0;
  std::optional<std::size_t> question_;
  std::exception_ptr thrown_;

  std::vector<int> lists_;   ///< open ones: the next number, or -1
  bool itemBegins_ = false;  ///< an item of a list whose marker is still to come
  int quotes_ = 0, strong_ = 0, emphasised_ = 0;
  Span::Kind kind_ = Span::Kind::Text;
  std::optional<std::size_t> link_;
  bool inCode_ = false, inHtml_ = false, inPicture_ = false, displayed_ = false;
  std::string fence_, code_, html_, formula_;
  std::string picture_, shows_;  ///< the file of a picture, and the words beside it
  int codeLine_ = 0;
};

void Markdown::read(const std::string& text, int line) {
  MarkdownEvents events(*this, text, line, std::nullopt);
  events.parse();
  lesson_.blocks.insert(lesson_.blocks.end(), std::make_move_iterator(events.blocks.begin()),
                        std::make_move_iterator(events.blocks.end()));
}

Spans Markdown::readSpans(const std::string& text, int line, std::optional<std::size_t> question) {
  MarkdownEvents events(*this, text, line, question);
  events.parse();
  Spans spans;
  for (const Block& block : events.blocks) {
    if (!spans.empty()) { spans.push_back({.kind = Span::Kind::Break}); }
    if (block.kind == Block::Kind::Formula) { spans.push_back({.kind = Span::Kind::Display, .text = block.text}); }
    spans.insert(spans.end(), block.spans.begin(), block.spans.end());
  }
  return spans;
}

void Markdown::addProblem(int line, const std::string& message) {
  lesson_.problems.emplace_back(lesson_.path.string(), SourceRange{line, 1, line, 1}, message);
}

}  // namespace haloscope::lessons
