#include <haloscope/judging/CheckedKernel.h>
#include <haloscope/opening/OpenedFile.h>
#include <haloscope/program/HaloscopeProgram.h>
#include <cstdio>
#include <exception>

/// Checks each kernel of a CUDA file at the launch that is proposed for it. Prints the findings and the verdict. The
/// status is 1 if anything is wrong with one or one cannot be read, and 2 if the file cannot, or has no kernels.
///   check_file FILE.cu [PROGRAM: another haloscope than the installed one]
int main(int argc, char** argv) try {
  using namespace haloscope;
  if (argc < 2) { return 2; }
  useHaloscope(argc > 2 ? argv[2] : HALOSCOPE_PROGRAM);
  const opening::OpenedFile file = opening::openFile(argv[1]);
  bool faultless = true;
  for (const opening::ProposedKernel& kernel : file.kernels) {
    judging::CheckedKernel row{.kernel = kernel.file.kernel, .scope = verdict::Scope::ProposedLaunch};
    judging::checkKernel(kernel.file, kernel.file.defaults(), row);
    const verdict::Verdict verdict = judging::verdictOf(row);
    faultless = faultless && verdict.faultless();
    std::printf("%s: %s\n", row.kernel.c_str(), verdict::wordOf(verdict.kind));
    if (!row.report) { continue; }
    for (const faults::Finding& finding : row.report->findings) {
      std::printf("  line %d: %s\n", finding.where.line, finding.message.c_str());
    }
  }
  for (const opening::UnreadKernel& kernel : file.unread) { std::printf("%s: unread\n", kernel.kernel.c_str()); }
  for (const frontend::Diagnostic& one : file.diagnostics) { std::fprintf(stderr, "%s\n", one.message.c_str()); }
  return file.kernels.empty() ? 2 : faultless && file.unread.empty() ? 0 : 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 2;
}
