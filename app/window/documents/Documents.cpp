#include "documents/Documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "actions/Choices.h"
#include "actions/SessionActions.h"
#include "actions/StartPageActions.h"
#include "documents/SessionFile.h"
#include "files/FileText.h"
#include "language/Text.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

// Typed text is on the disk within a second, without a write for every key.
constexpr auto kKeepAfter = std::chrono::milliseconds(400);

// Of sessions in the recovery folder, which belong to no variant.
constexpr const char* kSessionId = "session ";

std::string newSessionId() {
  return kSessionId + std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
}

// What is written of a session.
Session scenesOf(const Session& session) { return Session{.path = session.path, .scenes = session.scenes}; }

WorkingCopy copyOf(const KernelFile& file) {
  WorkingCopy copy{.id = file.id, .path = file.path};
  copy.text = copy.fileText = file.text;
  return copy;
}

// The working copy of the variant on screen, made when the variant is first shown.
WorkingCopy* currentCopy(AppState& state) {
  const auto known = state.copies.find(state.choice.kernel);
  if (known != state.copies.end()) { return &known->second; }
  const KernelFile* file = state.catalogue.find(state.choice.kernel);
  return file == nullptr ? nullptr : &state.copies.emplace(file->id, copyOf(*file)).first->second;
}

void say(AppState& state, std::string message, bool failed) {
  state.editing.message = std::move(message);
  state.editing.failed = failed;
}

// Another program has changed the file.
void meet(AppState& state, WorkingCopy& copy, const std::string& text) {
  if (text == copy.fileText && !copy.outside) { return; }
  if (copy.text == text || !copy.changed()) {
    copy.setText(text);
    copy.fileText = text;
    copy.outside.reset();
    say(state, trf("{} was changed by another program; this is its text", copy.path.filename().string()), false);
  } else {
    copy.outside = text;
  }
}

}  // namespace

Documents::Documents(AppState& state, const fs::path& memory, std::function<void()> wake)
    : keeps_(!memory.empty()),
      sessionId_(newSessionId()),
      keeper_(memory.empty() ? fs::path() : memory / "recovery", std::move(wake)) {
  for (const MemoryKind* kind :
       {&kLaunchMemory, &kLabMemory, &kLessonMemory, &kMakeMemory, &kViewMemory, &kRecentMemory}) {
    std::string setAside;
    memories_.emplace_back(*kind, memory, setAside).restore(state);
    if (!setAside.empty()) { state.editing.notices.push_back(std::move(setAside)); }
  }
  const bool opened = !state.session.scenes.empty();
  restoreFound(state);
  if (opened) { goToScene(state, state.session.current); }  // rather than a text that was found
  if (const auto text = std::exchange(state.fileRequests.text, std::nullopt)) { openText(state, *text); }
}

void Documents::restoreFound(AppState& state) {
  for (const WorkingCopy& found : keeper_.found()) {
    if (restoreSession(state, found)) { continue; }
    const KernelFile* file = state.catalogue.find(found.id);
    if (const KernelFile* task = taskKernel(state, found.id); file == nullptr && task != nullptr) {
      state.catalogue.put(*task);
      file = state.catalogue.find(found.id);
    }
    if (file == nullptr) {
      if (!found.opened) { continue; }  // not in this catalogue; the text stays in the recovery folder
      KernelFile variant = openedVariant(state.catalogue, found.path);
      variant.id = found.id;
      state.catalogue.put(std::move(variant));
      file = state.catalogue.find(found.id);
    }
    WorkingCopy copy = found;
    if (!file->text.empty()) {
      copy.path = file->path;
      // The file may have changed since: then the user chooses between the two texts.
      if (file->text != found.fileText && file->text != found.text) { copy.outside = file->text; }
    }
    ++copy.revision;
    kept_[copy.id] = copy.revision;  // the keeper already has it
    if (copy.opened) { state.launches[copy.id] = rememberedLaunch(launches(), copy.path); }
    state.copies.insert_or_assign(copy.id, std::move(copy));
    state.editing.found.push_back(found.id);
  }
  if (!state.editing.found.empty()) { state.choice = {state.editing.found.back(), {}, std::nullopt}; }
}

