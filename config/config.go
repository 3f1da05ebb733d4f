package config

import "time"

// Config is everything that can be set. Get one from Load or Default; the zero
// value is not valid. It is a value: Load and Reload never share slices with an
// earlier one, and it may be read by several goroutines as long as none writes.
type Config struct {
	Room      Room
	DataDir   string // absolute folder of the journal; "" leaves it to DataFolder's search
	Log       Log
	Procedure Procedure
	Hand      Hand
	Check     DeckCheck
	Machine   Machine
	Journal   Journal
	Levels    []Level
	Tables    []Table
}

// Room is what is said once for the whole house.
type Room struct {
	Name          string
	TimeZone      string // IANA name; see Config.Location
	Language      string // en, zh-CN or zh-TW
	ActivityCard  string // D11; stated at opening and on each receipt
	ManualVersion string // D11
}

// Log is how the log is written. It always goes to stderr.
type Log struct {
	Level  string // trace, debug, info, warn or error
	Format string // auto, console or json
}

// Procedure is the shuffle as data (S1), with its approval mark.
type Procedure struct {
	Version       string
	Steps         []string // "riffle", or "cut@dealer" to say by whom (S4)
	StubSteps     []string // H8: of a stub in the middle of a hand, all by the dealer
	Wash          string   // when_required or always (S2)
	WashAfterStop bool     // the house default of S2 after a stop (S5)
	MinCutCards   int      // S7
	ApprovedBy    string   // empty with ApprovedAt: the procedure runs as draft
	ApprovedAt    string   // YYYY-MM-DD
}

// Draft tells that nobody has approved the procedure yet; every report says so.
func (p Procedure) Draft() bool { return p.ApprovedBy == "" }

// Hand is how a hand begins.
type Hand struct {
	Triggers               []string // H1: first_riffle, shuffler_button, dealer_push
	TriggersRotating       []string // H1, where two decks take turns
	TriggersByHand         []string // H1, where the dealer shuffles
	ConfirmButtonAndBlinds bool     // H5
}

// DeckCheck is how decks are checked.
type DeckCheck struct {
	CountersignNewDeck bool          // D4
	RecheckEveryHands  int           // D11, 0 is never
	RecheckAfter       time.Duration // D11, 0 is never
	AfterDraw          string        // D9: count or check
	Confusions         []string      // D3: pairs that the camera confuses, "JD/QD"
	ScanTimeout        time.Duration // a whole deck check may take this long
}

// Machine is the patience with a table's machine. What keeps the link alive is
// the protocol's and no setting.
type Machine struct {
	StepTimeout time.Duration // one motion of the machine
}

// Journal is about the journal's disk.
type Journal struct {
	DiskWarnPercent int // the disk counts as nearly full from here
}

// Level is a blind level of the official structure (H11). Amounts are chips.
type Level struct {
	Number       int
	SmallBlind   int
	BigBlind     int
	BigBlindAnte int // 0 is none
	Minutes      int
}

// Table is one poker table. An empty port means that the table has no such
// device.
type Table struct {
	ID           string
	Name         string // for people; the id where it is empty
	Seats        int
	Mode         string // one_deck
	ShufflerPort string
	ScannerPort  string
}

// Default is the configuration without file, environment and flags.
func Default() Config {
	var c Config
	for _, s := range scalars {
		s.set(&c, s.def)
	}
	for _, l := range lists {
		l.def(&c)
	}
	return c
}

// Location is the room's time zone. It is valid after Load.
func (c Config) Location() *time.Location {
	l, err := time.LoadLocation(c.Room.TimeZone)
	if err != nil {
		return time.UTC
	}
	return l
}
