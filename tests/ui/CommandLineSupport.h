#pragma once

#include "ProgramTest.h"

namespace haloscope::test {

class CommandLineTest : public ProgramTest {};

}  // namespace haloscope::test
