package custody

import (
	"strings"
	"testing"

	"shuffler/deckcheck"
	"shuffler/shuffle"
)

// tally is a whole pack with some faces changed.
func tally(change func(*deckcheck.Tally)) deckcheck.Tally {
	var t deckcheck.Tally
	for i := range t.Faces {
		t.Faces[i] = 1
	}
	change(&t)
	t.Fed = uint16(t.Reads())
	return t
}

func judge(change func(*deckcheck.Tally)) deckcheck.Verdict {
	return deckcheck.Judge(tally(change), deckcheck.Confusions{})
}

var (
	good     = judge(func(*deckcheck.Tally) {})
	twoJacks = judge(func(t *deckcheck.Tally) { t.Faces[deckcheck.DeckSize-1]--; t.Faces[0]++ })
	backs    = judge(func(t *deckcheck.Tally) { t.Faces[3]--; t.Backs = 1 })
	jokers   = judge(func(t *deckcheck.Tally) { t.Jokers = 2 })
	boxed    = judge(func(t *deckcheck.Tally) { t.Faces[5]--; t.Boxed = 1 })
	short    = judge(func(t *deckcheck.Tally) { t.Faces[5]-- })
	unread   = judge(func(t *deckcheck.Tally) { t.Stop = deckcheck.UnreadLighting })
)

// TestD6_NoCauseIsAPlayersWish: the list is closed, and what a player says is not
// on it.
func TestD6_NoCauseIsAPlayersWish(t *testing.T) {
	for _, wish := range []string{"player", "player_request", "players_request", "customer", "superstition", "bad_luck", "unlucky", "顾客要求"} {
		if c, err := ParseCause(wish); err == nil {
			t.Errorf("%q is the cause %v", wish, c)
		}
	}
	for _, c := range Causes() {
		if strings.Contains(c.String(), "player") || strings.Contains(c.String(), "(") {
			t.Errorf("cause %v", c)
		}
		back, err := ParseCause(c.String())
		if err != nil || back != c {
			t.Errorf("%v reads back as %v: %v", c, back, err)
		}
	}
}

// TestD5_QuarantineOnlyForWhatIsListed: a find that no second check has confirmed
// is no cause; what was found in play, and the floor's order, are.
func TestD5_QuarantineOnlyForWhatIsListed(t *testing.T) {
	once := Deck{ID: "d", Lock: Unchecked}.Judged(1, twoJacks)
	twice := once.Judged(2, twoJacks)
	back := Deck{ID: "d", Lock: Unchecked}.Judged(1, backs).Judged(2, backs)
	for _, c := range []struct {
		what string
		d    Deck
		said SentAway
		want SentAway
		why  Refusal
	}{
		{"found once", once, DuplicateConfirmed, DuplicateConfirmed, NotConfirmed},
		{"found twice", twice, DuplicateConfirmed, DuplicateConfirmed, OK},
		{"found twice, nothing said", twice, NotSentAway, DuplicateConfirmed, OK},
		{"another find", twice, BackConfirmed, BackConfirmed, NotConfirmed},
		{"backs twice", back, NotSentAway, BackConfirmed, OK},
		{"backs twice, said", back, BackConfirmed, BackConfirmed, OK},
		{"backs twice, other said", back, DuplicateConfirmed, DuplicateConfirmed, NotConfirmed},
		{"good, nothing said", Deck{}.Judged(1, good), NotSentAway, SentByFloor, OK},
		{"good", Deck{}.Judged(1, good), DuplicateConfirmed, DuplicateConfirmed, NotConfirmed},
		{"short, nothing said", Deck{}.Judged(1, short), NotSentAway, SentByFloor, OK},
		{"in play", Deck{}.Judged(1, good), JokerInPlay, JokerInPlay, OK},
		{"in play", Deck{}.Judged(1, good), DuplicateInPlay, DuplicateInPlay, OK},
	} {
		if got, why := c.d.SendAway(c.said); got != c.want || why != c.why {
			t.Errorf("%s: %v, %v; want %v, %v", c.what, got, why, c.want, c.why)
		}
	}
}

// TestD5_WhatCanBePutRight is: boxed cards, a short pack, jokers of a new one.
func TestD5_WhatCanBePutRight(t *testing.T) {
	played := Deck{New: true}.Judged(1, good).Attest(Person{Dealer, "3"}, true, true, 5)
	for _, c := range []struct {
		what string
		d    Deck
		v    deckcheck.Verdict
		want Remedy
	}{
		{"boxed", Deck{}, boxed, PutRight},
		{"short", Deck{}, short, PutRight},
		{"jokers of a new pack", Deck{New: true}, jokers, PutRight},
		{"jokers of a used pack", Deck{}, jokers, Replace},
		{"jokers of a new pack that was played", played, jokers, Replace},
		{"a find to be confirmed", Deck{}, twoJacks, ScanToKnow},
		{"a foreign back", Deck{}, backs, ScanToKnow},
		{"confirmed", Deck{}.Judged(1, twoJacks), twoJacks, Quarantine},
		{"not read", Deck{}, unread, ScanAgain},
		{"a misread", Deck{}, deckcheck.Judge(tally(func(t *deckcheck.Tally) {
			qs, _ := deckcheck.ParseCard("QS")
			qc, _ := deckcheck.ParseCard("QC")
			t.Faces[qs], t.Faces[qc] = 2, 0
		}), deckcheck.Confusions{}), ScanAgain},
		{"good", Deck{}, good, NoRemedy},
	} {
		if got := c.d.Judged(9, c.v).Remedy(); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
}

// TestD9_ADeckDrawnFromOwesAWash: and a check, where one is wanted. Nobody draws
// from a deck that was not found whole.
func TestD9_ADeckDrawnFromOwesAWash(t *testing.T) {
	for lock := Free; lock <= UsedForDraw; lock++ {
		d := Deck{ID: "d", Lock: lock}
		if want := lock == Free || lock == CheckDue || lock == UsedForDraw; d.Drawable() != want {
			t.Errorf("a deck that is %q may be drawn from: %v", lock, d.Drawable())
		}
		for _, check := range []bool{false, true} {
			after := d.Drawn(check)
			if !after.WashDue.Has(shuffle.WashAfterDraw) {
				t.Errorf("%q: no wash is due", lock)
			}
			if check && after.Usable() || !check && after.Lock != lock || lock == Quarantined && after.Lock != lock {
				t.Errorf("%q, check %v: it is %q", lock, check, after.Lock)
			}
		}
	}
	if (Deck{}).Drawable() {
		t.Error("cards are drawn from no deck")
	}
	fresh := Deck{ID: "d"}.Drawn(true).Judged(1, good).Attest(Person{Dealer, "3"}, false, true, 1)
	if !fresh.Usable() || !fresh.WashDue.Has(shuffle.WashAfterDraw) {
		t.Errorf("after a good check it is %q, wash due %v", fresh.Lock, fresh.WashDue.List())
	}
}
