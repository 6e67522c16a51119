# Runs a system test and keeps what it prints, so that `make test` can show it at the end.
#   bash logged.bash SCRIPT LOG
mkdir -p "$(dirname "$2")"
bash "$1" >"$2" 2>&1
status=$?
cat "$2"
exit $status
