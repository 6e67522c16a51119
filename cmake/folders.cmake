# src/X becomes the static library turnstile_X, linked with the folders declared before it.
set(TURNSTILE_EARLIER_FOLDERS "")

macro(turnstile_folder name)
  cmake_parse_arguments(FOLDER "" "" "LINKS" ${ARGN})
  file(GLOB FOLDER_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c)
  add_library(turnstile_${name} STATIC ${FOLDER_SOURCES})
  target_include_directories(turnstile_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  if(TURNSTILE_TESTS AND NOT TURNSTILE_TESTS STREQUAL SYSTEM AND CMAKE_INTERPROCEDURAL_OPTIMIZATION AND
     CMAKE_C_COMPILER_ID STREQUAL GNU)
    target_compile_options(turnstile_${name} PRIVATE -ffat-lto-objects) # test/CMakeLists.txt links without
  endif()
  target_link_libraries(turnstile_${name} PUBLIC ${TURNSTILE_EARLIER_FOLDERS} ${FOLDER_LINKS})
  list(PREPEND TURNSTILE_EARLIER_FOLDERS turnstile_${name})
endmacro()

# The command, build/turnstile.
macro(turnstile_program name)
  file(GLOB PROGRAM_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c)
  add_executable(turnstile ${PROGRAM_SOURCES} ${LIBRARY_LOCKS_SOURCE})
  target_link_libraries(turnstile PRIVATE ${TURNSTILE_EARLIER_FOLDERS})
  install(TARGETS turnstile RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endmacro()

# The agent, build/libturnstile.so.
macro(turnstile_agent name)
  file(GLOB AGENT_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.c)
  add_library(turnstile_agent SHARED ${AGENT_SOURCES} ${HOOK_FOLDER}/hook_classes.c)
  set_target_properties(turnstile_agent PROPERTIES OUTPUT_NAME turnstile)
  target_include_directories(turnstile_agent PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(turnstile_agent SYSTEM PRIVATE ${TURNSTILE_JDK_INCLUDES})
  target_link_libraries(turnstile_agent PRIVATE ${TURNSTILE_EARLIER_FOLDERS})
  target_link_options(turnstile_agent PRIVATE -Wl,--exclude-libs,ALL)
  install(TARGETS turnstile_agent LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/turnstile)
endmacro()
