#!/bin/sh
# Restarts the processes one after the other. nginx sends the requests to the others meanwhile, and none fails. Run it as root.
#
# PORTS    Ports of the processes. Default: "4401 4402"
# RESTART  Command that restarts the process whose port is its last argument, and waits until the old process has ended.
#          Default: "systemctl restart" with the unit latchkey@<port>
set -eu

restart() {
  if [ -n "${RESTART:-}" ]; then $RESTART "$1"; else systemctl restart "latchkey@$1"; fi
}

for port in ${PORTS:-4401 4402}; do
  restart "$port"
  until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/readyz"; do sleep 0.2; done
done
