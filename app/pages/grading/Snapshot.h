#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "grading/HandIns.h"
#include "grading/Record.h"

namespace haloscope::grading {

/// A file or folder that is common to all hand-ins but could not be taken.
struct LeftOut {
  std::string name{};  ///< where it would be in the snapshot
  std::string why{};   ///< a sentence; empty where it is not known
};

/// The texts of a hand-in as they were read once: what is judged, and what its key is made of. Paths are relative to a
/// folder that has nothing else.
struct Snapshot {
  std::vector<SourceText> files;      ///< by name: "work/ada.cu", "include/tile.h"
  std::string target;                 ///< what is judged, below "work": "ada.cu", or "." for a program of several files
  std::vector<std::string> shared{};  ///< names of those that are common to all hand-ins, which it includes
  std::vector<LeftOut> leftOut{};     ///< what it includes of those but could not be taken
};

/// Reads a hand-in without following links, opening devices or waiting for pipes. A record says why it cannot be
/// judged. `standIns`: of what is common, see standInsAmong(): they are left out, so that each hand-in finds the header
/// that it means.
[[nodiscard]] std::variant<Snapshot, Record> takeSnapshot(const HandIn& handIn,
                                                          const std::vector<std::filesystem::path>& shared,
                                                          const std::set<std::string>& standIns = {});

/// What of `shared` no hand-in can have, and why: a sentence each.
[[nodiscard]] std::vector<std::string> problemsOfShared(const std::vector<std::filesystem::path>& shared);

/// The hash of everything that decides what is found: the texts, the reference's, and `rest`.
[[nodiscard]] std::string keyOf(const Snapshot& handIn, const Snapshot& reference,
                                const std::vector<std::string>& rest);

/// Writes the files below a folder, which exists and is empty. Throws InputError.
void unpack(const Snapshot& snapshot, const std::filesystem::path& folder);

/// Each `#include` of these texts that names a file outside of them: where it is, and a sentence. `texts` are below
/// "work" or beside it, as are the files of `shared`, which they may include, like those of `leftOut`.
[[nodiscard]] std::vector<Mark> outsideIncludes(const std::vector<SourceText>& texts,
                                                const std::vector<SourceText>& shared,
                                                const std::vector<LeftOut>& leftOut);

/// The first `#include` of these texts that means a file of `leftOut`, none of `all`: where it is, and a sentence.
[[nodiscard]] std::optional<Mark> leftOutInclude(const std::vector<SourceText>& texts,
                                                 const std::vector<SourceText>& all,
                                                 const std::vector<LeftOut>& leftOut);

/// The folder of a program's own files in a snapshot.
inline constexpr const char* kWork = "work";

/// Where the process finds the reference, with a folder of its own work and what is common.
inline constexpr const char* kReferenceFolder = "reference";

}  // namespace haloscope::grading
