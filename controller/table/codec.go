package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// RecordVersion is the version under which every record type of this package
// is written. A new meaning gets a new type; new fields are optional (rule 9).
const RecordVersion = 1

// Encode gives the stored form of a record: one JSON object.
func Encode(r Record) (typ string, payload []byte, err error) {
	payload, err = json.Marshal(r)
	if err != nil {
		return "", nil, fmt.Errorf("encode record %s: %w", r.Type(), err)
	}
	return r.Type(), payload, nil
}

// Decode reads a stored record back. An unknown type, version or field is an
// error: a fact that this program does not understand must not be dropped.
func Decode(typ string, version uint16, payload []byte) (Record, error) {
	read, ok := decoders[typ]
	switch {
	case !ok:
		return nil, fmt.Errorf("record type %q is unknown to this version: read the journal with a newer one", typ)
	case version != RecordVersion:
		return nil, fmt.Errorf("record %s has version %d, this program reads %d", typ, version, RecordVersion)
	}
	r, err := read(payload)
	if err != nil {
		return nil, fmt.Errorf("record %s: %w", typ, err)
	}
	return r, nil
}

// Types lists the record types of a table's stream in order of name.
func Types() []string {
	l := make([]string, 0, len(decoders))
	for t := range decoders {
		l = append(l, t)
	}
	slices.Sort(l)
	return l
}

func decoder[R Record](payload []byte) (Record, error) {
	var r R
	d := json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, err
	}
	return r, nil
}

func reg[R Record](m map[string]func([]byte) (Record, error)) {
	var r R
	if _, twice := m[r.Type()]; twice {
		panic("record type " + r.Type() + " is declared twice")
	}
	m[r.Type()] = decoder[R]
}

var decoders = func() map[string]func([]byte) (Record, error) {
	m := map[string]func([]byte) (Record, error){}
	reg[Boot](m)
	reg[Stop](m)
	reg[SettingsApplied](m)
	reg[ClockStep](m)
	reg[Checkpoint](m)
	reg[TableOpened](m)
	reg[TableClosed](m)
	reg[SignedIn](m)
	reg[FloorChanged](m)
	reg[RequestRefused](m)
	reg[Notice](m)
	reg[DeckPlaced](m)
	reg[DeckRemoved](m)
	reg[DeckInPlay](m)
	reg[DeckQuarantined](m)
	reg[CheckStarted](m)
	reg[CheckEnded](m)
	reg[DeckAttested](m)
	reg[DeckDue](m)
	reg[DeckUsedForDraw](m)
	reg[WashAsked](m)
	reg[ShuffleStarted](m)
	reg[ShuffleStep](m)
	reg[PackVerified](m)
	reg[CutRefused](m)
	reg[SequenceBroken](m)
	reg[CountWrong](m)
	reg[ShuffleVoid](m)
	reg[ShuffleComplete](m)
	reg[LevelInForce](m)
	reg[LevelConfirmed](m)
	reg[SeatsConfirmed](m)
	reg[Triggered](m)
	reg[HandStarted](m)
	reg[HandReady](m)
	reg[HandResumed](m)
	reg[DealStarted](m)
	reg[StreetDealt](m)
	reg[CardsMoved](m)
	reg[StubRuled](m)
	reg[StubStep](m)
	reg[StubVoid](m)
	reg[StubReady](m)
	reg[StubCounted](m)
	reg[ActionFormed](m)
	reg[HandEnded](m)
	reg[HandAbandoned](m)
	reg[ExceptionRecorded](m)
	reg[HoldBegan](m)
	reg[HoldLifted](m)
	reg[HandoffProposed](m)
	reg[HandoffAccepted](m)
	reg[HandoffRefused](m)
	reg[HandoffSettled](m)
	reg[FaultLatched](m)
	reg[FaultCleared](m)
	reg[ServiceSet](m)
	reg[RotationSet](m)
	reg[BreakSet](m)
	reg[DeviceHere](m)
	reg[DeviceGone](m)
	return m
}()
