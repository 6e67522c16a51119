# java/hook: the classes that rewritten code calls. They are compiled as part of java.base, against an outline of
# java.lang.Thread with the fields that the agent adds to it, and become a C array in the agent.
file(GLOB HOOK_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/java/hook/java/lang/*.java)
set(HOOK_CLASSES "")
foreach(source ${HOOK_SOURCES})
  get_filename_component(name ${source} NAME_WE)
  list(APPEND HOOK_CLASSES ${name})
endforeach()
set(HOOK_FOLDER ${CMAKE_BINARY_DIR}/hook)
add_custom_command(OUTPUT ${HOOK_FOLDER}/hook_classes.c
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${HOOK_FOLDER}/classes
  COMMAND ${TURNSTILE_JDK}/bin/javac -d ${HOOK_FOLDER}/classes -Xlint:-options -source 17 -target 17 -implicit:none
          --patch-module java.base=${CMAKE_SOURCE_DIR}/java/outline:${CMAKE_SOURCE_DIR}/java/hook ${HOOK_SOURCES}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${HOOK_FOLDER}/classes/java/lang -DOUTPUT=${HOOK_FOLDER}/hook_classes.c
          -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${HOOK_SOURCES} ${CMAKE_SOURCE_DIR}/java/outline/java/lang/Thread.java ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Compiling the hook classes" VERBATIM)
