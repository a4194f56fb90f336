#include "exporting/VideoMovie.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "files/OutputFile.h"
#include "language/Text.h"
#include "process/ChildProcess.h"
#include "program/SourceLocation.h"

namespace haloscope::exporting {

namespace fs = std::filesystem;

namespace {

/// A descriptor that is closed with its object.
class OwnedFile {
 public:
  explicit OwnedFile(int file) : file_(file) {}
  ~OwnedFile() { close(); }
  OwnedFile(const OwnedFile&) = delete;
  OwnedFile& operator=(const OwnedFile&) = delete;
  [[nodiscard]] int get() const { return file_; }
  void close() {
    if (file_ >= 0) { ::close(std::exchange(file_, -1)); }
  }

 private:
  int file_;
};

fs::path findFfmpeg() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path program = fs::path(folder.empty() ? "." : folder) / "ffmpeg";
    if (::access(program.c_str(), X_OK) == 0) { return program; }
  }
  throw InputError(
      tr("MP4 and WebM are encoded by ffmpeg, which is not installed (Debian: apt-get install ffmpeg); a GIF needs "
         "nothing else"));
}

std::vector<std::string> argumentsFor(const ExportPlan& plan, const PictureView& picture, const fs::path& output) {
  std::vector<std::string> arguments = {
      "-hide_banner", "-nostdin", "-loglevel", "error", "-xerror", "-y", "-f", "rawvideo", "-pix_fmt", "rgb0", "-s",
      fmt::format("{}x{}", picture.width, picture.height), "-r", fmt::format("{}", plan.rate), "-i", "pipe:0",
      // Most players want both sides even.
      "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"};
  const std::vector<std::string> encoder =
      plan.format == ExportFormat::Mp4
          ? std::vector<std::string>{"-c:v", "libx264",   "-preset",    "fast", "-crf",
                                     "18",   "-movflags", "+faststart", "-f",   "mp4"}
          : std::vector<std::string>{"-c:v", "libvpx-vp9", "-crf", "28",      "-b:v", "0",  "-deadline",
                                     "good", "-cpu-used",  "5",    "-row-mt", "1",    "-f", "webm"};
  arguments.insert(arguments.end(), encoder.begin(), encoder.end());
  arguments.push_back(output.string());
  return arguments;
}

class VideoMovie final : public Movie {
 public:
  explicit VideoMovie(ExportPlan plan) : plan_(std::move(plan)), program_(findFfmpeg()), file_(plan_.output) {
    if (!file_.problem().empty()) { throw InputError(file_.problem()); }
    if (file_.temporary().empty()) {
      throw InputError(trf("{}: a video cannot be written to a pipe or a device", plan_.output.string()));
    }
  }

  void add(const PictureView& picture, const std::stop_token& stop) override {
    if (!encoder_) { start(picture); }
    if (!send(picture, stop)) { fail(stop); }
  }

  bool finish(const std::stop_token& stop) override {
    if (!encoder_) { throw InputError(tr("an animation needs at least one picture")); }
    pictures_->close();
    if (waitForEnd(stop).status != 0) { fail(stop); }
    if (stop.stop_requested()) { return false; }
    if (const std::string problem = file_.commit(); !problem.empty()) { throw InputError(problem); }
    return true;
  }

 private:
  void start(const PictureView& picture) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      throw std::system_error(errno, std::generic_category(), "socketpair");
    }
    pictures_.emplace(ends[0]);
    const OwnedFile there(ends[1]);
    messages_.emplace(::memfd_create("ffmpeg", MFD_CLOEXEC));
    const OwnedFile nothing(::memfd_create("nothing", MFD_CLOEXEC));
    process::ChildStart child;
    child.program = program_;
    child.arguments = argumentsFor(plan_, picture, file_.temporary());
    child.files = {{there.get(), STDIN_FILENO}, {nothing.get(), STDOUT_FILENO}, {messages_->get(), STDERR_FILENO}};
    child.ownGroup = true;  // Ctrl + C is for Haloscope alone, which then ends it
    encoder_.emplace(child);
  }

  /// False if the encoder takes no more.
  bool send(const PictureView& picture, const std::stop_token& stop) {
    // An encoder that hangs takes nothing for ever; one that cannot even be killed keeps its end open.
    const std::stop_callback ended(stop, [this] { ::shutdown(pictures_->get(), SHUT_RDWR); });
    const std::uint8_t* bytes = picture.rgba;
    std::size_t left = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 4;
    while (left > 0) {
      const ssize_t sent = ::send(pictures_->get(), bytes, left, MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) { continue; }
      if (sent <= 0) { return false; }
      bytes += sent;
      left -= static_cast<std::size_t>(sent);
    }
    return true;
  }

  /// Kills it if it is asked to stop before, and does not wait for that.
  [[nodiscard]] process::ChildEnd waitForEnd(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (const auto end = encoder_->waitForEnd(std::chrono::milliseconds(50))) { return *end; }
    }
    encoder_->kill();
    return {};
  }

  [[noreturn]] void fail(const std::stop_token& stop) {
    pictures_->close();
    const process::ChildEnd end = waitForEnd(stop);
    std::array<char, 600> text{};
    const ssize_t read = ::pread(messages_->get(), text.data(), text.size(), 0);
    std::string said(text.data(), read > 0 ? static_cast<std::size_t>(read) : 0);
    said.erase(said.find_last_not_of(" \n") + 1);
    throw InputError(trf("{} could not be written: ffmpeg {}: {}", plan_.output.string(), process::describe(end),
                         said.empty() ? tr("it gave no reason") : said));
  }

  ExportPlan plan_;
  fs::path program_;
  OutputFile file_;
  std::optional<OwnedFile> pictures_, messages_;
  std::optional<process::ChildProcess> encoder_;  ///< last: it is ended before its file goes
};

}  // namespace

std::unique_ptr<Movie> beginVideo(const ExportPlan& plan) { return std::make_unique<VideoMovie>(plan); }

}  // namespace haloscope::exporting
