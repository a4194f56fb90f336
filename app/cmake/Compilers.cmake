# Which compilers are used; included before project(). Clang compiles Haloscope in half of GCC's time, but the emulator's
# loops run 30 to 50 % slower from it, so it and its observers (haloscope_hot_loop) stay with GCC. Both use libstdc++ and
# one ABI. Without Clang, or with a compiler named by CMAKE_CXX_COMPILER or CXX, one compiler does everything.
# app/cmake/clang-version is the one place that says which version: Debian 12 and 13 have it.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/clang-version" HALOSCOPE_CLANG_VERSION)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/clang-version")
option(HALOSCOPE_PREFER_CLANG "Compile with Clang ${HALOSCOPE_CLANG_VERSION} where it is installed, and the emulator with GCC" OFF)

if(HALOSCOPE_PREFER_CLANG AND NOT CMAKE_CXX_COMPILER AND NOT CMAKE_C_COMPILER AND NOT DEFINED ENV{CXX})
    find_program(HALOSCOPE_CLANG_C clang-${HALOSCOPE_CLANG_VERSION})
    find_program(HALOSCOPE_CLANG_CXX clang++-${HALOSCOPE_CLANG_VERSION})
    if(HALOSCOPE_CLANG_C AND HALOSCOPE_CLANG_CXX)
        set(CMAKE_C_COMPILER "${HALOSCOPE_CLANG_C}")
        set(CMAKE_CXX_COMPILER "${HALOSCOPE_CLANG_CXX}")
    endif()
endif()
