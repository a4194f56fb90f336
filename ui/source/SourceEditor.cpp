#include "ui/source/SourceEditor.h"

#include <TextEditor.h>

#include <algorithm>
#include <cstdint>

#include "frontend/CodeText.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace {

constexpr const char* kWindowsBreak = "\r\n";
constexpr std::size_t kTooltipColumns = 64;

TextEditor::Palette editorPalette(const Theme& theme) {
  using Color = TextEditor::Color;
  const Palette& colours = theme.colours();
  TextEditor::Palette palette;
  palette.fill(colours.text);
  const auto set = [&](Color colour, ImU32 value) { palette[static_cast<std::size_t>(colour)] = value; };
  set(Color::keyword, Theme::mixed(colours.textDim, colours.accent, 0.75F));
  set(Color::declaration, Theme::mixed(colours.text, colours.accent, 0.45F));
  set(Color::number, Theme::mixed(colours.text, colours.textDim, 0.35F));
  set(Color::string, Theme::mixed(colours.text, colours.textDim, 0.35F));
  set(Color::punctuation, Theme::mixed(colours.text, colours.textDim, 0.5F));
  set(Color::preprocessor, colours.textDim);
  set(Color::knownIdentifier, Theme::mixed(colours.text, colours.good, 0.55F));
  set(Color::comment, colours.textDim);
  set(Color::background, 0);
  set(Color::cursor, colours.activeText);
  set(Color::selection, theme.faded(colours.accent, 0.35F));
  set(Color::whitespace, theme.faded(colours.textDim, 0.4F));
  set(Color::matchingBracketBackground, theme.faded(colours.accent, 0.25F));
  set(Color::matchingBracketActive, colours.accent);
  for (const Color level : {Color::matchingBracketLevel1, Color::matchingBracketLevel2, Color::matchingBracketLevel3}) {
    set(level, Theme::mixed(colours.text, colours.textDim, 0.5F));
  }
  set(Color::matchingBracketError, colours.fault);
  set(Color::lineNumber, theme.faded(colours.textDim, 0.75F));
  set(Color::currentLineNumber, colours.text);
  set(Color::currentLineHighlight, theme.faded(colours.text, 0.05F));
  set(Color::currentLineHighlightBorder, 0);
  return palette;
}

/// C++ with CUDA's words.
TextEditor::Language cudaLanguage() {
  TextEditor::Language language = *TextEditor::Language::Cpp();
  language.name = "CUDA C++";
  for (const char* word : {"__global__", "__device__", "__host__", "__shared__", "__constant__", "__restrict__",
                           "__syncthreads", "__syncwarp", "threadIdx", "blockIdx", "blockDim", "gridDim"}) {
    language.identifiers.insert(word);
  }
  return language;
}

std::string withoutReturns(const std::string& text) {
  std::string plain = text;
  std::erase(plain, '\r');
  return plain;
}

std::string withReturns(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') { result += '\r'; }
    result += c;
  }
  return result;
}

// The editor's tooltips show text verbatim.
std::string wrapped(std::string text, std::size_t columns) {
  std::size_t begin = 0;
  while (text.size() - begin > columns) {
    const std::size_t blank = text.rfind(' ', begin + columns);
    if (blank == std::string::npos || blank <= begin) { break; }
    text[blank] = '\n';
    begin = blank + 1;
  }
  return text;
}

// Of the chosen file: which of its kernels is executed; empty where that is not known.
std::string kernelName(const AppState& state) {
  const KernelFile* file = state.catalogue.find(state.choice.kernel);
  return file != nullptr ? file->kernel : std::string();
}

}  // namespace

struct SourceEditor::Document {
  TextEditor::Language language = cudaLanguage();  // before the editor, which refers to it
  TextEditor editor;
  std::uint64_t revision = 0;  ///< of the copy, as the editor has it
  bool typed = false;          ///< the editor's text has changed since it was last read
  bool windowsBreaks = false;  ///< lines end as on Windows, and are to be kept so
  std::string marked;          ///< the message that marks a line
  int markedLine = 0;
};

