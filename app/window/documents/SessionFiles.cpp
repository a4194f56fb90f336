#include "documents/SessionFiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <system_error>
#include <utility>

#include "actions/Choices.h"
#include "files/FileText.h"
#include "language/Text.h"
#include "program/ResourceFolder.h"
#include "program/SourceLocation.h"

namespace haloscope {

namespace fs = std::filesystem;

namespace {

/// The path of an own file of the session, which it has from now on.
fs::path writeFile(const SceneText& text) {
  std::string all = text.file + '\0' + text.source;
  for (const auto& [name, content] : text.headers) { all += '\0' + name + '\0' + content; }
  const fs::path cache = cacheFolder();
  if (cache.empty()) {
    throw InputError(trf("{} cannot be unpacked: neither XDG_CACHE_HOME nor HOME is set", text.file));
  }
  // A file that was unpacked before and has been edited and saved since is the user's: it is not replaced.
  const auto isOurs = [&](const fs::path& path, const std::string& content) {
    const auto there = readWhole(path);
    return !there || *there == content;
  };
  const std::string place = fmt::format("{:016x}", std::hash<std::string>{}(all));
  fs::path folder = cache / "sessions" / place;
  for (int i = 2;
       !isOurs(folder / text.file, text.source) ||
       !std::ranges::all_of(text.headers, [&](const auto& one) { return isOurs(folder / one.first, one.second); });
       ++i) {
    folder = cache / "sessions" / (place + "-" + std::to_string(i));
  }
  const auto write = [&](const fs::path& path, const std::string& content) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (const auto there = readWhole(path); there && *there == content) { return; }
    if (const std::string problem = replaceWhole(path, content); !problem.empty()) { throw InputError(problem); }
  };
  for (const auto& [name, content] : text.headers) { write(folder / name, content); }
  write(folder / text.file, text.source);
  return folder / text.file;
}

/// The id under which the state knows it.
std::string addFile(const SceneText& text, const fs::path& path, AppState& state) {
  const auto& kernels = state.catalogue.kernels();
  const auto known = std::ranges::find(kernels, path, &KernelFile::path);
  KernelFile variant = known == kernels.end() ? openedVariant(state.catalogue, path) : *known;
  const std::string id = variant.id;
  if (known == kernels.end()) { state.catalogue.put(std::move(variant)); }
  WorkingCopy& copy = state.copies[id];
  if (!copy.id.empty()) { return id; }
  copy.id = id;
  copy.path = path;
  copy.opened = true;
  copy.text = copy.fileText = text.source;
  ++copy.revision;
  OpenedLaunch& launch = state.launches[id];
  launch.overrides = text.launch;
  launch.kernel = text.entry;
  launch.arguments = text.arguments;
  return id;
}

bool isOwnFile(const SceneText& text) { return text.kernel.starts_with('@'); }

}  // namespace

SessionFiles writeFiles(const Session& session) {
  SessionFiles files;
  for (const Scene& scene : session.scenes) {
    for (const SharedText& text : scene.texts) {
      if (isOwnFile(*text) && !files.contains(text->kernel)) { files[text->kernel] = writeFile(*text); }
    }
  }
  return files;
}

void addFiles(Session& session, const SessionFiles& files, AppState& state) {
  std::map<std::string, SharedText> added;  // by "@name"
  const auto resolve = [&](std::string& kernel) {
    if (const auto own = added.find(kernel); own != added.end()) { kernel = own->second->kernel; }
  };
  for (Scene& scene : session.scenes) {
    for (SharedText& text : scene.texts) {
      if (!isOwnFile(*text)) { continue; }
      SharedText& own = added[text->kernel];
      if (own == nullptr) {
        SceneText known = *text;
        known.kernel = addFile(*text, files.at(text->kernel), state);
        own = std::make_shared<const SceneText>(std::move(known));
      }
      text = own;
    }
    resolve(scene.choice.kernel);
    for (std::string& kernel : scene.compare) { resolve(kernel); }
  }
}

void unpack(Session& session, AppState& state) { addFiles(session, writeFiles(session), state); }

}  // namespace haloscope
