"""A table without sockets: who is told what, in which order, and when rounds begin and are charged."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cards import PRESETS, Ace, Bets, CardDealt, Decision, HoleCardRevealed, Naturals, Outcome, Rules
from dealer.tables.budget import Budget
from dealer.tables.mail import Mail
from dealer.tables.notes import MAX_NOTES
from dealer.tables.seat import Seat
from dealer.tables.snapshot import LOG_LINES, for_everybody
from dealer.tables.table import Phase, Table
from protocol import ANSWERS, CardMessage, DealerConversation, DealerQuit, Join, Result, State, encode
from tests.dealer.setting import Setting, setting
from tests.helpers.house import kinds

HIT, STAND = Decision.HIT, Decision.STAND
SHOWDOWN = Rules(preset="showdown", dealer_stands=None, naturals=Naturals.BEAT, seats=2)


def seated(
    rules: Rules, names: str, cards: str = "", rounds: int = 0, seed: int = 1
) -> tuple[Setting, list[Seat]]:
    """A table at which these have just sat down."""
    at, seats = setting(rules, cards, rounds, seed), [Seat(name) for name in names.split()]
    at.sit(*seats)
    return at, seats


# One seat.


def test_a_round_is_told_as_the_protocol_shows_it_and_the_next_follows_at_once() -> None:
    cards = "Ten of Spades, Two of Hearts, Six of Clubs, Ten of Hearts, Seven of Hearts, Nine of Clubs"
    at, (ann,) = seated(Rules(), "ann", cards)
    at.decide(ann, HIT, STAND)
    news = at.news()["ann"]
    assert news[:5] == [
        *("BEGIN", "CARD Ten of Spades", "CARD Two of Hearts", "DEALER Six of Clubs", "DECISION")
    ]
    assert news[5:9] == ["CARD Seven of Hearts", "DECISION", "RESULT WIN", "BEGIN"]
    assert news[-1] == "DECISION"
    assert at.budget.dealt == 2


def test_a_hit_that_goes_over_21_is_a_bust_at_once_and_the_dealer_does_not_play() -> None:
    cards = "Ten of Spades, Six of Spades, Six of Clubs, Ten of Clubs, King of Hearts"
    at, (ann,) = seated(Rules(), "ann", cards, rounds=1)
    at.news()
    at.decide(ann, HIT)
    assert at.news() == {"ann": ["CARD King of Hearts", "RESULT BUST", "QUIT"]}
    ((round_, _),) = at.settled
    assert not any(isinstance(record, HoleCardRevealed) for record in round_.records)


def test_a_dealt_hand_over_21_is_a_bust_at_once_and_such_rounds_end_with_the_budget() -> None:
    aces = "Ace of Spades, Ace of Hearts, Six of Clubs, Ten of Clubs"
    at, _ = seated(Rules(ace=Ace.ELEVEN), "ann", ", ".join([aces] * 3), rounds=3)
    told = ["BEGIN", "CARD Ace of Spades", "CARD Ace of Hearts", "DEALER Six of Clubs", "RESULT BUST"]
    assert at.news() == {"ann": [*told * 3, "QUIT"]}
    assert at.budget.dealt == 3


# How many rounds.


@pytest.mark.parametrize(("rounds", "granted"), [(1, 1), (3, 3), (0, 50)])
def test_a_budget_grants_its_rounds_and_zero_means_no_end_until_it_is_closed(
    rounds: int, granted: int
) -> None:
    budget = Budget(rounds)
    while not budget.is_used_up and budget.dealt < 50:
        budget.charge()
    assert budget.dealt == granted
    assert budget.is_used_up == (rounds > 0)
    budget.close()
    assert budget.is_used_up


def test_a_player_who_sits_down_after_the_last_round_is_sent_away() -> None:
    cards = "Ten of Spades, Nine of Spades, Ten of Clubs, Seven of Clubs"
    at, (ann,) = seated(Rules(), "ann", cards, rounds=1)
    at.decide(ann, STAND)
    at.news()
    at.sit(Seat("bob"))
    assert at.news() == {"bob": ["QUIT"]}
    assert (at.table.phase, at.budget.dealt) == (Phase.CLOSED, 1)


def test_a_player_is_sent_away_after_the_last_round_that_was_asked_for() -> None:
    at, ann = setting(Rules(), rounds=9), Seat("ann", 2)
    at.sit(ann)
    at.decide(ann, STAND, STAND)
    assert at.news()["ann"][-1] == "QUIT"
    assert at.budget.dealt == 2
    assert at.table.has_free_seat


def test_no_round_begins_while_the_budget_is_halted_and_nobody_is_sent_away_for_it() -> None:
    at, (ann, bob) = seated(Rules(seats=2), "ann bob", rounds=2)
    at.budget.halt()
    at.decide(ann, STAND)
    at.decide(bob, STAND)  # the open round is finished
    assert kinds(at.news()["bob"])[-1] == "RESULT"
    assert (at.table.phase, at.budget.dealt, len(at.settled)) == (Phase.WAITING, 1, 1)
    at.read(at.table.go_on())
    assert at.news() == {}
    at.budget.resume()
    at.read(at.table.go_on())
    assert kinds(at.news()["ann"])[0] == "BEGIN"
    assert at.budget.dealt == 2


def test_a_bet_waits_with_its_table_while_the_budget_is_halted() -> None:
    at, (ann,) = seated(replace(PRESETS["vegas"], bets=Bets(10, 80), bankroll=500), "ann")
    at.budget.halt()
    at.news()
    at.bet(ann, 10)
    assert (at.news(), at.table.phase) == ({}, Phase.BETTING)
    at.budget.resume()
    at.read(at.table.go_on())
    assert "BEGIN" in at.news()["ann"]
    assert at.table.in_chips(0, 1) == 10


def test_who_has_had_all_rounds_leaves_though_the_budget_is_halted() -> None:
    at, ann = setting(Rules(), rounds=9), Seat("ann", 1)
    at.sit(ann)
    at.budget.halt()
    at.decide(ann, STAND)
    assert at.news()["ann"][-1] == "QUIT"


def test_a_budget_is_halted_with_the_one_that_it_is_within_or_ends_with() -> None:
    dealers = Budget(0)
    opened = Budget(5, within=Budget(0, ends_with=dealers))
    dealers.halt()
    assert opened.is_halted
    assert not opened.is_used_up
    dealers.resume()
    assert not opened.is_halted


# Several seats.

THREE_HANDS = (
    "Ten of Spades, Six of Spades, "  # ann: 16
    "Ten of Hearts, Nine of Hearts, "  # bob: 19
    "Two of Clubs, Three of Clubs, "  # carl: 5
    "Seven of Diamonds, Ten of Diamonds, "  # the dealer: 17
    "King of Spades, King of Hearts, Queen of Hearts"
)


def three(rounds: int = 1) -> tuple[Setting, list[Seat]]:
    at, seats = seated(Rules(seats=3), "ann bob carl", THREE_HANDS, rounds)
    assert at.news() == {
        "ann": ["BEGIN", "CARD Ten of Spades", "CARD Six of Spades", "DEALER Seven of Diamonds", "DECISION"],
        "bob": ["BEGIN", "CARD Ten of Hearts", "CARD Nine of Hearts", "DEALER Seven of Diamonds"],
        "carl": ["BEGIN", "CARD Two of Clubs", "CARD Three of Clubs", "DEALER Seven of Diamonds"],
    }
    return at, seats


def test_a_round_begins_when_the_last_seat_is_taken() -> None:
    at = setting(Rules(seats=2))
    at.sit(Seat("ann"))
    assert at.news() == {}
    assert at.table.has_free_seat
    assert not at.table.is_open_round
    at.sit(Seat("bob"))
    assert set(at.news()) == {"ann", "bob"}
    assert not at.table.has_free_seat
    assert at.table.is_open_round


def test_each_seat_is_told_its_own_cards_and_plays_its_hand_out_before_the_next_is_asked() -> None:
    at, (ann, bob, carl) = three()
    at.decide(ann, HIT)
    assert at.news() == {"ann": ["CARD King of Spades", "RESULT BUST"], "bob": ["DECISION"]}
    at.decide(bob, STAND)
    assert at.news() == {"carl": ["DECISION"]}
    at.decide(carl, HIT)
    assert at.news() == {"carl": ["CARD King of Hearts", "DECISION"]}
    at.decide(carl, STAND)
    assert at.news() == {"ann": ["QUIT"], "bob": ["RESULT WIN", "QUIT"], "carl": ["RESULT LOOSE", "QUIT"]}
    ((round_, names),) = at.settled
    assert names == ["ann", "bob", "carl"]
    assert round_.outcomes == [Outcome.BUST, Outcome.WIN, Outcome.LOSE]


def test_who_leaves_has_lost_and_the_next_is_asked_if_it_was_their_turn() -> None:
    at, (ann, bob, carl) = three()
    at.leave(carl)
    assert at.news() == {"carl": ["RESULT LOOSE"]}
    at.leave(ann)
    assert at.news() == {"ann": ["RESULT LOOSE"], "bob": ["DECISION"]}
    at.decide(bob, STAND)
    ((round_, names),) = at.settled
    assert names == ["ann", "bob", "carl"]
    assert round_.outcomes == [Outcome.LOSE, Outcome.WIN, Outcome.LOSE]


def test_who_leaves_after_a_bust_keeps_that_result_and_hears_no_more() -> None:
    at, (ann, bob, carl) = three()
    at.decide(ann, HIT)
    at.news()
    at.leave(ann)
    assert at.news() == {}
    at.decide(bob, STAND)
    at.decide(carl, STAND)
    assert "ann" not in at.news()
    assert at.settled[0][0].outcomes[0] is Outcome.BUST


def test_when_everybody_has_left_the_dealer_does_not_play() -> None:
    at, seats = three(rounds=0)
    for seat in seats:
        at.leave(seat)
    ((round_, _),) = at.settled
    assert round_.outcomes == [Outcome.LOSE] * 3
    assert not any(isinstance(record, HoleCardRevealed) for record in round_.records)
    assert not at.table.is_open_round
    assert at.budget.dealt == 1


def test_against_a_dealer_the_others_play_on_when_one_has_had_enough_and_in_a_showdown_they_wait() -> None:
    for rules, phase in ((Rules(seats=2), Phase.PLAYING), (SHOWDOWN, Phase.WAITING)):
        at, ann, bob = setting(rules), Seat("ann", 1), Seat("bob")
        at.sit(ann, bob)
        at.decide(ann, STAND)
        at.news()
        at.decide(bob, STAND)
        news = at.news()
        assert kinds(news["ann"]) == ["RESULT", "QUIT"]
        dealt = ["BEGIN", "CARD", "CARD", "DEALER", "DECISION"] if phase is Phase.PLAYING else []
        assert kinds(news["bob"]) == ["RESULT", *dealt]
        assert at.table.phase is phase
        at.sit(Seat("carl"))
        assert at.budget.dealt == 2
        if phase is Phase.PLAYING:
            assert at.news() == {}  # carl is dealt in from the next round on
            at.decide(bob, STAND)
        assert kinds(at.news()["carl"])[-1] == "DECISION"


def test_once_only_bots_are_left_every_seat_has_to_be_taken_again() -> None:
    at = setting(Rules(seats=3))
    ann, bob, bot = Seat("ann"), Seat("bob"), Seat("bot-1", is_bot=True)
    at.sit(bot, ann, bob)
    assert at.table.seats == [ann, bob, bot]
    at.leave(ann)
    at.leave(bob)
    at.decide(bot, STAND)
    assert (at.budget.dealt, at.table.phase) == (1, Phase.WAITING)
    at.sit(ann)
    assert at.budget.dealt == 1
    at.sit(bob)
    assert at.budget.dealt == 2


# Showdown: the players against each other.


def test_in_a_showdown_the_question_goes_round_and_there_is_no_upcard() -> None:
    cards = "Ten of Spades, Two of Spades, Ten of Hearts, Three of Hearts, Four of Clubs, Five of Clubs"
    at, (ann, bob) = seated(SHOWDOWN, "ann bob", cards, rounds=1)
    assert at.news() == {
        "ann": ["BEGIN", "CARD Ten of Spades", "CARD Two of Spades", "DECISION"],
        "bob": ["BEGIN", "CARD Ten of Hearts", "CARD Three of Hearts"],
    }
    at.decide(ann, HIT)
    assert at.news() == {"ann": ["CARD Four of Clubs"], "bob": ["DECISION"]}
    at.decide(bob, HIT)
    assert at.news() == {"bob": ["CARD Five of Clubs"], "ann": ["DECISION"]}
    at.decide(ann, STAND)
    assert at.news() == {"bob": ["DECISION"]}
    at.decide(bob, STAND)
    assert at.news() == {"ann": ["RESULT LOOSE", "QUIT"], "bob": ["RESULT WIN", "QUIT"]}


def test_in_a_showdown_who_is_left_alone_still_plays_on_and_wins() -> None:
    cards = "Ten of Spades, Nine of Spades, Ten of Hearts, Eight of Hearts, Two of Clubs"
    at, (ann, bob) = seated(SHOWDOWN, "ann bob", cards, rounds=1)
    at.leave(ann)
    at.news()
    at.decide(bob, HIT, STAND)
    assert at.news() == {"bob": ["CARD Two of Clubs", "DECISION", "RESULT WIN", "QUIT"]}


# Whatever happens.

TABLES = [
    *(rules for rules in PRESETS.values() if rules.seats == 1),
    Rules(preset="casino", decks=2, seats=4, naturals=Naturals.BEAT),
    Rules(seats=9),
    Rules(ace=Ace.ELEVEN, seats=3),
    SHOWDOWN,
    Rules(preset="showdown", dealer_stands=None, seats=5),
]


@given(
    rules=st.sampled_from(TABLES),
    seed=st.integers(0, 10**6),
    rounds=st.integers(1, 4),
    steps=st.lists(st.tuples(st.sampled_from("hhssl"), st.integers(0, 8)), max_size=60),
)
def test_every_seat_is_told_a_legal_conversation_about_its_own_hand(
    rules: Rules, seed: int, rounds: int, steps: list[tuple[str, int]]
) -> None:
    """Random decisions, leaving and coming, followed by each seat's own end of the protocol."""
    at = setting(rules, rounds=rounds, seed=seed)
    conversations: dict[Seat, DealerConversation] = {}
    seated: list[Seat] = []
    told: dict[Seat, list[CardMessage]] = {}

    def read(mail: Mail) -> None:
        for seat, messages in mail.items():
            if seat in seated:
                conversations[seat].send(*messages)  # raises if the protocol does not allow them
                told.setdefault(seat, []).extend(m for m in messages if isinstance(m, CardMessage))
                if DealerQuit() in messages:
                    seated.remove(seat)

    def sit() -> None:
        seat = Seat(f"seat{len(conversations)}")
        conversations[seat] = DealerConversation()
        conversations[seat].receive(encode(Join(seat.name)) + b"\n")
        conversations[seat].grant()
        seated.append(seat)
        read(at.table.sit(seat))

    while at.table.has_free_seat and not at.budget.is_used_up:
        sit()
    for action, number in steps:
        asked = [seat for seat in seated if conversations[seat].state in (State.ASKED, State.INSURING)]
        assert len(asked) == at.table.is_open_round  # one, as long as a round is open
        if action == "l" and seated:
            seat = seated[number % len(seated)]
            mail = at.table.leave(seat)
            read(mail)
            assert all(isinstance(message, Result) for message in mail.get(seat, []))
            seated.remove(seat)
            if not at.budget.is_used_up:
                sit()
        elif asked:
            decision = HIT if action == "h" else STAND
            conversations[asked[0]].receive(encode(ANSWERS[decision]) + b"\n")
            read(at.table.decide(asked[0], decision))
    assert at.budget.dealt <= rounds
    assert len(at.settled) == at.budget.dealt - at.table.is_open_round
    if not at.table.is_open_round and not any(action == "l" for action, _ in steps):
        own = [r.card for round_, _ in at.settled for r in round_.records if isinstance(r, CardDealt)]
        heard = [m.card for messages in told.values() for m in messages if isinstance(m, CardMessage)]
        assert sorted(map(str, heard)) == sorted(map(str, own))