SourceEditor::SourceEditor() = default;
SourceEditor::~SourceEditor() = default;

SourceEditor::Document& SourceEditor::documentOf(const WorkingCopy& copy) {
  std::unique_ptr<Document>& document = documents_[copy.id];
  if (document == nullptr) {
    document = std::make_unique<Document>();
    Document* made = document.get();
    TextEditor& editor = made->editor;
    editor.SetLanguage(&made->language);
    editor.SetTabSize(4);
    editor.SetInsertSpacesOnTabs(true);
    editor.SetShowWhitespacesEnabled(false);
    editor.SetShowScrollbarMiniMapEnabled(false);
    editor.SetWordWrapEnabled(true);  // the panel is narrow, and the end of a line is read as often as its beginning
    editor.SetCompletePairedGlyphs(false);  // what is typed is saved as it was typed
    editor.SetText(withoutReturns(copy.text));
    made->revision = copy.revision;
    made->windowsBreaks = copy.text.find(kWindowsBreak) != std::string::npos;
    editor.SetChangeCallback([made] { made->typed = true; });
  }
  return *document;
}

void SourceEditor::draw(AppState& state, const Theme& theme, ImVec2 size) {
  WorkingCopy& copy = state.copies.at(state.choice.kernel);
  Document& document = documentOf(copy);
  TextEditor& editor = document.editor;
  if (document.revision != copy.revision) {
    // Replaced rather than set, so that undo restores the previous text.
    const auto caret = editor.GetMainCursorPosition();
    editor.SelectAll();
    editor.ReplaceTextInCurrentCursor(withoutReturns(copy.text));
    editor.SetCursor(caret);
    document.revision = copy.revision;
    document.windowsBreaks = copy.text.find(kWindowsBreak) != std::string::npos;
    document.typed = false;
  }
  const bool entered = shown_ != copy.id || frame_ + 1 < ImGui::GetFrameCount();
  shown_ = copy.id;
  frame_ = ImGui::GetFrameCount();
  if (entered) {
    editor.SetFocus();
    const bool atKernel = state.editing.line <= 0;
    const int number = atKernel ? kernelLine(copy.text, kernelName(state)) : state.editing.line;
    const auto line = static_cast<std::size_t>(number - 1);
    editor.SetCursor({line, 0});
    if (atKernel) {
      editor.ScrollToLine(line - std::min<std::size_t>(line, 1), TextEditor::Scroll::alignTop);
    } else {
      editor.ScrollToLine(line);
    }
  }

  const bool marks = state.problem && state.problem->where.valid();
  const int line = marks ? state.problem->where.line : 0;
  const std::string message = marks ? state.problem->message : std::string();
  if (line != document.markedLine || message != document.marked) {
    editor.ClearMarkers();
    if (marks && static_cast<std::size_t>(line) <= editor.GetLineCount()) {
      const Palette& colours = theme.colours();
      editor.AddMarker(static_cast<std::size_t>(line - 1), theme.faded(colours.fault, 0.7F),
                       theme.faded(colours.fault, 0.22F), wrapped(message, kTooltipColumns),
                       wrapped(message, kTooltipColumns));
    }
    document.markedLine = line;
    document.marked = message;
  }

  editor.SetPalette(editorPalette(theme));
  const FontScope font(theme, Face::Mono, TextSize::Small);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  if (ImGui::BeginChild("editor", size)) {
    editor.Render("text", ImGui::GetContentRegionAvail());
    state.editing.focused = ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  state.editing.line = static_cast<int>(editor.GetMainCursorPosition().line) + 1;

  if (document.typed) {
    document.typed = false;
    const std::string text = editor.GetText();
    copy.setText(document.windowsBreaks ? withReturns(text) : text, true);
    state.session.changedLast = false;
    document.revision = copy.revision;
  }
}

}  // namespace haloscope::ui
