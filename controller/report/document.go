package report

// Document is a report in words of one language and without a form: what is
// said, in which order, and what kind of thing it is. Text, HTML and CSV are made
// of it alone, so a report is written once. Nothing in it is laid out, and no
// text in it needs to be clean: each form protects itself.
//
// A Document is made by a report's method Document and not changed afterwards.
type Document struct {
	Kind       string // receipt, hands, handoff, incident, summary
	Number     uint64 // of the report's kind at its table, 0 where it has none
	Table      string
	Title      string
	Body       Section // its own Heading is empty
	Place      Place   // where in the journal the report rests (X3)
	Signatures []string

	words words
}

// Section is a part of a document with what stands in it, in order. Sections
// stand in one another to any depth; two or three are good to read.
type Section struct {
	Heading string
	Mark    Mark
	Blocks  []Block
	// Detail leaves the section out of CSV, where rows are wanted and no courses.
	Detail bool
}

// Block is a *Section, Pairs, *Grid, Line or Blanks.
type Block interface{ block() }

func (*Section) block() {}
func (Pairs) block()    {}
func (*Grid) block()    {}
func (Line) block()     {}
func (Blanks) block()   {}

// Mark says how a fact is known (D4). Every form shows it, and tells what it
// means.
type Mark uint8

// The marks. NoMark is for what is neither: a name, a setting, a sum.
const (
	NoMark   Mark = iota
	Measured      // a device counted, saw or timed it
	Attested      // a person said so
)

// Pair is a label with its value; one with an empty value is left out.
type Pair struct {
	Label, Value string
	Mark         Mark
}

// pair is one without a mark.
func pair(label, value string) Pair { return Pair{Label: label, Value: value} }

// Pairs are labels with values, in two columns.
type Pairs []Pair

// Line is a sentence. A Strong one must not be overlooked.
type Line struct {
	Text   string
	Mark   Mark
	Strong bool
}

// Column of a grid. Grids whose titles are all empty have no head. The mark is
// that of every cell.
type Column struct {
	Title string
	Right bool // numbers and durations
	Mark  Mark
}

// Row has a cell for each column; missing ones are empty.
type Row struct {
	Cells []string
	Mark  Mark // of the whole row
}

// Grid is rows and columns.
type Grid struct {
	Columns []Column
	Rows    []Row
}

// titled tells whether the grid has a head.
func (g *Grid) titled() bool {
	for _, c := range g.Columns {
		if c.Title != "" {
			return true
		}
	}
	return false
}

// Blanks are labels with room to write on.
type Blanks []string

// add puts a block behind the others.
func (s *Section) add(b Block) { s.Blocks = append(s.Blocks, b) }

// section opens a part of this one.
func (s *Section) section(heading string) *Section {
	n := &Section{Heading: heading}
	s.add(n)
	return n
}

// line adds a sentence; an empty text adds nothing.
func (s *Section) line(m Mark, text string) {
	if text != "" {
		s.add(Line{Text: text, Mark: m})
	}
}

// strong adds a sentence that must not be overlooked.
func (s *Section) strong(text string) {
	if text != "" {
		s.add(Line{Text: text, Strong: true})
	}
}

// pairs adds labels with values, behind those that were added last.
func (s *Section) pairs(list ...Pair) {
	var kept Pairs
	for _, p := range list {
		if p.Value != "" {
			kept = append(kept, p)
		}
	}
	n := len(s.Blocks)
	if n > 0 && len(kept) > 0 {
		if before, ok := s.Blocks[n-1].(Pairs); ok { // in the same columns
			s.Blocks[n-1] = append(before, kept...)
			return
		}
	}
	if len(kept) > 0 {
		s.add(kept)
	}
}

// grid adds rows; none adds nothing.
func (s *Section) grid(columns []Column, rows []Row) {
	if len(rows) > 0 {
		s.add(&Grid{columns, rows})
	}
}

// sign adds lines for people to sign on.
func (d *Document) sign(labels ...string) { d.Signatures = append(d.Signatures, labels...) }

// letter is a mark in a letter, for a badge; empty for none.
func (w words) letter(m Mark) string {
	switch m {
	case Measured:
		return w.say("mark.measured")
	case Attested:
		return w.say("mark.attested")
	}
	return ""
}

// mark is a mark as it stands behind a fact in a text, empty for none.
func (w words) mark(m Mark) string {
	if m == NoMark {
		return ""
	}
	return w.say("mark.in_text", "mark", w.letter(m))
}

// markWord is a mark in a word of its own, for a column of a sheet.
func (w words) markWord(m Mark) string {
	switch m {
	case Measured:
		return w.say("mark.measured_word")
	case Attested:
		return w.say("mark.attested_word")
	}
	return ""
}

// means tells what a mark says of a fact.
func (w words) means(m Mark) string {
	if m == Measured {
		return w.say("mark.measured_means")
	}
	return w.say("mark.attested_means")
}

// legend tells what the marks mean.
func (w words) legend() string {
	return w.say("mark.legend", "measured", w.mark(Measured)+hardBlank+w.means(Measured), "attested", w.mark(Attested)+hardBlank+w.means(Attested))
}

// anchorLine tells the place in words; the head itself stands beside it.
func (d Document) anchorLine() string {
	return d.words.say("common.journal", "pos", d.Place.Pos, "chain", d.Place.Chain)
}
