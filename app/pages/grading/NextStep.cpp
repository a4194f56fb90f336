#include "grading/NextStep.h"

#include <array>

#include "language/Text.h"

namespace haloscope::grading {

namespace {

/// In the order of Verdict.
constexpr std::array<const char*, kVerdictRows.size()> kAfter = {
    trMark("Nothing is left to do but to read it: style, names and speed are not judged."),
    trMark("The table of goals says which; haloscope make with --hint gives a hint for the first."),
    trMark("Read it yourself, or name a kernel that is right and has the same parameters: --reference "
           "FILE.cu[:KERNEL]. Its row says which parameters it has."),
    trMark("Its page shows the first wrong cells, what was expected there and, where that could be told, which term is "
           "wrong."),
    trMark("Each is undefined on a GPU or not what was meant, even if a run seems right: its page has thread, cell and "
           "line."),
    trMark("Where its row says \"unsupported\", nvcc may accept the text: read it yourself."),
    trMark("Was the right file handed in? Ask for the one with the __global__ function."),
    trMark("It is judged again with each grading; --seconds N gives it more time, and smaller sizes in its main() "
           "help."),
    trMark("It is judged again with each grading; smaller sizes in its main() help."),
    trMark("Ask for the source files alone."),
    trMark("Ask for the source, saved as UTF-8."),
    trMark("Ask for the file itself, under a plain name."),
    trMark("A header that you gave belongs in the folder of the hand-ins; any other has to be handed in."),
    trMark("It is judged again with each grading."),
};
static_assert(kAfter.back() != nullptr);

}  // namespace

std::string nextStep(Verdict verdict) { return tr(kAfter.at(static_cast<std::size_t>(verdict))); }

}  // namespace haloscope::grading
