# Clang as a library: the target haloscope_clang. programs/lowering parses with it, programs/host compiles and
# links host halves, programs/running demangles names.
#
# Linked statically where the archives are installed: the program then contains the 80 MB of Clang that it uses instead of
# needing 200 MB of shared libraries, and cannot clash with the other LLVM that Mesa's software renderer loads into the
# same process. Clang's own CMake package is not used, because Debian's targets link the shared libLLVM.

find_path(HALOSCOPE_LLVM_INCLUDE_DIR clang/AST/ASTContext.h
    HINTS "/usr/lib/llvm-${HALOSCOPE_CLANG_VERSION}/include" "$ENV{LLVM_ROOT}/include")
if(NOT HALOSCOPE_LLVM_INCLUDE_DIR)
    message(FATAL_ERROR "haloscope: error: Clang ${HALOSCOPE_CLANG_VERSION} as a library was not found "
        "(Debian: libclang-${HALOSCOPE_CLANG_VERSION}-dev llvm-${HALOSCOPE_CLANG_VERSION}-dev; elsewhere: set HALOSCOPE_LLVM_INCLUDE_DIR)")
endif()
cmake_path(GET HALOSCOPE_LLVM_INCLUDE_DIR PARENT_PATH llvm_root)

add_library(haloscope_clang INTERFACE)
target_include_directories(haloscope_clang SYSTEM INTERFACE "${HALOSCOPE_LLVM_INCLUDE_DIR}")
target_compile_definitions(haloscope_clang INTERFACE
    _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
# GCC's optimiser warns about code inlined from Clang's headers although they are SYSTEM includes.
target_compile_options(haloscope_clang INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-nonnull -Wno-maybe-uninitialized -Wno-array-bounds>)

set(clang_components Tooling CodeGen Frontend Driver Serialization Parse Sema Edit Analysis ASTMatchers AST Lex Basic
    Support APINotes)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(llvm_target AArch64AsmParser AArch64CodeGen AArch64Desc AArch64Utils AArch64Info)
else()
    set(llvm_target X86AsmParser X86CodeGen X86Desc X86Info)
endif()
# The output of `llvm-config-19 --link-static --libs native orcjit passes option frontendopenmp frontendhlsl windowsdriver
# coverage lto`, users first.
set(llvm_components LTO Extensions Coverage FrontendDriver FrontendHLSL OrcJIT Passes HipStdPar Coroutines ipo Vectorize
    Linker FrontendOpenMP FrontendOffloading WindowsDriver JITLink Option ExecutionEngine RuntimeDyld OrcTargetProcess
    OrcShared ${llvm_target} MCDisassembler Instrumentation IRPrinter GlobalISel SelectionDAG CFGuard AsmPrinter CodeGen
    Target ScalarOpts InstCombine AggressiveInstCombine ObjCARCOpts TransformUtils CodeGenTypes BitWriter Analysis
    ProfileData Symbolize DebugInfoBTF DebugInfoPDB DebugInfoMSF DebugInfoDWARF Object TextAPI MCParser IRReader AsmParser
    MC DebugInfoCodeView BitReader Core Remarks BitstreamReader BinaryFormat TargetParser Support Demangle)

set(static_libraries "")
foreach(library IN LISTS clang_components llvm_components)
    if(library IN_LIST clang_components AND NOT "clang${library}" IN_LIST static_names)
        set(name "clang${library}")
    else()
        set(name "LLVM${library}")
    endif()
    list(APPEND static_names "${name}")
    set(path "${llvm_root}/lib/lib${name}.a")
    if(NOT EXISTS "${path}")
        set(static_libraries "")
        break()
    endif()
    list(APPEND static_libraries "${path}")
endforeach()

if(static_libraries)
    find_package(ZLIB REQUIRED)
    find_library(HALOSCOPE_ZSTD NAMES zstd libzstd.so.1 REQUIRED)
    # A group, because Clang's archives depend on each other in circles. exclude-libs keeps LLVM's symbols out of the
    # program's dynamic symbol table, so that a driver with its own LLVM never binds to them.
    target_link_libraries(haloscope_clang INTERFACE
        -Wl,--start-group ${static_libraries} -Wl,--end-group ZLIB::ZLIB ${HALOSCOPE_ZSTD} ${CMAKE_DL_LIBS} m)
    # Not with sanitizers: Clang's sanitizer runtime is an archive, too, and shared libraries must bind to its malloc.
    if(NOT HALOSCOPE_SANITIZE)
        target_link_options(haloscope_clang INTERFACE -Wl,--exclude-libs,ALL)
    endif()
else()
    message(STATUS "Some of Clang's static archives are missing: linking the shared libclang-cpp and libLLVM")
    find_library(HALOSCOPE_CLANG_CPP NAMES clang-cpp libclang-cpp.so.${HALOSCOPE_CLANG_VERSION}.1 HINTS "${llvm_root}/lib" REQUIRED)
    find_library(HALOSCOPE_LLVM NAMES LLVM-${HALOSCOPE_CLANG_VERSION} LLVM libLLVM.so.${HALOSCOPE_CLANG_VERSION}.1 HINTS "${llvm_root}/lib" REQUIRED)
    target_link_libraries(haloscope_clang INTERFACE ${HALOSCOPE_CLANG_CPP} ${HALOSCOPE_LLVM})
endif()