def numbered(table: Table) -> dict[int, str]:
    """The lines of the log that a snapshot has, by their numbers."""
    shown = for_everybody(table, number=1, sequence=1, practice=False, clock=None)
    first = shown["logged"] - len(shown["log"])
    return dict(enumerate(shown["log"], first))


def test_notes_are_bounded_and_lines_keep_their_numbers() -> None:
    at = setting(replace(SHOWDOWN, seats=3))
    told: dict[int, str] = {}
    for visit in range(5 * MAX_NOTES):
        guest = Seat(f"guest-{visit}")
        at.sit(guest)
        at.leave(guest)
        shown = numbered(at.table)
        assert all(told.get(number, line) == line for number, line in shown.items())
        told |= shown
        assert len(at.table.notes.kept) <= MAX_NOTES
    assert MAX_NOTES >= 2 * LOG_LINES
    assert len(told) == 2 * 5 * MAX_NOTES  # each line was shown, under a number of its own
    at.sit(Seat("ann"), Seat("bob"), Seat("carl"))
    assert min(numbered(at.table)) >= len(told)  # so are the lines of the round that begins at last


# SHOW.


def test_who_has_asked_is_told_the_dealers_cards_before_its_result_and_nobody_else() -> None:
    cards = "Ten of Spades, Two of Spades, Nine of Clubs, Nine of Hearts, Six of Clubs, Ten of Clubs"
    at, (ada, bob) = seated(Rules(seats=2), "ada bob", f"{cards}, Five of Hearts")
    bob.tell_cards(True)
    at.decide(ada, STAND)
    at.news()
    at.decide(bob, STAND)
    news = at.news()
    assert news["ada"][0] == "RESULT LOOSE"
    assert news["bob"][:3] == ["DEALER Ten of Clubs", "DEALER Five of Hearts", "RESULT LOOSE"]


