#!/bin/sh
# Deal, train and play once on this machine, and say how to go on. Called by `make play`.
set -eu

folder=$(mktemp -d)
dealer 0 0 --quiet --port-file "$folder/port" >"$folder/summary" &
dealer=$!
trap 'kill -INT "$dealer" 2>/dev/null || true; wait "$dealer" || true; rm -rf "$folder"' EXIT

while [ ! -s "$folder/port" ]; do
    kill -0 "$dealer" || exit 1
    sleep 0.05
done
port=$(cat "$folder/port")

echo "A dealer is open on port $port of this machine. Training for 50,000 rounds at it:"
training 127.0.0.1 "$port" 50000
echo
echo "Playing 1,000 rounds by the table that was learned:"
player 127.0.0.1 "$port" --rounds 1000
echo
echo "To go on, in three terminals:"
echo "  $BIN/dealer 8088 0                     # by hand: nc 127.0.0.1 8088, then JOIN yourname"
echo "  $BIN/training 0.0.0.0 8088 50000       # learning goes on from qtables/qtable.txt"
echo "  $BIN/player 0.0.0.0 8088 --rounds 1000"
