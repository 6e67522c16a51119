# share/jdk.locks becomes a C array in the command, and is installed for people to read.
set(LIBRARY_LOCKS_SOURCE ${CMAKE_BINARY_DIR}/library_locks.c)
add_custom_command(OUTPUT ${LIBRARY_LOCKS_SOURCE}
  COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_SOURCE_DIR}/share/jdk.locks -DOUTPUT=${LIBRARY_LOCKS_SOURCE}
          -P ${CMAKE_SOURCE_DIR}/cmake/embed_locks.cmake
  DEPENDS ${CMAKE_SOURCE_DIR}/share/jdk.locks ${CMAKE_SOURCE_DIR}/cmake/embed_locks.cmake
  COMMENT "Embedding jdk.locks" VERBATIM)
install(FILES ${CMAKE_SOURCE_DIR}/share/jdk.locks DESTINATION ${CMAKE_INSTALL_DATADIR}/turnstile)
