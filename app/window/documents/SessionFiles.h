#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "state/AppState.h"

/// The files that a session brings along: written to the cache, where they are compiled and executed like any other.
namespace haloscope {

/// Their paths, by the "@NAME" of their texts.
using SessionFiles = std::map<std::string, std::filesystem::path>;

/// A session as it was read, and where its files are.
struct ReadSession {
  Session session;
  SessionFiles files;
};

/// Writes them, with their headers. One that was unpacked before and has been edited since is the user's: it stays, and
/// another folder is taken. Throws InputError if they cannot be written. Slow.
[[nodiscard]] SessionFiles writeFiles(const Session& session);
/// Makes each a variant of the state, which the scenes then name.
void addFiles(Session& session, const SessionFiles& files, AppState& state);
/// Both.
void unpack(Session& session, AppState& state);

}  // namespace haloscope
