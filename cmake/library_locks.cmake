# share/*.locks become C arrays in the command, and are installed for people to read.
set(LIBRARY_LOCKS_SOURCE ${CMAKE_BINARY_DIR}/library_locks.c)
set(LIBRARY_LOCKS_FILES ${CMAKE_SOURCE_DIR}/share/jdk.locks ${CMAKE_SOURCE_DIR}/share/libraries.locks)
add_custom_command(OUTPUT ${LIBRARY_LOCKS_SOURCE}
  COMMAND ${CMAKE_COMMAND} "-DINPUTS=${LIBRARY_LOCKS_FILES}" -DOUTPUT=${LIBRARY_LOCKS_SOURCE}
          -P ${CMAKE_SOURCE_DIR}/cmake/embed_locks.cmake
  DEPENDS ${LIBRARY_LOCKS_FILES} ${CMAKE_SOURCE_DIR}/cmake/embed_locks.cmake
  COMMENT "Embedding the lock types of libraries" VERBATIM)
install(FILES ${LIBRARY_LOCKS_FILES} DESTINATION ${CMAKE_INSTALL_DATADIR}/turnstile)
