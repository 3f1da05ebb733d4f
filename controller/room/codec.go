package room

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// RecordVersion is the version under which this package writes its records.
const RecordVersion = 1

// Decode reads a stored record of the room's stream back.
func Decode(typ string, version uint16, payload []byte) (Record, error) {
	if version != RecordVersion {
		return nil, fmt.Errorf("record %s has version %d, this program reads %d", typ, version, RecordVersion)
	}
	switch typ {
	case LevelAnnounced{}.Type():
		return read[LevelAnnounced](payload)
	case DeckRegistered{}.Type():
		return read[DeckRegistered](payload)
	case DeckMoved{}.Type():
		return read[DeckMoved](payload)
	case DeckQuarantineNoted{}.Type():
		return read[DeckQuarantineNoted](payload)
	case StaffApplied{}.Type():
		return read[StaffApplied](payload)
	case ProofRefused{}.Type():
		return read[ProofRefused](payload)
	case PINFailed{}.Type():
		return read[PINFailed](payload)
	case PINAccepted{}.Type():
		return read[PINAccepted](payload)
	case LockBegan{}.Type():
		return read[LockBegan](payload)
	case LockLifted{}.Type():
		return read[LockLifted](payload)
	case RestoredFrom{}.Type():
		return read[RestoredFrom](payload)
	case Checkpoint{}.Type():
		return read[Checkpoint](payload)
	}
	return nil, fmt.Errorf("record type %q is unknown to this version: read the journal with a newer one", typ)
}

func read[R Record](payload []byte) (Record, error) {
	var r R
	d := json.NewDecoder(bytes.NewReader(payload))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("record %s: %w", r.Type(), err)
	}
	return r, nil
}
