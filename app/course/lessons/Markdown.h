#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "lessons/Lesson.h"

namespace haloscope::lessons {

/// Reads Markdown into a lesson, with MD4C, which finds its structure. (The renderer that comes with it in Dear ImGui
/// Bundle, imgui_rich_md, is not used: it draws while it parses, in fonts of its own, so that neither a value that is
/// computed nor a question could stand in its text.)
class Markdown {
 public:
  /// What a fenced block `steps` or `question` becomes: its text begins in the given line of the file.
  using Fenced = std::function<Block(const std::string& word, const std::string& text, int line)>;
  /// Reads the target of a link. Throws InputError.
  using LinkReader = std::function<Link(const std::string& address)>;

  /// Finds a picture. Throws InputError.
  using PictureReader = std::function<std::filesystem::path(const std::string& address)>;

  /// Gives the setting of a value what stands behind its |. Throws InputError.
  using ValueReader = std::function<void(Value& value, const LinkPairs& given)>;

  Markdown(Lesson& lesson, LinkReader links, PictureReader pictures, ValueReader values, Fenced fenced)
      : lesson_(lesson),
        links_(std::move(links)),
        pictures_(std::move(pictures)),
        values_(std::move(values)),
        fenced_(std::move(fenced)) {}

  /// Appends the blocks of a text that begins in the given line of the file.
  void read(const std::string& text, int line);
  /// A text of one paragraph, as a question has it.
  [[nodiscard]] Spans readSpans(const std::string& text, int line, std::optional<std::size_t> question = {});

  /// A problem of the file, which is shown where it is.
  void addProblem(int line, const std::string& message);

 private:
  friend class MarkdownEvents;

  Lesson& lesson_;
  LinkReader links_;
  PictureReader pictures_;
  ValueReader values_;
  Fenced fenced_;
};

}  // namespace haloscope::lessons
