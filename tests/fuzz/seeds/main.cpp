#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>

#include "../AskedAnswer.h"
#include "../KernelLogs.h"
#include "../KernelPrograms.h"
#include "frontend/Messages.h"
#include "lowering/Lowering.h"
#include "lowering/ServeCompiler.h"
#include "program/StoredProgram.h"

// fuzz_seeds FOLDER TEXT…: writes what fuzz_program, fuzz_log and fuzz_answer begin with: the stored program of each
// kernel of the texts into FOLDER/programs, what a block of it logs into FOLDER/logs, and of each text what the
// compiler's process says of it into FOLDER/answers.

namespace {

namespace fs = std::filesystem;
using namespace haloscope;

// What is larger is slow to execute.
constexpr std::size_t kMostProgramBytes = 12 << 10;
constexpr std::size_t kMostLogBytes = 64 << 10;
constexpr std::size_t kMostAnswerBytes = 32 << 10;

void write(const fs::path& to, std::span<const std::byte> bytes, std::size_t most) {
  if (bytes.size() > most) { return; }
  std::ofstream out(to, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void writeAnswers(const fs::path& to, const fs::path& text) {
  std::ifstream in(text, std::ios::binary);
  frontend::Request request;
  request.file = text.filename().string();
  request.text = {std::istreambuf_iterator<char>(in), {}};
  using What = frontend::Request::What;
  for (const What what : {What::Compile, What::Summarize, What::DeviceText, What::Instrument}) {
    request.what = what;
    const fuzz::AskedAnswer asked{encode(request), encode(lowering::answer(request))};
    write(to.string() + "_" + std::to_string(static_cast<int>(what)), join(asked), kMostAnswerBytes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (const auto status = lowering::serveIfAsked(argc, argv)) { return *status; }
  const std::span<char*> arguments(argv, static_cast<std::size_t>(argc));
  const fs::path folder = arguments[1];
  fs::create_directories(folder / "programs");
  fs::create_directories(folder / "logs");
  fs::create_directories(folder / "answers");
  for (const char* const text : arguments.subspan(2)) {
    writeAnswers(folder / "answers" / fs::path(text).stem(), text);
    int number = 0;
    for (const auto& [name, program] : fuzz::programsOf(text)) {
      const std::string file = fs::path(text).stem().string() + "_" + std::to_string(number++);
      write(folder / "programs" / file, store(program), kMostProgramBytes);
      try {
        write(folder / "logs" / file, fuzz::bytesOf(fuzz::loggedKernel(text, program)), kMostLogBytes);
      } catch (const std::exception& error) {  // what cannot be recorded, or launched like this
        std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
      }
    }
  }
  return 0;
}
