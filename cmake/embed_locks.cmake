# Writes the file INPUT into the C file OUTPUT, as the array of cli/library_locks.h.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"cli/library_locks.h\"\n\nconst unsigned char library_locks[] = {${bytes}0};\nconst size_t library_locks_size = sizeof library_locks - 1;\n")
