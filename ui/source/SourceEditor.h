#pragma once

#include <imgui.h>

#include <map>
#include <memory>
#include <string>

#include "state/AppState.h"
#include "ui/widgets/Theme.h"

namespace haloscope::ui {

/// The text of a kernel to type in, with the editor's own undo for each variant. What is typed goes into the variant's
/// WorkingCopy; a change of that text made elsewhere becomes one undoable change.
class SourceEditor {
 public:
  SourceEditor();
  ~SourceEditor();
  SourceEditor(const SourceEditor&) = delete;
  SourceEditor& operator=(const SourceEditor&) = delete;

  /// An item of that size, for the chosen variant, whose copy there is.
  void draw(AppState& state, const Theme& theme, ImVec2 size);

 private:
  struct Document;
  Document& documentOf(const WorkingCopy& copy);

  std::map<std::string, std::unique_ptr<Document>> documents_;  ///< by variant
  std::string shown_;                                           ///< the variant of the last frame; empty: none
  int frame_ = 0;                                               ///< ImGui's number of that frame
};

}  // namespace haloscope::ui
