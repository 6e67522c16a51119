# java/annotation: the annotation types that users compile against, build/turnstile-annotations.jar. Each source is one
# class; the entries are named one by one, in order and with a fixed date, so that the same sources give the same bytes.
file(GLOB ANNOTATION_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/java/annotation/turnstile/annotation/*.java)
set(ANNOTATION_CLASSES "")
foreach(source ${ANNOTATION_SOURCES})
  get_filename_component(name ${source} NAME_WE)
  if(NOT name STREQUAL "package-info")
    list(APPEND ANNOTATION_CLASSES turnstile/annotation/${name}.class)
  endif()
endforeach()
set(ANNOTATION_FOLDER ${CMAKE_BINARY_DIR}/annotation)
set(ANNOTATION_JAR ${CMAKE_BINARY_DIR}/turnstile-annotations.jar)
file(CONFIGURE OUTPUT ${ANNOTATION_FOLDER}/manifest @ONLY CONTENT
"Automatic-Module-Name: turnstile.annotation
Implementation-Title: turnstile-annotations
Implementation-Version: @PROJECT_VERSION@
")
add_custom_command(OUTPUT ${ANNOTATION_JAR}
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${ANNOTATION_FOLDER}/classes
  COMMAND ${CMAKE_COMMAND} -E make_directory ${ANNOTATION_FOLDER}/classes
  COMMAND ${TURNSTILE_JDK}/bin/javac -d ${ANNOTATION_FOLDER}/classes -Xlint:-options --release 8 ${ANNOTATION_SOURCES}
  COMMAND ${CMAKE_COMMAND} -E chdir ${ANNOTATION_FOLDER}/classes
          ${TURNSTILE_JDK}/bin/jar --create --file ${ANNOTATION_JAR} --date 1980-01-01T00:00:02Z
          --manifest ${ANNOTATION_FOLDER}/manifest ${ANNOTATION_CLASSES}
  DEPENDS ${ANNOTATION_SOURCES} ${ANNOTATION_FOLDER}/manifest
  COMMENT "Compiling the annotation types" VERBATIM)
add_custom_target(turnstile_annotations ALL DEPENDS ${ANNOTATION_JAR})
install(FILES ${ANNOTATION_JAR} DESTINATION ${CMAKE_INSTALL_DATADIR}/java)
