package table

import "shuffler/controller/table/custody"

// routine are the deeds of a dealer that need no PIN of their own once the
// dealer has signed in at the table with one (P6). They follow each other within
// seconds, and their records name the dealer on duty in any case. Everything
// else needs a PIN in the same action: what one signs (P3: a handoff), and
// whatever the floor approves, rules, corrects or returns to play.
var routine = map[string]bool{
	StartCheck{}.Name(): true, AttestDeck{}.Name(): true, ConfirmSeats{}.Name(): true, RequestWash{}.Name(): true,
	BeginShuffle{}.Name(): true, DealerStep{}.Name(): true, VoidShuffle{}.Name(): true, DealBegun{}.Name(): true,
	DealStreet{}.Name(): true, CountStub{}.Name(): true, ReportSA{}.Name(): true, EndHand{}.Name(): true, ResumeHand{}.Name(): true, CallFloor{}.Name(): true,
}

// proven refuses an action whose people have not shown who they are (P6), and one
// whose second person is the first, in whatever role. Events of devices have no
// person.
func (t *turn) proven() bool {
	a := t.act
	if a.ApprovedBy.Known() && a.ApprovedBy.ID == a.By.ID {
		t.refuse(SamePerson, "")
		return false
	}
	if t.name == "" || !t.s.Settings.Proof {
		return true
	}
	if a.Auth != custody.AuthPIN && !(a.Auth == custody.AuthSignedIn && t.signedIn()) {
		t.act.Auth = custody.AuthNone
		t.refuse(PINNeeded, "pin")
		return false
	}
	if a.ApprovedBy.Known() && a.ApprovedAuth != custody.AuthPIN {
		t.refuse(PINNeeded, "approved_pin")
		return false
	}
	return true
}

// signedIn tells whether the sign-in at this table speaks for the action.
func (t *turn) signedIn() bool {
	return routine[t.name] && t.s.Proven && t.act.By == t.s.Dealer
}

// dealerSignedIn tells whether a dealer has the table, proven where the room
// wants proof.
func (f Facts) dealerSignedIn() bool {
	return f.Dealer.Known() && (f.Proven || !f.Settings.Proof)
}

// takenBy puts a dealer on duty.
func (f Facts) takenBy(p custody.Person, how custody.Auth) Facts {
	f.StubCountedInDown = f.StubCountedInDown && p == f.Dealer
	f.Dealer, f.Proven = p, how == custody.AuthPIN
	return f
}
