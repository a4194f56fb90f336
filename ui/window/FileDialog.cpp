#include "ui/window/FileDialog.h"

#include <imgui.h>
#include <misc/cpp/imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <string_view>
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
constexpr const char* kParent = "..";

/// For comparison: file names are found whatever case they are typed in.
std::string lowered(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

void FileDialog::show(const fs::path& folder) {
  std::error_code error;
  folder_ = fs::absolute(folder, error).lexically_normal();
  path_ = saving() ? (folder_ / fs::path(path_).filename()).string() : std::string();
  query_.clear();
  row_.reset();
  list(folder_);
}

void FileDialog::list(const fs::path& folder) {
  listed_ = folder;
  entries_.clear();
  if (listed_.has_relative_path()) { entries_.push_back({kParent, true}); }
  std::error_code error;
  for (fs::directory_iterator at(listed_, fs::directory_options::skip_permission_denied, error), end;
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
  std::ranges::sort(entries_, {}, [](const Entry& e) { return std::tuple(e.name != kParent, !e.folder, e.name); });
}

std::vector<FileDialog::Entry> FileDialog::matching() const {
  const std::string query = lowered(query_);
  std::vector<Entry> found;
  for (const Entry& entry : entries_) {
    if (query.empty() || (entry.name != kParent && lowered(entry.name).find(query) != std::string::npos)) {
      found.push_back(entry);
    }
  }
  const auto rank = [&](const Entry& entry) {
    const std::string name = lowered(entry.name);
    return std::pair(name != query, !name.starts_with(query));
  };
  if (!query.empty()) { std::ranges::stable_sort(found, {}, rank); }
  return found;
}

std::string FileDialog::completed() const {
  std::vector<Entry> found = matching();
  const std::string query = lowered(query_);
  const auto begins = [&](const Entry& entry) { return lowered(entry.name).starts_with(query); };
  if (std::ranges::any_of(found, begins)) { std::erase_if(found, std::not_fn(begins)); }
  std::erase_if(found, [](const Entry& entry) { return entry.name == kParent; });
  if (found.empty()) { return query_; }
  if (found.size() == 1) { return found.front().name + (found.front().folder ? "/" : ""); }
  std::string common = found.front().name;
  for (const Entry& entry : found) {
    const std::string one = lowered(common), other = lowered(entry.name);
    common.resize(static_cast<std::size_t>(std::ranges::mismatch(one, other).in1 - one.begin()));
  }
  return common.size() > query_.size() ? common : query_;
}

fs::path FileDialog::typed() const {
  const fs::path path = path_;
  return path.is_relative() ? folder_ / path : path;
}

void FileDialog::follow() {
  const fs::path path = typed();
  std::error_code error;
  const fs::path folder = path.parent_path().lexically_normal();
  if (folder != listed_ && fs::is_directory(folder, error)) { list(folder); }
  query_ = path.filename().string();
  moved_ = false;
  row_.reset();
  if (!saving() && !query_.empty() && !matching().empty()) { row_ = 0; }
}

int FileDialog::onKey(ImGuiInputTextCallbackData* data) {
  FileDialog& dialog = *static_cast<FileDialog*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const std::size_t begin = text.rfind('/') + 1;  // 0 without one
    dialog.path_ = text;
    dialog.follow();
    const std::string name = dialog.completed();
    data->DeleteChars(static_cast<int>(begin), data->BufTextLen - static_cast<int>(begin));
    data->InsertChars(static_cast<int>(begin), name.data(), name.data() + name.size());
    return 0;
  }
  // Taken by the field, the arrows up and down come as its history.
  const auto count = static_cast<std::ptrdiff_t>(dialog.matching().size());
  if (count == 0) { return 0; }
  const std::ptrdiff_t by = data->EventKey == ImGuiKey_UpArrow ? -1 : 1;
  const std::ptrdiff_t from = dialog.row_ ? static_cast<std::ptrdiff_t>(*dialog.row_) : by > 0 ? -1 : count;
  dialog.row_ = static_cast<std::size_t>((from + by + count) % count);
  dialog.moved_ = true;
  return 0;
}

void FileDialog::take(AppState& state, const fs::path& path) {
  std::error_code error;
  if (!saving() && fs::is_directory(path, error)) {
    show(path);
    focus_ = true;
    return;
  }
  if (shown_ == View::FileDialog::Open) {
    state.fileRequests.open = path;
  } else if (shown_ == View::FileDialog::SaveSession) {
    state.fileRequests.saveSession = isSession(path) ? path : fs::path(path) += kSessionEnding;
  } else {
    state.fileRequests.saveAs = path;
  }
  state.view.fileDialog = View::FileDialog::None;
}

void FileDialog::accept(AppState& state) {
  const std::vector<Entry> found = matching();
  std::error_code error;
  // What is typed in full is meant, also where the list has more that begins like it.
  const bool named = !path_.empty() && (saving() || fs::exists(typed(), error));
  if (row_ && *row_ < found.size() && (moved_ || !named)) {
    take(state, (listed_ / found[*row_].name).lexically_normal());
  } else if (!path_.empty()) {
    take(state, typed());
  }
}

void FileDialog::drawEntries(AppState& state, const Theme& theme) {
  const FontScope font(theme, Face::Mono, TextSize::Small);
  const std::vector<Entry> found = matching();
  std::optional<Entry> next;
  bool opened = false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Entry& entry = found[i];
    const std::string text = entry.folder ? entry.name + "/" : entry.name;
    const bool chosen = row_ ? i == *row_ : !entry.folder && typed() == listed_ / entry.name;
    if (ImGui::Selectable(text.c_str(), chosen, ImGuiSelectableFlags_AllowDoubleClick)) {
      next = entry;
      opened = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
    if (moved_ && chosen) { ImGui::SetScrollHereY(); }
  }
  if (found.empty()) { label(theme, theme.colours().textDim, trf("no file here has \"{}\" in its name", query_)); }
  if (!next) { return; }
  const fs::path path = (listed_ / next->name).lexically_normal();
  if (next->folder) {
    show(path);
    return;
  }
  path_ = path.string();
  row_.reset();
  moved_ = false;
  if (opened && !saving()) { take(state, path); }
}

bool FileDialog::drawPath() {
  if (std::exchange(focus_, false)) { ImGui::SetKeyboardFocusHere(); }
  ImGui::SetNextItemWidth(-1);
  constexpr ImGuiInputTextFlags kFlags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                                         ImGuiInputTextFlags_CallbackHistory;
  const bool entered = ImGui::InputTextWithHint("##path",
                                                shown_ == View::FileDialog::SaveSession
                                                    ? tr("path of a .halo file")
                                                    : tr("path of a .cu or .halo file, or drop one onto the window"),
                                                &path_, kFlags, onKey, this);
  if (ImGui::IsItemEdited()) { follow(); }
  return entered;
}

bool FileDialog::drawButtons(AppState& state, const Theme& theme) {
  const bool accepted = ImGui::Button(saving() ? tr("Save") : tr("Open"));
  ImGui::SameLine();
  if (ImGui::Button(tr("Cancel"))) { state.view.fileDialog = View::FileDialog::None; }
  ImGui::SameLine();
  std::error_code error;
  if (saving() && fs::exists(typed(), error)) {
    label(theme, theme.colours().halo, tr("replaces the file that is there"));
  } else if (!saving()) {
    label(theme, theme.colours().textDim, tr("Tab completes · ↑ ↓ choose · Esc closes"));
  }
  return accepted;
}

void FileDialog::drawFields(AppState& state, const Theme& theme) {
  label(theme, theme.colours().textDim, listed_.string(), Face::Mono);
  const float foot = 2 * ImGui::GetFrameHeightWithSpacing();
  if (ImGui::BeginChild("files", {0, ImGui::GetContentRegionAvail().y - foot}, ImGuiChildFlags_Borders)) {
    drawEntries(state, theme);
  }
  ImGui::EndChild();
  bool accepted = drawPath();
  accepted |= drawButtons(state, theme);
  if (accepted) { accept(state); }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) { state.view.fileDialog = View::FileDialog::None; }
}

