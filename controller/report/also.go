package report

import "shuffler/controller/table"

// RecordEntry is a record that a report tells by its sentence, because the report
// has no place of its own for it. New types of records come to the hand log so.
type RecordEntry struct {
	AtMS   int64        `json:"at_unix_ms"`
	Type   string       `json:"type"`
	Record table.Record `json:"record"`
}

// ownPlace are the records that the hand log tells in a place of its own, or that
// are no matter of a hand.
var ownPlace = func() map[string]bool {
	set := map[string]bool{}
	for _, r := range []table.Record{
		// the hand and its shuffles
		table.ShuffleStarted{}, table.ShuffleStep{}, table.PackVerified{}, table.CutRefused{}, table.SequenceBroken{}, table.CountWrong{}, table.ShuffleVoid{},
		table.ShuffleComplete{}, table.SeatsConfirmed{}, table.Triggered{}, table.HandStarted{}, table.HandReady{}, table.HandResumed{}, table.DealStarted{},
		table.ActionFormed{}, table.HandEnded{}, table.HandAbandoned{},
		// what happens meanwhile
		table.LevelInForce{}, table.HoldBegan{}, table.HoldLifted{}, table.HandoffAccepted{}, table.HandoffSettled{}, table.FaultLatched{}, table.FaultCleared{}, table.Boot{},
		// the frame
		table.Stop{}, table.SettingsApplied{}, table.Checkpoint{}, table.TableOpened{}, table.TableClosed{}, table.SignedIn{}, table.RequestRefused{},
		table.DeviceHere{}, table.DeviceGone{}, table.HandoffProposed{}, table.HandoffRefused{},
		// papers of their own
		table.DeckPlaced{}, table.CheckStarted{}, table.CheckEnded{}, table.DeckAttested{},
	} {
		set[r.Type()] = true
	}
	return set
}()

// also gives the entry of a record that has no place of its own.
func also(f fact) (RecordEntry, bool) {
	typ := f.rec.Type()
	return RecordEntry{f.wall, typ, f.rec}, !ownPlace[typ]
}

// alsoLine is the record's sentence with its time, empty where nobody needs to
// hear it.
func (c clock) alsoLine(e RecordEntry) string {
	text := c.tableSentence(e.Record)
	if text == "" {
		return ""
	}
	return c.say("common.also", "at", c.time(e.AtMS), "text", text)
}
