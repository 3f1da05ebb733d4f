package protocol

import "strings"

// Role is what a device is (SPEC.md 5.2). Another role than expected on a port
// is the wrong device.
type Role uint8

// Roles. They are bits of a kind: RoleBoth is a shuffler and a scanner.
const (
	RoleShuffler Role = 1
	RoleScanner  Role = 2
	RoleBoth     Role = 3
)

// String gives the name in SPEC.md, or the number.
func (r Role) String() string { return name(r, "", "shuffler", "scanner", "both") }

// Caps is what a device can do and sense (SPEC.md 5.3).
type Caps uint32

// Capabilities.
const (
	CapGatherCounter Caps = 1 << iota
	CapExitCounter
	CapGather
	CapWash
	CapRiffle
	CapStrip
	CapSquare
	CapCut
	CapCutCard
	CapRelease
	CapScan
	CapFeedCounter
	CapIdentityAfterShuffle
	CapSortMode
	CapLocalButton
	_
	CapCoverLine
	CapEStopLine
	CapTrayLine
	CapExitLine
	CapChamberLine
)

// Has tells whether all of c are there.
func (s Caps) Has(c Caps) bool { return s&c == c }

// String lists the names in SPEC.md, separated by "|"; "0" if there are none.
func (s Caps) String() string {
	return bitNames(uint32(s), "gather_counter", "exit_counter", "gather", "wash", "riffle", "strip", "square", "cut", "cut_card", "release",
		"scan", "feed_counter", "identity_after_shuffle", "sort_mode", "local_button", "", "cover_line", "estop_line", "tray_line", "exit_line", "chamber_line")
}

// Lines are the levels that a device reports of itself (SPEC.md 5.7). A line
// that its Caps do not claim is 0 and means "not known".
type Lines uint16

// Lines.
const (
	LineCover    Lines = 1 << iota // open
	LineEStop                      // pressed
	LineTray                       // a pack is in the tray
	LineExit                       // cards are at the exit
	LineChamber                    // cards are inside
	LineSortMode                   // the machine would put the pack in order (M4)
	LineHalted                     // latched until reset
)

// Has tells whether all of l are set.
func (s Lines) Has(l Lines) bool { return s&l == l }

// String lists the names in SPEC.md, separated by "|"; "0" if there are none.
func (s Lines) String() string {
	return bitNames(uint32(s), "cover", "estop", "tray", "exit", "chamber", "sort_mode", "halted")
}

// TallyFlags tell how far a tally can be used.
type TallyFlags uint8

// Flags of a tally.
const (
	TallyFeedCounter TallyFlags = 1 << iota // Fed was counted by a sensor of its own
	TallyComplete                           // the whole pack was read
	TallyFaces                              // Faces is filled
)

// Has tells whether all of f are set.
func (s TallyFlags) Has(f TallyFlags) bool { return s&f == f }

// String lists the names in SPEC.md, separated by "|"; "0" if there are none.
func (s TallyFlags) String() string {
	return bitNames(uint32(s), "feed_counter", "complete", "faces")
}

// bitNames lists the set bits; one without a name is ignored, as by SPEC.md.
func bitNames(v uint32, names ...string) string {
	var l []string
	for i, n := range names {
		if v>>i&1 != 0 && n != "" {
			l = append(l, n)
		}
	}
	if l == nil {
		return "0"
	}
	return strings.Join(l, "|")
}
