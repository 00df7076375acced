# A program with one fault: it says STAND for ever, whatever it is asked.
exec 3<>"/dev/tcp/$1/$2"
echo "JOIN $3" >&3
yes STAND >&3
