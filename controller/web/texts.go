package web

import (
	"shuffler/controller/api"
	"shuffler/controller/room"
	"shuffler/controller/table"
)

// text says in English what a code means and what to do: the API's language is
// English. What operators read in their own language is made from the code.
type text struct{ what, hint string }

func textOf(code string) text {
	if t, ok := texts[code]; ok {
		return t
	}
	return text{what: "the request was refused"}
}

// texts has every code (tested).
var texts = map[string]text{
	string(table.NeedsRole):        {"this person's role may not do that", "ask somebody with the role that arg names"},
	string(table.NeedsSecond):      {"a second person must approve", "name them in " + api.HeaderApprovedBy + "; arg tells their role"},
	string(table.SamePerson):       {"the second person is the first", "another person must approve"},
	string(table.TableIsOpen):      {"the table is open", "close it first"},
	string(table.TableIsClosed):    {"the table is closed", "the floor opens it first"},
	string(table.HandInPlay):       {"a hand is in play", "end it first"},
	string(table.NoHandInPlay):     {"no hand is in play", "the first riffle begins one"},
	string(table.WrongStage):       {"the hand is in another stage", "do what the table's next action says; arg names the stage"},
	string(table.SlotTaken):        {"a deck is in that slot", "take it out first"},
	string(table.SlotEmpty):        {"no deck is in that slot", "the floor places one first"},
	string(table.BadInput):         {"an argument cannot be used", "correct the one that arg names"},
	string(table.SameDeck):         {"that deck is in the other slot", "bring another one"},
	string(table.SameBack):         {"both decks would have the same back", "bring one with another back design"},
	string(table.DeckIsOut):        {"the deck is in quarantine", "it never opens again: bring another one"},
	string(table.DeckBarred):       {"the room's registry does not let the deck in", "look it up under /v1/decks; arg tells why"},
	string(table.DeckNotUsable):    {"the deck may not be used", "check it first; arg names the lock"},
	string(table.DeckInHand):       {"the deck is in a hand", "end the hand first"},
	string(table.CheckUnderWay):    {"a deck check is under way", "wait for its verdict"},
	string(table.NothingToAttest):  {"no good check waits for an attestation", "check the deck first"},
	string(table.AttestIncomplete): {"the attestation leaves something out", "look at what arg names, then attest all of it"},
	string(table.PartNotReady):     {"the part that arg names is not ready", "see to its link, its tray and its cover"},
	string(table.PartFaulty):       {"the part that arg names has a latched fault", "remove the cause; the floor clears the fault"},
	string(table.NoSuchFault):      {"that fault is not latched", "look at the table's faults"},
	string(table.CausePresent):     {"the cause of the fault is still there", "remove it, then clear the fault again"},
	string(table.ShuffleUnderWay):  {"a shuffle is under way", "finish it, or void it"},
	string(table.NoShuffle):        {"no shuffle is under way", "begin one first"},
	string(table.NotYourStep):      {"that is not the next step of the procedure", "the shuffle starts again; arg names the step that was due"},
	string(table.MachineInService): {"the shuffler is in service", "put the pack into it, or have the floor take it out of service"},
	string(table.AlreadySo):        {"that is so already", "nothing is to be done"},
	string(table.IsHeld):           {"the table is on hold", "the floor rules and lifts it"},
	string(table.OnBreak):          {"the table is on a break", "the floor ends it; then the next deck is washed and shuffled"},
	string(table.NotHeld):          {"the table is not on hold", "nothing is to be lifted"},
	string(table.ReasonMissing):    {"a reason is missing or is no plain text", "say why, in one line of at most 500 bytes"},
	string(table.CauseUnconfirmed): {"no second check has found that", "scan the deck again, or let it go by the floor's order with a reason; arg names the cause"},
	string(table.NoException):      {"that rule has no exception", "only H4, H7 and H8 may be set aside"},
	string(table.WrongStreet):      {"the hand is at another street", "state the streets in their order; arg names where it is"},
	string(table.BurnInPlace):      {"the next burn lies there already", "deal the street without another one, or let the floor rule"},
	string(table.BurnNotMissing):   {"the street has its burn", "nothing is to be made up for"},
	string(table.TooFewCards):      {"there are not so many cards there", "count again, and state what happened in order"},
	string(table.MisdealDue):       {"the hand may have to be dealt again", "call the floor: misdeal or ruling"},
	string(table.NotAMove):         {"cards cannot move so", "use the kind that fits, or a ruled move with areas and number"},
	string(table.StubNotReady):     {"the stub is to be washed and cut first", "the floor confirms how, the dealer does the steps"},
	string(table.StubCountWrong):   {"the count of the stub does not agree with the ledger", "count again; the floor rules, or states where cards moved"},
	string(table.NoLevelYet):       {"no level is in force", "the floor announces one"},
	string(table.HandoffOpen):      {"a handoff is under way", "the incoming dealer accepts or refuses it"},
	string(table.NoHandoffOpen):    {"no handoff is under way", "the outgoing dealer proposes one"},
	string(table.HandoffIsRefused): {"the handoff was refused", "the floor settles it"},
	string(table.NotOnDuty):        {"this dealer does not hold the table", "the dealer on duty does it; arg names them"},
	string(table.NotIncoming):      {"this person is not the incoming dealer", "the one that the handoff names accepts or refuses"},
	string(table.BadSuccessor):     {"the successor must be another dealer", "name one"},
	string(table.MidHandFloor):     {"a handoff in a hand needs the floor", "the floor approves it, or wait until the hand ends"},
	string(table.NotNow):           {"a hand may not begin now", "arg names what is missing; put it right first"},
	string(table.CountIsWrong):     {"the count is not 52", "look for the card, then gather and count again"},
	string(table.Stopping):         {"the controller is being stopped", "ask again after its next start"},
	string(table.PINNeeded):        {"this needs a PIN", "give it in " + api.HeaderPIN + ", that of the second person in " + api.HeaderApprovedPIN + "; arg tells whose is missing"},
	string(table.PINWrong):         {"the PIN is wrong", "try again; after some wrong ones in a row none is looked at for a while"},
	string(table.LockedOut):        {"the person is locked out after wrong PINs", "wait, or let a floor lift the lock"},
	string(table.UnknownStaff):     {"this person is not on the staff", "look up the ids under /v1/staff; new people are written into the staff file"},
	string(table.RoleNotHeld):      {"this person does not have that role", "act in a role that the staff file gives, or ask somebody who has it"},
	string(table.NotActive):        {"this person is on the staff at other times only", "correct the dates in the staff file, or ask somebody else"},
	string(table.OtherTable):       {"this person is on the staff of other tables", "correct the tables in the staff file, or ask somebody else"},
	string(room.NotLocked):         {"nobody of that id is locked out", "nothing is to be lifted"},
	string(room.BadLevel):          {"the level is not possible", "number and blinds begin with 1, and the small blind is not over the big one"},
	string(room.DeckElsewhere):     {"the deck lies at another table", "it is returned there first"},
	string(room.OtherBack):         {"the deck is registered with another back", "read the back again, or give the deck an id of its own"},

	api.CodeBadRequest:  {"the request is not understood", "compare it with /openapi.json"},
	api.CodeNoTable:     {"there is no such table", "/v1/tables lists them"},
	api.CodeNoAction:    {"there is no such action", "/openapi.json lists them"},
	api.CodeNoRoute:     {"there is nothing at this path", "/openapi.json lists what there is"},
	api.CodeWrongMethod: {"that method is not served here", "the header Allow names those that are"},
	api.CodeForbidden:   {"pages of other sites may not ask", "use the controller's own address"},
	api.CodeAhead:       {"the journal has not reached that position", "is it another journal, or one restored from a backup? read from the beginning"},
	api.CodeStale:       {"the table has moved on", "draw the screen anew and ask again"},
	api.CodeTooLarge:    {"the request is too large", "bodies have at most 64 KiB"},
	api.CodeNotJSON:     {"the body is not application/json", "send JSON, with its Content-Type"},
	api.CodeKeyReused:   {"the idempotency key belongs to another request", "give every request a key of its own"},
	api.CodeTooMany:     {"too many streams are open", "close some, or ask again later"},
	api.CodeNotRecorded: {"the journal failed and nothing was done", "wait until the journal works, then ask again"},
	api.CodeStalled:     {"the journal does not answer and nothing was done", "look at the disk, then ask again"},
	api.CodeNoAnswerYet: {"the journal has not taken the request yet; it may still happen", "ask again with the same " + api.HeaderKey + " to learn what became of it"},
	api.CodeUnreadable:  {"the journal cannot be read", "look at the disk, then ask again"},
	api.CodeDefect:      {"the controller failed at this request", "report it with what was asked and the log"},
	api.CodeBusy:        {"too many PINs are being looked at", "ask again in a moment"},
	api.CodeSlowRequest: {"the request came too slowly", "ask again"},
}