void Documents::openText(AppState& state, const fs::path& path, const std::string& text) {
  const auto& kernels = state.catalogue.kernels();
  const auto known = std::ranges::find(kernels, path, &KernelFile::path);
  const KernelFile variant = known == kernels.end() ? openedVariant(state.catalogue, path) : *known;
  if (known == kernels.end()) { state.catalogue.put(variant); }
  const std::string& id = variant.id;
  WorkingCopy& copy = state.copies[id];
  if (copy.id.empty()) {
    copy.id = id;
    copy.path = path;
    copy.opened = variant.isOpened();
    copy.text = copy.fileText = text;
    ++copy.revision;
  } else {
    meet(state, copy, text);
  }
  if (copy.opened && !state.launches.contains(id)) { state.launches[id] = rememberedLaunch(launches(), path); }
  if (state.choice.kernel != id) { state.choice = {id, {}, std::nullopt}; }
  if (copy.opened) { state.selection.showFirstFinding = id; }
}

void Documents::openText(AppState& state, const OpenedText& opened) {
  openText(state, opened.path, opened.text);
  if (opened.overrides.empty() && opened.kernel.empty()) { return; }
  OpenedLaunch& launch = state.launches[state.choice.kernel];
  launch.overrides = opened.overrides;
  launch.kernel = opened.kernel;
  ++launch.revision;
}

void Documents::receive(AppState& state, const TextKeeper::Event& event) {
  using Kind = TextKeeper::Event::Kind;
  if (receiveSession(state, event)) { return; }
  if (event.kind == Kind::Opened) {
    openText(state, event.path, event.text);
    return;
  }
  if (event.kind == Kind::IsFolder) {
    state.view.folder = state.program.folder = event.path;
    state.view.fileDialog = View::FileDialog::Open;
    return;
  }
  if (event.kind == Kind::NotOpened) {
    state.problem = Problem{event.problem, {}, {}};
    return;
  }
  if (event.kind == Kind::SetAside) {
    state.editing.notices.push_back(event.problem);
    return;
  }
  if (event.kind == Kind::NotSaved) { say(state, event.problem, true); }
  for (auto& [id, copy] : state.copies) {
    if (copy.path != event.path) { continue; }
    if (event.kind == Kind::ChangedOutside) { meet(state, copy, event.text); }
    if (event.kind == Kind::Saved) {
      copy.fileText = event.text;
      copy.outside.reset();
      say(state, trf("saved in {}", event.path.string()), false);
      kept_.erase(id);  // there is nothing to keep any more
    }
  }
}

void Documents::save(AppState& state, WorkingCopy& copy) {
  copy.typing = false;
  if (!copy.opened) {
    say(state,
        tr("kept as your working copy; the file that ships with the program is unchanged (use Save as… to write a "
           "file)"),
        false);
    keepTyped(state, true);
  } else if (copy.outside) {
    say(state, tr("not saved: the file has changed as well; choose one of the two texts first"), true);
  } else {
    keeper_.save(copy.path, copy.text, copy.fileText);
  }
}

void Documents::saveSession(AppState& state, const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error).lexically_normal();
  if (isShipped(state, absolute)) {
    const std::string name = absolute.filename().string();
    state.problem = Problem{trf("{} comes with Haloscope: save the scenes under another name", name), {}, {}};
    return;
  }
  sessionSave_ = {absolute, state.session.revision};
  // Another file of that name may be replaced: the dialog said so.
  const bool same = absolute == state.session.path;
  keeper_.save(absolute, scenesOf(state.session), same ? std::optional(state.session.fileText) : std::nullopt);
}

