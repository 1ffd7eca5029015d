#!/usr/bin/env bash
# Runs a program with windows on a display and a bus of its own, below E2E_OUT, so that accessible.py can read what it
# shows: window.sh COMMAND...
set -euo pipefail
Xvfb -displayfd 3 -noreset -nolisten tcp -screen 0 1200x900x24 3> "$E2E_OUT/display" 2> "$E2E_OUT/xvfb.log" &
trap 'kill %1' EXIT
until [ -s "$E2E_OUT/display" ]; do kill -0 %1; sleep 0.05; done
export DISPLAY=:$(cat "$E2E_OUT/display") QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1
dbus-run-session -- bash -c '
  /usr/libexec/at-spi-bus-launcher --launch-immediately & launcher=$!
  for name in IsEnabled ScreenReaderEnabled; do # programs look when they start
    until dbus-send --print-reply --dest=org.a11y.Bus /org/a11y/bus org.freedesktop.DBus.Properties.Set string:org.a11y.Status "string:$name" variant:boolean:true; do sleep 0.1; done
  done > /dev/null 2>&1
  echo "$DBUS_SESSION_BUS_ADDRESS" > "$E2E_OUT/bus"
  "$@"
  pkill -P "$launcher" # the bus that it has started would outlive it
  ' bash "$@" > "$E2E_OUT/window.log" 2>&1
