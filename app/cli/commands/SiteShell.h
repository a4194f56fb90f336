#pragma once

#include <filesystem>
#include <string>

#include "lessons/Course.h"

namespace haloscope {

/// What is to be a page of a site, below the folder of its language. HTML but for the title.
struct SitePage {
  std::string path;       ///< "course/sliding-sum.html"
  std::string title;      ///< text
  std::string body;       ///< below the heading
  std::string footer{};   ///< below that
  std::string script{};   ///< of assets/site, without its folder: "lesson.js"; empty: the page has none
  bool executes = false;  ///< the script uses the module
  std::string words{};    ///< JSON that the script reads
  std::string data{};     ///< attributes of <main> for the script
};

/// The pages of one language of `haloscope site`: what is around each of them.
class SiteShell {
 public:
  SiteShell(std::filesystem::path out, std::string language) : out_(std::move(out)), language_(std::move(language)) {}

  [[nodiscard]] const std::string& language() const { return language_; }
  /// A file of the site, by its path from the site's folder. Throws InputError.
  void put(const std::filesystem::path& path, const std::string& text) const;
  /// An asset that lies beside the pages; its address from the folder of the language.
  [[nodiscard]] std::string copied(const std::filesystem::path& from) const;
  void write(const SitePage& page) const;
  /// `path`: of the page, below the folder of the language.
  [[nodiscard]] std::string navigation(const std::string& path) const;

 private:
  std::filesystem::path out_;
  std::string language_;
};

/// Links to the lessons before and after one.
[[nodiscard]] std::string neighbourLinks(const lessons::Course& of, const lessons::Lesson& lesson);

}  // namespace haloscope
