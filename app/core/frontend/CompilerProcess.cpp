#include "frontend/CompilerProcess.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "language/Language.h"
#include "language/Text.h"
#include "process/ForkServer.h"
#include "program/Channel.h"
#include "program/HaloscopeProgram.h"
#include "text/Print.h"

namespace haloscope::frontend {

namespace {

using Clock = std::chrono::steady_clock;

/// A program with the most instructions that there may be takes a few megabytes.
constexpr std::uint64_t kMaxAnswerBytes = std::uint64_t{16} << 20;

/// A process, and its server, which ends with the last of them.
struct Lent {
  std::shared_ptr<process::ForkServer> server;
  process::ForkedProcess process;
};

/// The server, and processes that it has forked ahead, confined and waiting for a text each: a switch of variants asks
/// for the chosen one and, in its checks, for others.
class Compiler {
 public:
  /// Throws std::system_error.
  Lent take() {
    const std::lock_guard lock(mutex_);
    startIfNeeded();
    if (spares_.empty()) { return {server_, server_->fork()}; }
    Lent lent{server_, std::move(spares_.front())};
    spares_.pop_front();
    return lent;
  }
  /// For the next request. Throws std::system_error.
  void prepare() {
    const std::lock_guard lock(mutex_);
    startIfNeeded();
    while (spares_.size() < kSpares) { spares_.push_back(server_->fork()); }
  }
  /// This server's processes do not begin: the next one is another's.
  void giveUp(const std::shared_ptr<process::ForkServer>& server) {
    const std::lock_guard lock(mutex_);
    if (server_ != server) { return; }
    spares_.clear();
    server_.reset();
  }

 private:
  void startIfNeeded() {
    if (server_ && !server_->ended() && language_ == language()) { return; }
    spares_.clear();
    language_ = language();
    // This program not by its path, at which there may be another version by now.
    server_ = std::make_shared<process::ForkServer>(process::ChildStart{
        .program = usedHaloscope().value_or("/proc/self/exe"),
        .arguments = {kCompilerCommand, HALOSCOPE_VERSION, languageCode(language_), languageFolder().string()},
        .standardStreams = false,
        .environment = process::bareEnvironment()});
  }

  static constexpr std::size_t kSpares = 2;

  std::mutex mutex_;
  Language language_ = Language::English;
  std::shared_ptr<process::ForkServer> server_;
  std::deque<process::ForkedProcess> spares_;
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

/// What ended its process, whatever was asked of it.
struct EndedText {
  std::string text;
  CompileOptions options;
  Refusal refusal;
  Clock::time_point when;
  Clock::duration took{};  ///< of one that was answered

  [[nodiscard]] bool isOf(const Request& request) const {
    return text == request.text && options.defines == request.options.defines &&
           options.headers == request.options.headers && options.prologue == request.options.prologue &&
           options.instances == request.options.instances;
  }
};

/// The texts that ended their processes last, and those that took long, each request of them by itself within the
/// limits: a file has many kernels.
class EndedTexts {
 public:
  std::optional<Refusal> find(const Request& request) {
    const std::lock_guard lock(mutex_);
    std::erase_if(last_, [](const EndedText& one) { return Clock::now() - one.when > std::chrono::seconds(30); });
    Clock::duration spent{};
    for (const EndedText& one : last_) {
      if (!one.isOf(request)) { continue; }
      if (one.took == Clock::duration{}) { return one.refusal; }
      spent += one.took;
    }
    if (spent < CompilerLimits::kTime) { return std::nullopt; }
    return ended(Diagnostic::Kind::TooMuchTime,
                 trf("the compiler needed more than {} s for this text, all its kernels together",
                     CompilerLimits::kTime.count()));
  }
  void keepSlow(const Request& request, Clock::duration took) {
    constexpr std::chrono::seconds kSlow{1};
    if (took < kSlow) { return; }
    const std::lock_guard lock(mutex_);
    last_.push_front({request.text, request.options, {}, Clock::now(), took});
    if (last_.size() > kMost) { last_.pop_back(); }
  }
  void keep(const Request& request, const Refusal& refusal) {
    const std::lock_guard lock(mutex_);
    last_.push_front({request.text, request.options, refusal, Clock::now()});
    if (last_.size() > kMost) { last_.pop_back(); }
  }