bool Documents::receiveSession(AppState& state, const TextKeeper::Event& event) {
  using Kind = TextKeeper::Event::Kind;
  if (event.kind == Kind::Kept || event.kind == Kind::NotKept) {
    const bool kept = event.kind == Kind::Kept;
    if (!kept && sessionNotKept_ == 0) {
      state.editing.notices.push_back(trf("The scenes would be lost if Haloscope ended now: {}", event.problem));
    }
    sessionKept_ = kept ? event.revision : sessionKept_;
    sessionNotKept_ = kept ? 0 : event.revision;
    return true;
  }
  if (!isSession(event.path)) { return false; }
  if (event.kind == Kind::Opened) {
    nextSession_ = std::move(*event.session);
    return true;
  }
  if (event.kind == Kind::NotSaved) {
    state.problem = Problem{event.problem, {}, {}};
  } else if (event.kind == Kind::ChangedOutside) {
    state.problem =
        Problem{trf("{} was changed by another program and is not replaced: save the scenes under another name",
                    event.path.filename().string()),
                {},
                {}};
  } else if (event.kind == Kind::Saved) {
    if (!sessionSave_ || sessionSave_->path != event.path) { return true; }
    state.session.path = event.path;
    state.session.fileText = event.text;
    state.session.saved = sessionSave_->revision;
    state.session.message = trf("{} scenes saved in {}", state.session.scenes.size(), event.path.string());
  } else {
    return false;
  }
  sessionSave_.reset();
  return true;
}

void Documents::changeSession(AppState& state) {
  if (!nextSession_) { return; }
  const Session& session = state.session;
  const bool unsaved = session.changed() && !session.scenes.empty();
  const auto is = [&](std::uint64_t revision) { return revision == session.revision; };
  if (unsaved && keeps_ && !is(sessionKept_) && !is(sessionNotKept_)) {
    keepSession(state, true);
    return;  // the keeper says what came of it
  }
  ReadSession next = *std::exchange(nextSession_, std::nullopt);
  if (unsaved && !is(sessionKept_)) {
    state.problem =
        Problem{tr("The scenes on screen are not saved and could not be kept: save or delete them first."), {}, {}};
    return;
  }
  if (unsaved) {
    state.editing.notices.emplace_back(
        tr("The scenes that were not saved are kept: they are back when Haloscope is started again."));
    sessionId_ = newSessionId();
  }
  sessionToKeep_ = sessionKept_ = sessionNotKept_ = 0;
  addFiles(next.session, next.files, state);
  openSession(state, std::move(next.session));
}

// The scenes of a session as a text in the recovery folder, until they are saved.
void Documents::keepSession(AppState& state, bool now) {
  const Session& session = state.session;
  const std::uint64_t wanted = session.changed() && !session.scenes.empty() ? session.revision : 0;
  if (!keeps_ || wanted == sessionToKeep_) {
    sessionKeepAt_.reset();
    return;
  }
  const Clock::time_point time = Clock::now();
  if (!sessionKeepAt_) { sessionKeepAt_ = time + kKeepAfter; }
  if (!now && wanted != 0 && time < *sessionKeepAt_) { return; }
  sessionKeepAt_.reset();
  sessionToKeep_ = wanted;
  WorkingCopy copy{.id = sessionId_, .path = session.path};
  copy.text = copy.fileText = session.fileText;
  copy.revision = wanted;
  if (wanted != 0) {
    keeper_.keep(copy, scenesOf(session));
  } else {
    sessionKept_ = sessionNotKept_ = 0;
    keeper_.keep(copy);
  }
}

bool Documents::restoreSession(AppState& state, const WorkingCopy& found) {
  if (!found.id.starts_with(kSessionId)) { return false; }
  if (!state.session.scenes.empty()) {
    const bool restored = sessionToKeep_ != 0;  // those of another run
    state.editing.notices.emplace_back(
        restored
            ? tr("Other scenes that an earlier run left unsaved are kept: save or delete these, and start Haloscope "
                 "again to see them.")
            : tr("Scenes that an earlier run left unsaved are kept: start Haloscope without a session to see them."));
    return true;
  }
  try {
    Session session = readSession(found.path, found.text);
    unpack(session, state);
    session.fileText = found.fileText;
    session.revision = 1;
    session.listed = true;
    state.session = std::move(session);
    sessionId_ = found.id;
    sessionToKeep_ = sessionKept_ = 1;  // the keeper already has it
    state.editing.notices.emplace_back(
        tr("The list of scenes has those that an earlier run left unsaved. Save them, or delete them."));
  } catch (const UserError& problem) { state.editing.notices.emplace_back(problem.what()); }
  return true;
}

