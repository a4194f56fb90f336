#include "ui/window/FileDialog.h"

#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <system_error>
#include <tuple>
#include <utility>

#include "language/Text.h"
#include "state/Session.h"
#include "ui/widgets/Widgets.h"

namespace haloscope::ui {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostEntries = 500;

}  // namespace

void FileDialog::show(const fs::path& folder) {
  std::error_code error;
  folder_ = fs::absolute(folder, error).lexically_normal();
  entries_.clear();
  if (folder_.has_relative_path()) { entries_.push_back({"..", true}); }
  for (fs::directory_iterator at(folder_, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code unknown;
    const bool isFolder = at->is_directory(unknown);
    if (name.starts_with('.')) { continue; }
    const bool kernel = at->path().extension() == ".cu" && shown_ != View::FileDialog::SaveSession;
    const bool session = isSession(at->path()) && shown_ != View::FileDialog::SaveAs;
    if (!isFolder && !kernel && !session) { continue; }
    entries_.push_back({name, isFolder});
    if (entries_.size() == kMostEntries) { break; }
  }
  std::ranges::sort(entries_, {}, [](const Entry& e) { return std::tuple(e.name != "..", !e.folder, e.name); });
}

void FileDialog::drawEntries(const Theme& theme) {
  const FontScope font(theme, Face::Mono, TextSize::Small);
  fs::path next;
  for (const Entry& entry : entries_) {
    const std::string text = entry.folder ? entry.name + "/" : entry.name;
    if (!ImGui::Selectable(text.c_str(), !entry.folder && path_ == (folder_ / entry.name).string())) { continue; }
    if (entry.folder) {
      next = folder_ / entry.name;
    } else {
      path_ = (folder_ / entry.name).string();
    }
  }
  if (!next.empty()) { show(next); }
}

void FileDialog::accept(AppState& state) {
  if (path_.empty()) { return; }
  fs::path path = path_;
  if (path.is_relative()) { path = folder_ / path; }
  std::error_code error;
  if (shown_ == View::FileDialog::Open && fs::is_directory(path, error)) {
    show(path);
    return;
  }
  if (shown_ == View::FileDialog::Open) {
    state.fileRequests.open = path;
  } else if (shown_ == View::FileDialog::SaveSession) {
    if (!isSession(path)) { path += kSessionEnding; }
    state.fileRequests.saveSession = path;
  } else {
    state.fileRequests.saveAs = path;
  }
  state.view.fileDialog = View::FileDialog::None;
}

void FileDialog::draw(AppState& state, const Theme& theme) {
  const bool entered = shown_ != state.view.fileDialog;
  shown_ = state.view.fileDialog;
  if (shown_ == View::FileDialog::None) { return; }
  const bool scenes = shown_ == View::FileDialog::SaveSession;
  const bool saving = scenes || shown_ == View::FileDialog::SaveAs;
  if (entered) {
    std::error_code error;
    const auto copy = state.copies.find(state.choice.kernel);
    // Not in the folder of the program's own kernels, unless the user goes there.
    const bool own = copy != state.copies.end() && copy->second.opened;
    show(!folder_.empty() ? folder_ : own ? copy->second.path.parent_path() : fs::current_path(error));
    path_.clear();
    if (scenes) {
      path_ =
          (folder_ / (state.session.path.empty() ? "lecture.halo" : state.session.path.filename().string())).string();
    } else if (saving && copy != state.copies.end()) {
      path_ = (folder_ / copy->second.path.filename()).string();
    }
  }
  if (!state.view.folder.empty()) { show(std::exchange(state.view.folder, {})); }
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2, viewport->Pos.y + viewport->Size.y / 2},
                          ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({theme.px(520), theme.px(380)}, ImGuiCond_Appearing);
  const FontScope font(theme, Face::Sans, TextSize::Body);
  bool open = true;
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse;
  if (ImGui::Begin((std::string(saving ? tr("Save as") : tr("Open a kernel file or a session")) + "###file").c_str(),
                   &open, kFlags)) {
    label(theme, theme.colours().textDim, folder_.string(), Face::Mono);
    const float foot = 2 * ImGui::GetFrameHeightWithSpacing();
    if (ImGui::BeginChild("files", {0, ImGui::GetContentRegionAvail().y - foot}, ImGuiChildFlags_Borders)) {
      drawEntries(theme);
    }
    ImGui::EndChild();
    if (entered) { ImGui::SetKeyboardFocusHere(); }
    ImGui::SetNextItemWidth(-1);
    bool accepted = ImGui::InputTextWithHint(
        "##path", scenes ? tr("path of a .halo file") : tr("path of a .cu or .halo file, or drop one onto the window"),
        &path_, ImGuiInputTextFlags_EnterReturnsTrue);
    accepted |= ImGui::Button(saving ? tr("Save") : tr("Open"));
    ImGui::SameLine();
    if (ImGui::Button(tr("Cancel"))) { open = false; }
    std::error_code error;
    if (saving && fs::exists(path_, error)) {
      ImGui::SameLine();
      label(theme, theme.colours().halo, tr("replaces the file that is there"));
    }
    if (accepted) { accept(state); }
  }
  ImGui::End();
  if (!open) { state.view.fileDialog = View::FileDialog::None; }
}

}  // namespace haloscope::ui