 private:
  static constexpr std::size_t kMost = 32;
  std::mutex mutex_;
  std::list<EndedText> last_;
};

EndedTexts& endedTexts() {
  static auto* const only = new EndedTexts;
  return *only;
}

void warnOnce() {
  static std::once_flag warned;
  std::call_once(warned, [] {
    printText(stderr, "haloscope: warning: {}\n",
              tr("this system cannot confine the compiler's process further than in time and memory"));
  });
}

/// What a process has said. None: it has ended, or it is too late.
struct Said {
  CompilerWord word = CompilerWord::Ready;
  std::vector<std::byte> payload;
};
std::optional<Said> listen(Channel& channel) {
  const std::optional<Announced> packet = channel.receiveMessage();
  Said said;
  if (!packet || packet->message.size() != 1 || packet->payloadBytes > kMaxAnswerBytes ||
      !channel.receive(said.payload, packet->payloadBytes)) {
    return std::nullopt;
  }
  said.word = static_cast<CompilerWord>(packet->message.front());
  return said;
}

/// What a process makes of a request that it waits for. None if it ends without a word: it has crashed, or was ended
/// with its server. Throws InputError for a forged one.
std::optional<Answer> answerOf(Channel& channel, const Request& request, const std::vector<std::byte>& bytes,
                               Clock::time_point until) {
  const std::span<const std::byte> payload(bytes);
  channel.send({}, std::span(&payload, 1));
  const std::optional<Said> said = listen(channel);
  if (!said && Clock::now() >= until) {
    return ended(Diagnostic::Kind::TooMuchTime,
                 trf("the compiler did not answer within {} s", CompilerLimits::kTime.count()));
  }
  if (!said) { return std::nullopt; }
  switch (said->word) {
    case CompilerWord::Answered:
      return decodeAnswer(said->payload, request);
    case CompilerWord::TooMuchMemory:
      return ended(Diagnostic::Kind::TooMuchMemory);
    case CompilerWord::TooMuchTime:
      return ended(Diagnostic::Kind::TooMuchTime);
    case CompilerWord::NestedTooDeeply:
      return ended(Diagnostic::Kind::CompilerCrash, tr("this text is nested too deeply for the compiler"));
    case CompilerWord::Ready:
    case CompilerWord::Unconfined:
      break;
  }
  return ended(Diagnostic::Kind::CompilerCrash);
}

/// The answer of one process. None if it has ended without a word; `begun` is true if it had the request then. Throws
/// std::system_error.
std::optional<Answer> askOne(const Request& request, const std::vector<std::byte>& bytes, bool& begun) {
  const Lent lent = compiler().take();
  const Clock::time_point until = Clock::now() + CompilerLimits::kTime;
  Channel channel(lent.process.socket(), [&] { return Clock::now() < until; });
  try {
    const std::optional<Said> ready = listen(channel);
    if (!ready || (ready->word != CompilerWord::Ready && ready->word != CompilerWord::Unconfined)) {
      compiler().giveUp(lent.server);
      return std::nullopt;
    }
    if (ready->word == CompilerWord::Unconfined) { warnOnce(); }
    const Clock::time_point began = Clock::now();
    begun = true;
    std::optional<Answer> answer = answerOf(channel, request, bytes, until);
    if (!answer) {
      compiler().giveUp(lent.server);
      return std::nullopt;
    }
    const auto* refusal = std::get_if<Refusal>(&*answer);
    const bool hasEnded = refusal != nullptr && std::ranges::any_of(refusal->diagnostics, [](const Diagnostic& one) {
                            return endedTheCompiler(one.kind);
                          });
    if (hasEnded) { endedTexts().keep(request, *refusal); }
    if (!hasEnded) { endedTexts().keepSlow(request, Clock::now() - began); }
    return answer;
  } catch (const InputError& forged) { return ended(Diagnostic::Kind::CompilerCrash, forged.what()); }
}

}  // namespace

Answer ask(Request request) {
  if (answersHere()) { return decodeAnswer(encode(answersHere()(request)), request); }
  // Started again, another program would do once more what it does, instead of answering.
  if (!canBeStarted()) {
    return ended(Diagnostic::Kind::CompilerCrash,
                 tr("this program cannot read CUDA texts by itself: it must name haloscope with useHaloscope()"));
  }
  if (std::optional<Refusal> known = endedTexts().find(request)) { return *std::move(known); }
  const std::vector<std::byte> bytes = encode(request);
  // A text that crashes one process crashes another; what ended a server does not.
  constexpr int kTries = 3;
  int crashes = 0;
  std::string why = usedHaloscope() ? trf("{} is not haloscope {}", usedHaloscope()->string(), HALOSCOPE_VERSION)
                                    : tr("it ends before it has read anything");
  for (int i = 0; i < kTries && crashes < 2; ++i) {
    bool begun = false;
    try {
      if (std::optional<Answer> answer = askOne(request, bytes, begun)) {
        prepareCompiler();
        return *std::move(answer);
      }
    } catch (const std::system_error& problem) {
      if (problem.code() != std::errc::broken_pipe) { why = problem.what(); }  // else it ended, as `why` says already
    }
    crashes += begun ? 1 : 0;
  }
  if (crashes == 0) {
    return ended(Diagnostic::Kind::CompilerCrash, trf("the compiler's process cannot be started: {}", why));
  }
  const Refusal refusal = ended(Diagnostic::Kind::CompilerCrash);
  endedTexts().keep(request, refusal);
  return refusal;
}

void prepareCompiler() {
  if (!canBeStarted()) { return; }
  try {
    compiler().prepare();
  } catch (const std::system_error&) {}  // a request reports it
}

void answerHere(std::function<Answer(const Request&)> answer) { answersHere() = std::move(answer); }

}  // namespace haloscope::frontend
