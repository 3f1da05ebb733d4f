package sim

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"shuffler/protocol"
)

// Trouble is what goes wrong.
type Trouble uint8

// Troubles of a machine. Those up to Internal are faults that it notices
// (SPEC.md 5.6); the others it does not, or they are a person's doing.
const (
	JamTray        Trouble = iota + 1 // a bent card in the tray
	JamEntry                          // a card caught at the entry
	JamExit                           // a card caught at the exit
	SeenDoubleFeed                    // two cards at once, noticed
	Homing
	Motor
	Sensor
	Lighting
	Camera
	Power
	Internal
	CoverOpen  // somebody opens the cover
	EStop      // somebody presses the emergency stop
	DoubleFeed // two cards at once, counted and read as one
	Misfeed    // the roller slips: a gather leaves a card in the tray; in a scan one card more is counted than read
	Uncounted  // a card passes the feed counter of a scanner right behind another: one less is counted than read
	CardLeft   // a release leaves one card in the chamber
	CutRefused // the cut moves too few cards
	FrameLost  // a picture is lost in a scan
	Misread    // one card Card is read as As
	Blind      // each card Card is unreadable from now on
	SortMode   // somebody switches sort mode on; in a motion, after it
	Local      // somebody presses the machine's own button for Kind; in a motion, after it
	Reboot     // the supply fails for a moment, or for For
	Mute       // nothing is sent any more, or for For
	Deaf       // nothing is received any more, or for For
	WrongRole  // ident tells Role
)

// traits of a trouble.
type traits struct {
	name string
	code protocol.Fault // latched
	on   kinds          // motions that it can hit
	now  bool           // ParseFault: at once, if no motion is named
}

// kinds is a set of kinds of motion.
type kinds uint32

const (
	onGather  kinds = 1 << protocol.KindGather
	onRelease kinds = 1 << protocol.KindRelease
	onScan    kinds = 1 << protocol.KindScan
	onReset   kinds = 1 << protocol.KindReset
	onCut     kinds = 1 << protocol.KindCut
	onAny     kinds = ^kinds(0)
)

var troubles = [...]traits{
	JamTray:        {"jam_tray", protocol.FaultJamTray, onGather | onScan, false},
	JamEntry:       {"jam_entry", protocol.FaultJamEntry, onGather | onScan, false},
	JamExit:        {"jam_exit", protocol.FaultJamExit, onRelease | onScan, false},
	SeenDoubleFeed: {"seen_double_feed", protocol.FaultDoubleFeed, onGather | onRelease | onScan, false},
	Homing:         {"homing", protocol.FaultHoming, onReset, false},
	Motor:          {"motor", protocol.FaultMotor, onAny, false},
	Sensor:         {"sensor", protocol.FaultSensor, onAny, false},
	Lighting:       {"lighting", protocol.FaultLighting, onScan, false},
	Camera:         {"camera", protocol.FaultCamera, onScan, false},
	Power:          {"power", protocol.FaultPower, onAny, false},
	Internal:       {"internal", protocol.FaultInternal, onAny, false},
	CoverOpen:      {"cover_open", 0, onAny, false},
	EStop:          {"estop", 0, onAny, false},
	DoubleFeed:     {"double_feed", 0, onGather | onRelease | onScan, false},
	Misfeed:        {"misfeed", 0, onGather | onScan, false},
	Uncounted:      {"uncounted", 0, onScan, false},
	CardLeft:       {"card_left", 0, onRelease, false},
	CutRefused:     {"cut_refused", 0, onCut, false},
	FrameLost:      {"frame_lost", 0, onScan, false},
	Misread:        {"misread", 0, onScan, false},
	Blind:          {"blind", 0, onAny, true},
	SortMode:       {"sort_mode", 0, onAny, true},
	Local:          {"local", 0, onAny, true},
	Reboot:         {"reboot", 0, onAny, true},
	Mute:           {"mute", 0, onAny, true},
	Deaf:           {"deaf", 0, onAny, true},
	WrongRole:      {"role", 0, onAny, true},
}

func (t Trouble) traits() traits {
	if int(t) < len(troubles) {
		return troubles[t]
	}
	return traits{}
}

// String gives the name that ParseFault reads.
func (t Trouble) String() string {
	if n := t.traits().name; n != "" {
		return n
	}
	return fmt.Sprintf("trouble %d", t)
}

// Fault is one trouble and when it strikes: at once, or in the Nth motion from
// now that it can hit, of kind On if that is given.
type Fault struct {
	What    Trouble
	Now     bool
	On      protocol.Kind // KindNone: any that it can hit
	Nth     int           // 0 and 1 are the next
	Percent int           // how far into the motion, 1…100; 0 is left to chance

	Card, As Face          // Misread, Blind
	Kind     protocol.Kind // Local
	Role     protocol.Role // WrongRole
	For      time.Duration // Reboot, Mute, Deaf; 0 is the machine's own time, or until Fix
}

// String gives what ParseFault reads.
func (f Fault) String() string {
	s := f.What.String()
	switch {
	case f.What == Misread:
		s += ":" + f.Card.String() + ">" + f.As.String()
	case f.What == Blind:
		s += ":" + f.Card.String()
	case f.What == Local:
		s += ":" + f.Kind.String()
	case f.What == WrongRole:
		s += ":" + f.Role.String()
	case f.For != 0:
		s += ":" + f.For.String()
	}
	if f.Now {
		return s + "@now"
	}
	s += "@" + onText(f.On)
	if f.Nth > 1 {
		s += "#" + strconv.Itoa(f.Nth)
	}
	if f.Percent > 0 {
		s += "+" + strconv.Itoa(f.Percent) + "%"
	}
	return s
}

