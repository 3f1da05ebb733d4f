package rig

import (
	"bufio"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"shuffler/controller/api"
)

//go:embed scenarios/*.txt
var library embed.FS

// Scenario is what goes wrong in an evening and when. The zero value is an
// evening without trouble. Its text form has one line a trouble:
//
//	WHEN: DEED          # a comment
//
//	start: deck A swap:QD>JD         a flaw of a pack (sim.ParseFlaw)
//	check 2: scanner lighting        before the second check starts
//	hand 3: shuffler jam_entry       while the pack of hand 3 is shuffled (sim.ParseFault)
//	hand 3 ready: cover open         once the hand is ready; also: dealt
//	start: line shuffler lose 1%     also repeat, cut, text, flip, burst; both for both devices
//	hand 2: silence shuffler 3s
//	hand 2 dealt: feed early         a pack is put in before the pots are pushed
//	hand 2: call floor
//	hand 2: service out              and: service in
//
// A DEED is whatever ParseDeed reads; at a live table the same words work.
type Scenario struct {
	Name    string
	About   string // the first comment line
	strikes []strike
}

type strike struct {
	when when
	deed Deed
	done bool
}

type when struct {
	what  string // start, check, hand
	n     uint64
	stage string // of a hand: "", ready, dealt
}

// Library lists the scenarios that come with the program, by name.
func Library() []string {
	files, err := fs.Glob(library, "scenarios/*.txt")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(strings.TrimPrefix(f, "scenarios/"), ".txt")
	}
	slices.Sort(files)
	return files
}

// LoadScenario reads a scenario of the library by its name, or one from a file.
func LoadScenario(name string) (Scenario, error) {
	text, err := library.ReadFile("scenarios/" + name + ".txt")
	if err != nil {
		if text, err = os.ReadFile(name); err != nil {
			return Scenario{}, fmt.Errorf("scenario %q: neither a file nor one of %s", name, strings.Join(Library(), ", "))
		}
	}
	return ParseScenario(name, string(text))
}

// ParseScenario reads the text form. The error names the line.
func ParseScenario(name, text string) (Scenario, error) {
	s := Scenario{Name: name}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line, comment, _ := strings.Cut(lines.Text(), "#")
		if s.About == "" {
			s.About = strings.TrimSpace(comment)
		}
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		st, err := parseStrike(line)
		if err != nil {
			return Scenario{}, fmt.Errorf("scenario %s, line %d: %w", name, n, err)
		}
		s.strikes = append(s.strikes, st)
	}
	return s, lines.Err()
}

func parseStrike(line string) (strike, error) {
	head, deed, ok := strings.Cut(line, ":")
	words := strings.Fields(head)
	if !ok || len(words) == 0 {
		return strike{}, fmt.Errorf("%q: want WHEN: DEED", line)
	}
	st := strike{when: when{what: words[0]}}
	switch {
	case words[0] == "start" && len(words) == 1:
	case (words[0] == "check" && len(words) == 2) || (words[0] == "hand" && (len(words) == 2 || len(words) == 3)):
		n, err := strconv.ParseUint(words[1], 10, 32)
		if err != nil || n == 0 {
			return strike{}, fmt.Errorf("%q: %q is no number from 1", line, words[1])
		}
		st.when.n = n
		if len(words) == 3 {
			st.when.stage = words[2]
			if words[2] != "ready" && words[2] != "dealt" {
				return strike{}, fmt.Errorf("%q: a hand is ready or dealt, not %q", line, words[2])
			}
		}
	default:
		return strike{}, fmt.Errorf("%q: WHEN is start, check N, hand N, hand N ready or hand N dealt", line)
	}
	var err error
	if st.deed, err = ParseDeed(deed); err != nil {
		return strike{}, fmt.Errorf("%q: %w", line, err)
	}
	return st, nil
}

// strike does the deeds whose time has come.
func (s *Scenario) strike(now time.Duration, c *Crew, snap api.Snapshot) {
	for i := range s.strikes {
		if st := &s.strikes[i]; !st.done && st.when.come(snap) {
			st.done = true
			st.do(now, c, snap)
		}
	}
}

func (w when) come(s api.Snapshot) bool {
	switch w.what {
	case "check":
		checks := s.LastCheck
		if s.Check == nil {
			checks++ // the next one
		}
		return checks >= w.n
	case "hand":
		switch {
		case s.Hand != nil && s.Hand.Number == w.n:
			return w.stage == "" || s.Hand.Stage == w.stage
		case s.Hand == nil && s.LastHand+1 == w.n:
			return w.stage == "" && s.Shuffle != nil
		}
		return s.LastHand > w.n // missed: better late than never
	}
	return true
}

func (st strike) do(now time.Duration, c *Crew, s api.Snapshot) {
	if st.deed.crew != nil {
		st.deed.crew(c, s)
	} else if _, err := st.deed.Do(now, c.world); err != nil {
		c.tell("scenario: " + err.Error())
	}
}
