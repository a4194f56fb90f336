# The source distribution of Dear ImGui Bundle, `external`, and what is compiled from it also without a window:
#   md4c                    <md4c.h>: a parser of Markdown, without ImGui

set(HALOSCOPE_IMGUI_BUNDLE_DIR "" CACHE PATH "Unpacked source distribution of Dear ImGui Bundle; empty: fetch it")
set(bundle_dir "${HALOSCOPE_IMGUI_BUNDLE_DIR}")
if(NOT bundle_dir)
    set(fetch_script "${PROJECT_SOURCE_DIR}/app/cmake/fetch_imgui_bundle.py")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${fetch_script}")
    execute_process(COMMAND "${HALOSCOPE_PYTHON}" "${fetch_script}"
        OUTPUT_VARIABLE bundle_dir OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE fetch_result)
    if(NOT fetch_result EQUAL 0)
        message(FATAL_ERROR "haloscope: error: Dear ImGui Bundle could not be fetched (see above). "
            "Set HALOSCOPE_IMGUI_BUNDLE in the environment to its source archive.")
    endif()
endif()
set(external "${bundle_dir}/external")

function(haloscope_third_party name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "OBJECT" "" "SOURCES;INCLUDE;LINK")
    if(arg_OBJECT)
        add_library(${name} OBJECT ${arg_SOURCES})
    else()
        add_library(${name} STATIC ${arg_SOURCES})
    endif()
    target_compile_features(${name} PUBLIC cxx_std_20)
    target_include_directories(${name} SYSTEM PUBLIC ${arg_INCLUDE})
    target_compile_options(${name} PRIVATE -w -ffunction-sections -fdata-sections)
    target_link_libraries(${name} PUBLIC ${arg_LINK})
endfunction()

# The Markdown parser of the bundle's imgui_rich_md. Its renderer is not used: see lessons/Markdown.h.
set(md4c_dir "${external}/imgui_rich_md/imgui_rich_md/external/md4c/src")
haloscope_third_party(md4c SOURCES "${md4c_dir}/md4c.c" INCLUDE "${md4c_dir}")
