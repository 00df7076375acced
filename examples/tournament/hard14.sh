# Draws below a hard 14, and counts every ace as 1: `bash hard14.sh HOST PORT NAME`
declare -A points=([Ace]=1 [Two]=2 [Three]=3 [Four]=4 [Five]=5 [Six]=6 [Seven]=7 [Eight]=8 [Nine]=9
                   [Ten]=10 [Jack]=10 [Queen]=10 [King]=10)
exec 3<>"/dev/tcp/$1/$2"
echo "JOIN $3" >&3
total=0
while IFS=$' \r' read -r verb rest <&3; do  # a line may end with CR LF
    case $verb in
        BEGIN) total=0 ;;
        CARD) ((total += points[${rest%% *}])) ;;
        DECISION) if ((total < 14)); then echo HIT; else echo STAND; fi >&3 ;;
        QUIT) break ;;
    esac
done
