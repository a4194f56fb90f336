# The target stb: <stb_image.h> and <stb_image_write.h> with their implementations, so no other file may define
# STB_..._IMPLEMENTATION. Debian's compiled libstb is not used, because it contains all other stb headers, too.
find_path(HALOSCOPE_STB_INCLUDE_DIR stb_image_write.h PATH_SUFFIXES stb)
if(NOT HALOSCOPE_STB_INCLUDE_DIR)
    FetchContent_Declare(stb GIT_REPOSITORY https://github.com/nothings/stb
        GIT_TAG 5736b15f7ea0ffb08dd38af21067c314d6a3aae9)
    FetchContent_MakeAvailable(stb)
    set(HALOSCOPE_STB_INCLUDE_DIR "${stb_SOURCE_DIR}")
endif()
set(stb_sources "")
foreach(header stb_image stb_image_write)
    if(EXISTS "${HALOSCOPE_STB_INCLUDE_DIR}/${header}.h")
        string(TOUPPER "${header}" macro)
        file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/stb/${header}.c" CONTENT
            "#define ${macro}_IMPLEMENTATION\n#include <${header}.h>\n")
        list(APPEND stb_sources "${PROJECT_BINARY_DIR}/stb/${header}.c")
    endif()
endforeach()
add_library(stb STATIC ${stb_sources})
target_include_directories(stb SYSTEM PUBLIC "${HALOSCOPE_STB_INCLUDE_DIR}")
target_compile_options(stb PRIVATE -w -ffunction-sections -fdata-sections)
target_link_libraries(stb PUBLIC m)