def test_without_a_dealer_it_is_the_others_hands_once_nobody_is_asked_any_more() -> None:
    cards = "Ten of Spades, Two of Spades, Ten of Clubs, Nine of Hearts, Six of Clubs, Ten of Hearts"
    at, (ada, bob, eve) = seated(replace(SHOWDOWN, seats=3), "ada bob eve", f"{cards}, King of Clubs")
    at.news()
    for seat in (ada, bob):
        seat.tell_cards(True)
    at.decide(ada, HIT)  # and is told at once that it is bust, and nothing of the others
    assert at.news()["ada"] == ["CARD King of Clubs", "RESULT BUST"]
    at.decide(bob, STAND)
    at.news()
    at.decide(eve, STAND)
    news = at.news()
    assert news["bob"][:3] == [
        "SEAT 1 ada Ten of Spades, Two of Spades, King of Clubs",
        "SEAT 3 eve Six of Clubs, Ten of Hearts",
        "RESULT WIN",
    ]
    assert news["eve"][0] == "RESULT LOOSE"


def test_who_has_left_is_not_shown() -> None:
    at, (ada, bob) = seated(SHOWDOWN, "ada bob", "Ten of Spades, Two of Spades, Ten of Clubs, Nine of Hearts")
    bob.tell_cards(True)
    at.leave(ada)
    at.decide(bob, STAND)
    assert [line for line in at.news()["bob"] if line.startswith(("SEAT", "RESULT"))] == ["RESULT WIN"]
