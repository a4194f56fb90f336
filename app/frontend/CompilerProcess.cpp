#include "frontend/CompilerProcess.h"

#include <algorithm>
#include <cstdio>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "language/Language.h"
#include "language/Text.h"
#include "pages/Print.h"
#include "process/ForkServer.h"
#include "program/Channel.h"

namespace haloscope::frontend {

namespace {

using Clock = std::chrono::steady_clock;

/// A program with the most instructions that there may be takes a few megabytes.
constexpr std::uint64_t kMaxAnswerBytes = std::uint64_t{64} << 20;

/// The server, and a process that it has forked ahead, confined and waiting for a text.
class Compiler {
 public:
  process::ForkedProcess take() {
    const std::lock_guard lock(mutex_);
    startIfNeeded();
    if (spare_) { return *std::exchange(spare_, std::nullopt); }
    return server_->fork();
  }
  /// For the next request.
  void prepare() {
    const std::lock_guard lock(mutex_);
    startIfNeeded();
    if (!spare_) { spare_ = server_->fork(); }
  }
  [[nodiscard]] bool serverEnded() {
    const std::lock_guard lock(mutex_);
    return !server_ || server_->ended();
  }

 private:
  void startIfNeeded() {
    if (server_ && !server_->ended() && language_ == language()) { return; }
    spare_.reset();
    language_ = language();
    server_.emplace(
        process::ChildStart{.arguments = {kCompilerCommand, languageCode(language_), languageFolder().string()},
                            .standardStreams = false,
                            .environment = process::bareEnvironment()});
  }

  std::mutex mutex_;
  Language language_ = Language::English;
  std::optional<process::ForkServer> server_;
  std::optional<process::ForkedProcess> spare_;
};

/// Never destroyed: other threads may still ask while the program ends.
Compiler& compiler() {
  static auto* const only = new Compiler;
  return *only;
}

std::function<Answer(const Request&)>& answersHere() {
  static std::function<Answer(const Request&)> none;
  return none;
}

/// What ended its process, whatever was asked of it.
struct EndedText {
  std::string text;
  CompileOptions options;
  Diagnostic::Kind how = Diagnostic::Kind::CompilerCrash;

  [[nodiscard]] bool isOf(const Request& request) const {
    return text == request.text && options.defines == request.options.defines &&
           options.headers == request.options.headers && options.prologue == request.options.prologue;
  }
};

/// The texts that ended their processes last. A check asks for a text again and again, and each would take as long.
class EndedTexts {
 public:
  std::optional<Diagnostic::Kind> find(const Request& request) {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(last_, [&](const EndedText& one) { return one.isOf(request); });
    return found == last_.end() ? std::nullopt : std::optional(found->how);
  }
  void keep(const Request& request, Diagnostic::Kind how) {
    constexpr std::size_t kMost = 8;
    const std::lock_guard lock(mutex_);
    last_.push_front({request.text, request.options, how});
    if (last_.size() > kMost) { last_.pop_back(); }
  }

 private:
  std::mutex mutex_;
  std::list<EndedText> last_;
};

EndedTexts& endedTexts() {
  static auto* const only = new EndedTexts;
  return *only;
}

std::string sentence(Diagnostic::Kind how) {
  switch (how) {
    case Diagnostic::Kind::TooMuchMemory:
      return trf("the compiler needed more than {} GB of memory for this text", CompilerLimits::kMemoryBytes >> 30U);
    case Diagnostic::Kind::TooMuchTime:
      return trf("the compiler needed more than {} s for this text", CompilerLimits::kProcessorTime.count());
    default:
      return tr("the compiler crashed on this text");
  }
}

Refusal ended(Diagnostic::Kind how, std::string message = {}) {
  if (message.empty()) { message = sentence(how); }
  return {.diagnostics = {{.severity = Diagnostic::Severity::Error, .where = {}, .message = message, .kind = how}}};
}

void warnOnce() {
  static std::once_flag warned;
  std::call_once(warned, [] {
    printText(stderr, "haloscope: warning: {}\n",
              tr("this system cannot confine the compiler's process further than in time and memory"));
  });
}

/// How the process of a request ended: with an answer, by what it did, or (nothing) with its server.
std::optional<Answer> askOne(const Request& request, const std::vector<std::byte>& bytes) {
  const process::ForkedProcess process = compiler().take();
  const Clock::time_point until = Clock::now() + CompilerLimits::kTime;
  Channel channel(process.socket(), [&] { return Clock::now() < until; });
  const std::span<const std::byte> payload(bytes);
  channel.send({}, std::span(&payload, 1));
  std::optional<Announced> packet;
  std::vector<std::byte> answer;
  try {
    packet = channel.receiveMessage(1);
    if (packet && (packet->payloadBytes > kMaxAnswerBytes || !channel.receive(answer, packet->payloadBytes))) {
      packet.reset();
    }
  } catch (const InputError& forged) { return ended(Diagnostic::Kind::CompilerCrash, forged.what()); }
  if (!packet) {
    if (Clock::now() >= until) { return ended(Diagnostic::Kind::TooMuchTime); }
    if (compiler().serverEnded()) { return std::nullopt; }
    return ended(Diagnostic::Kind::CompilerCrash);
  }
  const auto word =
      packet->message.size() == 1 ? static_cast<CompilerWord>(packet->message.front()) : CompilerWord::NestedTooDeeply;
  switch (word) {
    case CompilerWord::Unconfined:
      warnOnce();
      [[fallthrough]];
    case CompilerWord::Answered:
      try {
        return decodeAnswer(answer, request);
      } catch (const InputError& forged) { return ended(Diagnostic::Kind::CompilerCrash, forged.what()); }
    case CompilerWord::TooMuchMemory:
      return ended(Diagnostic::Kind::TooMuchMemory);
    case CompilerWord::TooMuchTime:
      return ended(Diagnostic::Kind::TooMuchTime);
    case CompilerWord::NestedTooDeeply:
      return ended(Diagnostic::Kind::CompilerCrash, tr("this text is nested too deeply for the compiler"));
  }
  return ended(Diagnostic::Kind::CompilerCrash);
}

}  // namespace

Answer ask(Request request) {
  if (answersHere()) { return decodeAnswer(encode(answersHere()(request)), request); }
  if (const std::optional<Diagnostic::Kind> how = endedTexts().find(request)) { return ended(*how); }
  const std::vector<std::byte> bytes = encode(request);
  std::optional<Answer> answer = askOne(request, bytes);
  // The server was ended from outside: a new one.
  if (!answer) { answer = askOne(request, bytes); }
  if (!answer) { answer = ended(Diagnostic::Kind::CompilerCrash); }
  if (const auto* refusal = std::get_if<Refusal>(&*answer)) {
    for (const Diagnostic& one : refusal->diagnostics) {
      if (endedTheCompiler(one.kind)) { endedTexts().keep(request, one.kind); }
    }
  }
  prepareCompiler();
  return *std::move(answer);
}

void prepareCompiler() {
  try {
    compiler().prepare();
  } catch (const std::system_error&) {}  // a request reports it
}

void answerHere(std::function<Answer(const Request&)> answer) { answersHere() = std::move(answer); }

}  // namespace haloscope::frontend
