# What the program reads at run time, next to the executable: build/<preset>/{kernels,shaders,assets}. Links, so that an
# edited kernel or shader takes effect without a build. The fonts come from Debian's packages.

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
    /usr/share/fonts/truetype/jetbrains-mono /usr/share/fonts/opentype/noto)
set(font_packages "Debian: fonts-inter fonts-jetbrains-mono fonts-noto-cjk")
foreach(font Inter-Regular.otf Inter-SemiBold.otf Inter-Italic.otf JetBrainsMono-Regular.ttf JetBrainsMono-Bold.ttf)
    find_file(font_file NAMES "${font}" PATHS ${font_folders} NO_DEFAULT_PATH NO_CACHE)
    if(font_file)
        configure_file("${font_file}" "${PROJECT_BINARY_DIR}/assets/fonts/${font}" COPYONLY)
    else()
        message(WARNING "Font ${font} not found (${font_packages})")
    endif()
    unset(font_file)
endforeach()

# Chinese, without tables that ImGui does not read: the characters and signs of Unicode's basic blocks, 5 MB instead of the
# 20 MB of all languages. In bold, those that Haloscope's own texts have and the most frequent ones; others that a user
# writes are drawn from the regular font.
find_program(HALOSCOPE_HB_SUBSET NAMES hb-subset)
if(NOT HALOSCOPE_HB_SUBSET)
    message(FATAL_ERROR "haloscope: error: hb-subset was not found (Debian: libharfbuzz-bin)")
endif()
set(bold_characters "${PROJECT_BINARY_DIR}/assets/bold-characters.txt")
file(GLOB_RECURSE texts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/assets/*.po" "${PROJECT_SOURCE_DIR}/assets/*/zh/*.md")
set(characters_script "${PROJECT_SOURCE_DIR}/app/cmake/bold_characters.py")
add_custom_command(OUTPUT "${bold_characters}" DEPENDS "${characters_script}" ${texts} VERBATIM
    COMMAND "${HALOSCOPE_PYTHON}" "${characters_script}" "${bold_characters}" ${texts})
set(Regular_characters --unicodes=2010-203B,3000-303F,4E00-9FFF,FF00-FFEF)
set(Bold_characters "--text-file=${bold_characters}")
set(Bold_depends "${bold_characters}")
set(chinese_fonts)
foreach(weight Regular Bold)
    find_file(font_file NAMES "NotoSansCJK-${weight}.ttc" PATHS ${font_folders} NO_DEFAULT_PATH NO_CACHE)
    if(font_file)
        set(cut "${PROJECT_BINARY_DIR}/assets/fonts/NotoSansCJKsc-${weight}.otf")
        add_custom_command(OUTPUT "${cut}" DEPENDS "${font_file}" ${${weight}_depends} VERBATIM
            COMMAND "${HALOSCOPE_HB_SUBSET}" --face-index=2 --no-hinting --layout-features=
                --drop-tables+=GSUB,GPOS,vhea,vmtx,VORG ${${weight}_characters}
                "--output-file=${cut}" "${font_file}")
        list(APPEND chinese_fonts "${cut}")
    else()
        message(WARNING "Font NotoSansCJK-${weight}.ttc not found (${font_packages})")
    endif()
    unset(font_file)
endforeach()
add_custom_target(haloscope_fonts DEPENDS ${chinese_fonts})
add_dependencies(haloscope haloscope_fonts)