void Documents::decideConflict(AppState& state, WorkingCopy& copy) {
  const bool mine = std::exchange(state.fileRequests.keepMine, false);
  const bool outside = std::exchange(state.fileRequests.takeOutside, false);
  if (!copy.outside || (!mine && !outside)) { return; }
  copy.fileText = *copy.outside;
  if (outside) { copy.setText(*copy.outside); }
  copy.outside.reset();
  kept_.erase(copy.id);
}

void Documents::decideFound(AppState& state) {
  const bool discard = std::exchange(state.fileRequests.discardFound, false);
  const bool keep = std::exchange(state.fileRequests.keepFound, false);
  if (!discard && !keep) { return; }
  for (const std::string& id : std::exchange(state.editing.found, {})) {
    const auto copy = state.copies.find(id);
    if (discard && copy != state.copies.end()) { copy->second.setText(copy->second.fileText); }
  }
}

void Documents::carryOutRequests(AppState& state) {
  FileRequests& requests = state.fileRequests;
  if (const auto path = std::exchange(requests.open, std::nullopt)) { keeper_.open(*path); }
  if (const auto path = std::exchange(requests.saveSession, std::nullopt)) { saveSession(state, *path); }
  if (std::exchange(requests.newSession, false)) { nextSession_ = ReadSession{}; }
  decideFound(state);
  WorkingCopy* copy = currentCopy(state);
  if (copy == nullptr) { return; }
  decideConflict(state, *copy);
  if (std::exchange(requests.revert, false)) { copy->setText(copy->fileText); }
  if (std::exchange(requests.save, false)) { save(state, *copy); }
  if (const auto path = std::exchange(requests.saveAs, std::nullopt)) {
    keeper_.save(*path, copy->text, std::nullopt);
    keeper_.open(*path);
  }
  if (watched_ != copy->path) {
    watched_ = copy->path;
    keeper_.watch(copy->path, copy->fileText);
  }
}

void Documents::keepTyped(AppState& state, bool now) {
  const auto isNew = [&](const auto& entry) { return kept_[entry.first] != entry.second.revision; };
  if (std::ranges::none_of(state.copies, isNew)) {
    keepAt_.reset();
    return;
  }
  const Clock::time_point time = Clock::now();
  if (!keepAt_) { keepAt_ = time + kKeepAfter; }
  if (!now && time < *keepAt_) { return; }
  keepAt_.reset();
  for (const auto& [id, copy] : state.copies) {
    if (std::exchange(kept_[id], copy.revision) != copy.revision) { keeper_.keep(copy); }
  }
}

void Documents::remember(AppState& state) {
  if (keeps_) { noteRecent(state); }
  for (Memory& memory : memories_) {
    if (auto change = memory.changed(state)) { keeper_.remember(*std::move(change)); }
  }
}

void Documents::update(AppState& state) {
  for (const TextKeeper::Event& event : keeper_.poll()) { receive(state, event); }
  carryOutRequests(state);
  changeSession(state);
  keepTyped(state, false);
  keepSession(state, false);
  remember(state);
}

void Documents::settle(AppState& state) {
  carryOutRequests(state);
  keepTyped(state, true);
  keepSession(state, true);
  remember(state);
  do {
    keeper_.finish();
    update(state);
  } while (nextSession_);
}

double Documents::secondsToNextKeep() const {
  double seconds = std::numeric_limits<double>::infinity();
  for (const auto& at : {keepAt_, sessionKeepAt_}) {
    if (at) { seconds = std::min(seconds, std::max(0.0, std::chrono::duration<double>(*at - Clock::now()).count())); }
  }
  return seconds;
}

}  // namespace haloscope
