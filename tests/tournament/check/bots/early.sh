# A program with one fault: it does not wait for DECISION, but answers the upcard.
exec 3<>"/dev/tcp/$1/$2"
echo "JOIN $3" >&3
while read -r verb rest <&3; do
    if [ "$verb" = DEALER ]; then echo STAND >&3; fi
done
exit 0
