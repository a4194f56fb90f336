#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "checking/Check.h"
#include "experiment/Experiment.h"
#include "handout/KernelQuestions.h"

/// A recorded block to take home: one HTML file that opens without Haloscope and without a network.
namespace haloscope::handout {

/// A block as it was executed, and what a page says about it.
struct Chapter {
  std::string title;  ///< of a scene; empty: the kernel's
  std::string note{};
  std::shared_ptr<const experiment::Experiment> experiment;  ///< with a recording
  std::shared_ptr<const checking::CheckReport> report{};     ///< null: the kernel was not checked
  std::size_t position = 0;                                  ///< at which it opens
  std::optional<std::uint32_t> thread{};                     ///< whose variables are shown first; none: a busy one
  std::optional<KernelQuestions> questions{};                ///< none: not asked for
};

/// What the pages of a site have in common, and a page of it knows of the others.
struct SiteAround {
  std::string common;              ///< the address of the folder with commonFiles(): "../handout/"
  std::string navigation;          ///< HTML
  std::vector<Bindings> linked{};  ///< to which links of the site lead
};

/// The files to write once for all pages of a site in the current language, by name. Throws InputError where an asset
/// cannot be read.
[[nodiscard]] std::map<std::string, std::string> commonFiles(const std::filesystem::path& assets,
                                                             const std::filesystem::path& module = {});

/// A file beside a page of a site that brings it these bytes, as the text of an element with this id.
[[nodiscard]] std::string dataScript(const std::string& id, const std::string& bytes);
/// What a page of a site may do: scripts and styles of the site, and where it executes, WebAssembly in a worker.
[[nodiscard]] std::string policyOfSite(bool executes);

/// The page, in the current language; chapters of one experiment share its recording. `assets`: the folder that has
/// handout/. `module`: the module with which the page executes its kernels anew (see modulePath()); empty: it does not.
/// `site`: of a page that is not alone, whose script, style and module are the commonFiles(); else it has them in
/// itself. Throws InputError where one of them cannot be read, or for a block that is too large for a page;
/// experiment::Cancelled when asked to stop.
[[nodiscard]] std::string page(const std::string& title, const std::vector<Chapter>& chapters,
                               const std::filesystem::path& assets, const std::filesystem::path& module = {},
                               const std::stop_token& stop = {}, const std::optional<SiteAround>& site = {});

}  // namespace haloscope::handout
