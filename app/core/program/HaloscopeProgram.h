#pragma once

#include <filesystem>
#include <optional>

/// What needs a process of its own (to read a CUDA text, to execute a host half) is done by `haloscope`, which starts
/// itself again for it. Another program names the `haloscope` that does it.
namespace haloscope {

/// To be called before anything else of Haloscope, by a program that links libhaloscope: from now on `program` is
/// started for what needs a process, and the folders that ship with Haloscope are those of `program`. It must be of the
/// same version as the library. Throws MissingError if there is no such program.
void useHaloscope(const std::filesystem::path& program);

/// The absolute path that useHaloscope() was given. None: this program itself.
[[nodiscard]] const std::optional<std::filesystem::path>& usedHaloscope();

/// This program's main() calls lowering::serveIfAsked(), so that it can be started again by itself.
void serveFromThisProgram();

/// Whether there is a program to start: one that was named, or this one.
[[nodiscard]] bool canBeStarted();

}  // namespace haloscope