void FileDialog::begin(const AppState& state) {
  std::error_code error;
  const auto copy = state.copies.find(state.choice.kernel);
  // Not in the folder of the program's own kernels, unless the user goes there.
  const bool own = copy != state.copies.end() && copy->second.opened;
  path_.clear();
  if (shown_ == View::FileDialog::SaveSession) {
    path_ = state.session.path.empty() ? "lecture.halo" : state.session.path.filename().string();
  } else if (saving() && copy != state.copies.end()) {
    path_ = copy->second.path.filename().string();
  }
  show(!folder_.empty() ? folder_ : own ? copy->second.path.parent_path() : fs::current_path(error));
  focus_ = true;
}

void FileDialog::draw(AppState& state, const Theme& theme) {
  const std::string title =
      std::string(state.view.fileDialog == View::FileDialog::Open ? tr("Open a kernel file or a session")
                                                                  : tr("Save as")) +
      "###file";
  const bool wanted = state.view.fileDialog != View::FileDialog::None;
  if (std::exchange(shown_, state.view.fileDialog) != state.view.fileDialog && wanted) {
    begin(state);
    ImGui::OpenPopup(title.c_str());
  }
  if (!state.view.folder.empty() && wanted) { show(std::exchange(state.view.folder, {})); }
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos({viewport->Pos.x + viewport->Size.x / 2, viewport->Pos.y + viewport->Size.y / 2},
                          ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({theme.px(520), theme.px(380)}, ImGuiCond_Appearing);
  const FontScope font(theme, Face::Sans, TextSize::Body);
  bool open = true;
  if (!ImGui::BeginPopupModal(
          title.c_str(), &open,
          ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse)) {
    state.view.fileDialog = View::FileDialog::None;
    return;
  }
  if (wanted) { drawFields(state, theme); }
  if (!open) { state.view.fileDialog = View::FileDialog::None; }
  if (state.view.fileDialog == View::FileDialog::None) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
}

}  // namespace haloscope::ui
