# All dependencies. Debian's packages are preferred (app/cmake/install-dependencies.sh installs them); without them
# FetchContent gets the same version from the project's repository. Clang, libseccomp, giflib, Pango, CUDA, OpenGL and GLAD's
# generator must be installed.

# The system's Python is preferred to others in PATH, because Debian's python3-glad is installed for it.
find_program(HALOSCOPE_PYTHON NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(HALOSCOPE_PYTHON NAMES python3 REQUIRED)

include(FetchContent)
set(FETCHCONTENT_QUIET ON)

# For everything without a window.
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
FetchContent_Declare(fmt GIT_REPOSITORY https://github.com/fmtlib/fmt GIT_TAG 9.1.0 FIND_PACKAGE_ARGS)
FetchContent_Declare(nlohmann_json GIT_REPOSITORY https://github.com/nlohmann/json GIT_TAG v3.11.2 FIND_PACKAGE_ARGS)
FetchContent_Declare(yaml-cpp GIT_REPOSITORY https://github.com/jbeder/yaml-cpp GIT_TAG 0.8.0 FIND_PACKAGE_ARGS)
FetchContent_Declare(CLI11 GIT_REPOSITORY https://github.com/CLIUtils/CLI11 GIT_TAG v2.3.2 FIND_PACKAGE_ARGS)
set(YAML_CPP_BUILD_TOOLS OFF)
set(YAML_CPP_BUILD_TESTS OFF)
set(ENABLE_SAMPLES OFF)
FetchContent_MakeAvailable(fmt nlohmann_json yaml-cpp CLI11)
if(NOT TARGET yaml-cpp::yaml-cpp) # Debian 12's yaml-cpp 0.7 names its target without a namespace
    add_library(yaml-cpp::yaml-cpp ALIAS yaml-cpp)
endif()
include(ClangLibraries)
include(Stb)
include(BundledSources)
# The archive is preferred, so that no other machine needs the library.
find_path(HALOSCOPE_SECCOMP_INCLUDE_DIR seccomp.h)
find_library(HALOSCOPE_SECCOMP NAMES libseccomp.a seccomp)
if(NOT HALOSCOPE_SECCOMP_INCLUDE_DIR OR NOT HALOSCOPE_SECCOMP)
    message(FATAL_ERROR "haloscope: error: libseccomp was not found (Debian: libseccomp-dev)")
endif()
add_library(seccomp UNKNOWN IMPORTED)
set_target_properties(seccomp PROPERTIES IMPORTED_LOCATION "${HALOSCOPE_SECCOMP}"
    INTERFACE_INCLUDE_DIRECTORIES "${HALOSCOPE_SECCOMP_INCLUDE_DIR}")
find_path(HALOSCOPE_GIF_INCLUDE_DIR gif_lib.h)
find_library(HALOSCOPE_GIF NAMES libgif.a gif)
if(NOT HALOSCOPE_GIF_INCLUDE_DIR OR NOT HALOSCOPE_GIF)
    message(FATAL_ERROR "haloscope: error: giflib was not found (Debian: libgif-dev)")
endif()
add_library(gif UNKNOWN IMPORTED)
set_target_properties(gif PROPERTIES IMPORTED_LOCATION "${HALOSCOPE_GIF}"
    INTERFACE_INCLUDE_DIRECTORIES "${HALOSCOPE_GIF_INCLUDE_DIR}")
find_package(PkgConfig)
if(PkgConfig_FOUND)
    pkg_check_modules(PANGO QUIET IMPORTED_TARGET pangocairo pangofc cairo-pdf fontconfig)
endif()
if(NOT TARGET PkgConfig::PANGO)
    message(FATAL_ERROR "haloscope: error: Pango and cairo were not found (Debian: libpango1.0-dev pkg-config)")
endif()

# For the window.
if(HALOSCOPE_GUI)
    FetchContent_Declare(glm GIT_REPOSITORY https://github.com/g-truc/glm GIT_TAG 0.9.9.8 FIND_PACKAGE_ARGS)
    FetchContent_Declare(glfw3 GIT_REPOSITORY https://github.com/glfw/glfw GIT_TAG 3.3.8 FIND_PACKAGE_ARGS)
    set(GLFW_BUILD_DOCS OFF)
    set(GLFW_BUILD_TESTS OFF)
    set(GLFW_BUILD_EXAMPLES OFF)
    FetchContent_MakeAvailable(glm glfw3)
    find_package(OpenGL REQUIRED COMPONENTS EGL)
    include(Glad)
    include(ImGuiBundle)
endif()

if(HALOSCOPE_TESTS)
    FetchContent_Declare(googletest GIT_REPOSITORY https://github.com/google/googletest GIT_TAG v1.12.1
        FIND_PACKAGE_ARGS NAMES GTest)
    FetchContent_MakeAvailable(googletest)
endif()

# Optional, and only its headers are used: NVRTC, CUPTI and the driver are opened at run time, so that the same program
# starts on a machine without them.
set(HALOSCOPE_HAS_CUDA 0)
if(HALOSCOPE_CUDA)
    find_package(CUDAToolkit QUIET)
    if(CUDAToolkit_FOUND AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.8 AND TARGET CUDA::cudart_static)
        set(HALOSCOPE_HAS_CUDA 1)
        message(STATUS "CUDA toolkit ${CUDAToolkit_VERSION} found: kernels can run on a GPU")
    else()
        message(STATUS "No CUDA toolkit 12.8 or newer found: building without GPU execution")
    endif()
endif()
