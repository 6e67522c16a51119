option(TURNSTILE_SANITIZE "address and undefined-behaviour sanitizers" OFF)
option(TURNSTILE_COVERAGE "count which lines the tests reach" OFF)
option(TURNSTILE_FUZZ "build the fuzz targets (clang only)" OFF)

if(TURNSTILE_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
if(TURNSTILE_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()
if(TURNSTILE_FUZZ)
  # Every folder tells the fuzzer which of its branches were taken; only the targets have its main.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
