# Every target is built without warnings, with gcc and with clang.
option(TURNSTILE_WERROR "treat warnings as errors" OFF)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
                    -Wmissing-prototypes -Wvla -fno-strict-overflow)
if(TURNSTILE_WERROR)
  add_compile_options(-Werror)
endif()
add_compile_definitions(_GNU_SOURCE TURNSTILE_VERSION="${PROJECT_VERSION}")
