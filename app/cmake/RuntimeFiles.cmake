# What the program reads at run time, next to the executable: build/<preset>/{kernels,shaders,assets}. Links, so that an
# edited kernel or shader takes effect without a build. The fonts are copied from Debian's packages.

foreach(folder kernels shaders)
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
        file(CREATE_LINK "${PROJECT_SOURCE_DIR}/${folder}" "${PROJECT_BINARY_DIR}/${folder}" SYMBOLIC)
    endif()
endforeach()

# assets/ itself is a real folder, because its fonts and compiled catalogues are not part of the source tree.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/assets/fonts")
file(GLOB assets CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/assets/*")
foreach(asset IN LISTS assets)
    cmake_path(GET asset FILENAME name)
    if(NOT name MATCHES "^(fonts|languages)$")
        file(CREATE_LINK "${asset}" "${PROJECT_BINARY_DIR}/assets/${name}" SYMBOLIC)
    endif()
endforeach()

# The catalogues of translations, compiled.
find_program(HALOSCOPE_MSGFMT NAMES msgfmt)
if(NOT HALOSCOPE_MSGFMT)
    message(FATAL_ERROR "haloscope: error: msgfmt was not found (Debian: gettext)")
endif()
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/assets/languages")
set(catalogues)
file(GLOB languages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/assets/languages/*.po")
foreach(language IN LISTS languages)
    cmake_path(GET language STEM name)
    set(catalogue "${PROJECT_BINARY_DIR}/assets/languages/${name}.mo")
    add_custom_command(OUTPUT "${catalogue}" DEPENDS "${language}" VERBATIM
        COMMAND "${HALOSCOPE_MSGFMT}" --output-file "${catalogue}" "${language}")
    list(APPEND catalogues "${catalogue}")
endforeach()
add_custom_target(haloscope_catalogues DEPENDS ${catalogues})
add_dependencies(haloscope haloscope_catalogues)

# Clang's own headers, with which it compiles a program's host half.
cmake_path(SET clang_headers NORMALIZE "${HALOSCOPE_LLVM_INCLUDE_DIR}/../lib/clang/${HALOSCOPE_CLANG_VERSION}/include")
if(IS_DIRECTORY "${clang_headers}")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/assets/clang")
    file(CREATE_LINK "${clang_headers}" "${PROJECT_BINARY_DIR}/assets/clang/include" SYMBOLIC)
else()
    message(WARNING "Clang's headers were not found (Debian: libclang-common-${HALOSCOPE_CLANG_VERSION}-dev): "
        "host code will not be executed")
endif()

set(font_folders
    /usr/share/fonts/opentype/inter /usr/share/fonts/truetype/inter
    /usr/share/fonts/truetype/jetbrains-mono /usr/share/fonts/truetype/wqy)
foreach(font Inter-Regular.otf Inter-SemiBold.otf Inter-Italic.otf
        JetBrainsMono-Regular.ttf JetBrainsMono-Bold.ttf wqy-microhei.ttc)
    find_file(font_file NAMES "${font}" PATHS ${font_folders} NO_DEFAULT_PATH NO_CACHE)
    if(font_file)
        configure_file("${font_file}" "${PROJECT_BINARY_DIR}/assets/fonts/${font}" COPYONLY)
    else()
        message(WARNING "Font ${font} not found (Debian: fonts-inter fonts-jetbrains-mono fonts-wqy-microhei)")
    endif()
    unset(font_file)
endforeach()