const anyText = "any"

func onText(k protocol.Kind) string {
	if k == protocol.KindNone {
		return anyText
	}
	return k.String()
}

// ParseFault reads NAME[:ARGUMENT][@WHEN], as in
//
//	jam_entry                 in the next gather or scan
//	jam_exit@release#2        in the second release from now
//	motor@riffle+50%          half way through the next riffle
//	motor@any                 in the next motion, whatever it is
//	cover_open@now            at once
//	misread:QC>QS             in the next scan
//	blind:7D  local:riffle  role:scanner  mute:3s  reboot:2s   at once, unless @WHEN
//
// Names are those of Trouble. WHEN is now, any, or a kind of SPEC.md 5.1.
func ParseFault(s string) (Fault, error) {
	f, err := parseFault(strings.TrimSpace(s))
	if err != nil {
		return Fault{}, fmt.Errorf("fault %q: %w", s, err)
	}
	return f, nil
}

func parseFault(s string) (f Fault, err error) {
	what, when, timed := strings.Cut(s, "@")
	name, arg, _ := strings.Cut(what, ":")
	for t, tr := range troubles {
		if t > 0 && tr.name == name {
			f.What = Trouble(t)
		}
	}
	if f.What == 0 {
		return f, unknownTrouble(name)
	}
	if err := f.parseArgument(arg); err != nil {
		return f, err
	}
	if !timed {
		f.Now = f.What.traits().now
		return f, nil
	}
	return f, f.parseWhen(when)
}

func unknownTrouble(name string) error {
	switch name {
	case "not_enough_cards", "too_many_cards", "card_inside", "host_silent":
		return fmt.Errorf("%s comes of cards and frames, not by itself: use another pack, card_left, double_feed, misfeed, or silence on the line", name)
	}
	var names []string
	for _, t := range troubles[1:] {
		names = append(names, t.name)
	}
	return fmt.Errorf("unknown; there are %s", strings.Join(names, ", "))
}

func (f *Fault) parseArgument(arg string) (err error) {
	switch f.What {
	case Misread:
		is, as, _ := strings.Cut(arg, ">")
		if f.Card, err = ParseFace(is); err != nil {
			return fmt.Errorf("want misread:CARD>CARD: %w", err)
		}
		if f.As, err = ParseFace(as); err != nil {
			return fmt.Errorf("want misread:CARD>CARD: %w", err)
		}
	case Blind:
		f.Card, err = ParseFace(arg)
	case Local:
		if f.Kind = parseKind(arg); f.Kind == protocol.KindNone {
			return fmt.Errorf("want local:KIND with a kind of motion, not %q", arg)
		}
	case WrongRole:
		for _, r := range []protocol.Role{protocol.RoleShuffler, protocol.RoleScanner, protocol.RoleBoth} {
			if r.String() == arg {
				f.Role = r
			}
		}
		if f.Role == 0 {
			return fmt.Errorf("want role:shuffler, role:scanner or role:both, not %q", arg)
		}
	case Reboot, Mute, Deaf:
		if arg == "" {
			return nil
		}
		if f.For, err = time.ParseDuration(arg); err == nil && f.For <= 0 {
			err = fmt.Errorf("want a duration above 0, not %s", arg)
		}
	default:
		if arg != "" {
			return fmt.Errorf("takes no argument, but has %q", arg)
		}
	}
	return err
}

func (f *Fault) parseWhen(when string) (err error) {
	if when == "now" {
		if f.What.traits().on != onAny && f.What.traits().code == 0 {
			return fmt.Errorf("needs a motion: leave out @now")
		}
		f.Now = true
		return nil
	}
	rest, percent, has := strings.Cut(when, "+")
	if has {
		f.Percent, err = strconv.Atoi(strings.TrimSuffix(percent, "%"))
		if err != nil || f.Percent < 1 || f.Percent > 100 {
			return fmt.Errorf("want +1%% to +100%%, not +%s", percent)
		}
	}
	kind, nth, has := strings.Cut(rest, "#")
	if has {
		f.Nth, err = strconv.Atoi(nth)
		if err != nil || f.Nth < 1 {
			return fmt.Errorf("want #1 or more, not #%s", nth)
		}
	}
	if kind == anyText {
		return nil
	}
	if f.On = parseKind(kind); f.On == protocol.KindNone {
		return fmt.Errorf("no motion %q: want now, any, or a kind such as gather, riffle, release, scan", kind)
	}
	if f.What.traits().on>>f.On&1 == 0 {
		return fmt.Errorf("cannot happen in a %s", kind)
	}
	return nil
}

func parseKind(s string) protocol.Kind {
	for k := protocol.KindGather; k <= protocol.KindReset; k++ {
		if k.String() == s && (k.IsStep() || k >= protocol.KindRelease) {
			return k
		}
	}
	return protocol.KindNone
}

// causes are the faults whose cause is there, as bits by code.
type causes uint32

func (c *causes) add(f protocol.Fault)     { *c |= 1 << f }
func (c *causes) remove(f protocol.Fault)  { *c &^= 1 << f }
func (c causes) has(f protocol.Fault) bool { return f < 32 && c>>f&1 != 0 }
func (c causes) first() (f protocol.Fault) { return protocol.Fault(bits.TrailingZeros32(uint32(c))) }
