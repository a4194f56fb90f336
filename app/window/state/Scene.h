#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/Experiment.h"
#include "language/Language.h"
#include "opening/OpenedFile.h"
#include "parts/SceneCamera.h"
#include "parts/Workspaces.h"
#include "questions/NamedPlaces.h"
#include "state/ComparedBlock.h"
#include "state/Playground.h"

namespace haloscope {

/// A text that a scene brings along: of a file of the user's own, or of a variant of the catalogue as it was edited.
struct SceneText {
  std::string kernel;  ///< the variant's id
  std::string file;    ///< an own file's name, "mine.cu"; empty: a variant of the catalogue
  std::string source;
  // Of an own file.
  std::map<std::string, std::string> headers{};  ///< that it includes, by path relative to it
  std::string entry{};                           ///< which of its kernels; empty: the first
  opening::LaunchOverrides launch{};             ///< as the user set it; no more of it
  std::vector<std::string> arguments{};          ///< of its main()
};
[[nodiscard]] bool sameText(const SceneText& a, const SceneText& b);

/// Scenes share texts; two of the same words are equal.
class SharedText {
 public:
  SharedText() = default;
  SharedText(std::shared_ptr<const SceneText> text) : text_(std::move(text)) {}
  const SceneText* operator->() const { return text_.get(); }
  const SceneText& operator*() const { return *text_; }
  bool operator==(std::nullptr_t) const { return text_ == nullptr; }
  bool operator==(const SharedText& other) const {
    if (text_ == nullptr || other.text_ == nullptr) { return text_ == other.text_; }
    return text_ == other.text_ || sameText(*text_, *other.text_);
  }

 private:
  std::shared_ptr<const SceneText> text_;
};

/// A stop of a lecture: what the window shows. What is not given stays as it is.
struct Scene {
  std::string title, note;  ///< the note is for the lecturer alone
  experiment::Choice choice{};
  std::vector<SharedText> texts{};  ///< of its variants; those of the others are the catalogue's
  std::optional<Dim3> thread{};
  Moment moment{};
  std::vector<std::int64_t> element{};  ///< of the output, slowest axis first
  std::optional<SceneCamera> camera{};
  std::optional<Workspace> workspace{};
  std::vector<Tab> panels{};  ///< in front there
  std::vector<Tab> hall{};    ///< fill the screen when it is presented; empty: the panel that the workspace is about
  std::string figure{};
  struct LessonPlace {
    std::string id;
    float scroll = 0;  ///< share of the page
    bool operator==(const LessonPlace&) const = default;
  };
  std::optional<LessonPlace> lesson{};
  std::optional<Language> language{};
  std::vector<std::string> compare{};  ///< further variants
  std::optional<LineUp> lineUp{};
  std::optional<double> speed{};  ///< of playing: 1 is the usual one
  std::optional<PlayPlace> play{};
  std::optional<std::size_t> launch{};  ///< of its program's launches the selected one, in their order
  bool operator==(const Scene&) const = default;
};

/// The scene whose place in the execution is shown as soon as it has been executed.
struct AwaitedScene {
  experiment::Choice choice{};           ///< that it made: it belongs to no other
  std::shared_ptr<const Scene> scene{};  ///< null: its place was shown
  bool launchSelected = false;           ///< of its program
  bool ofLesson = false;                 ///< what is wrong is said in the lesson
};

}  // namespace haloscope
