package report

import (
	"fmt"
	"slices"
	"strings"
)

// Report is a report as facts, which can be told in words.
type Report interface {
	Document(Options) Document
}

// Form is how a report leaves this package.
type Form string

// The forms.
const (
	TextForm    Form = "text"      // for a terminal
	ReceiptForm Form = "receipt80" // text for a printer of 80 mm paper
	HTMLForm    Form = "html"      // a file that prints on A4
	CSVForm     Form = "csv"       // for Excel
	JSONForm    Form = "json"      // the facts, for programs
)

// receiptWidth is the columns of a printer of 80 mm paper in its usual type; a
// larger type has 42.
const receiptWidth = 48

// Forms lists them.
func Forms() []Form { return []Form{TextForm, ReceiptForm, HTMLForm, CSVForm, JSONForm} }

// ParseForm reads a form's name; empty is TextForm.
func ParseForm(s string) (Form, error) {
	switch {
	case s == "":
		return TextForm, nil
	case slices.Contains(Forms(), Form(s)):
		return Form(s), nil
	}
	var names []string
	for _, f := range Forms() {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("form %q: want %s", s, strings.Join(names, ", "))
}

// ContentType is the form's media type.
func (f Form) ContentType() string {
	switch f {
	case HTMLForm:
		return "text/html; charset=utf-8"
	case CSVForm:
		return "text/csv; charset=utf-8; header=present"
	case JSONForm:
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}

// Render gives a report in a form. Of the options, Width is for the two forms of
// text: 0 is 80 columns on a terminal and 48 on a receipt printer; JSON needs
// none. HTML has its style in itself.
func Render(r Report, f Form, o Options) ([]byte, error) {
	switch f {
	case TextForm, "":
		return []byte(r.Document(o).Text(o.Width)), nil
	case ReceiptForm:
		if o.Width == 0 {
			o.Width = receiptWidth
		}
		return []byte(r.Document(o).Text(o.Width)), nil
	case HTMLForm:
		return r.Document(o).HTML("")
	case CSVForm:
		return r.Document(o).CSV(), nil
	case JSONForm:
		return JSON(r)
	}
	_, err := ParseForm(string(f))
	return nil, err
}
