package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"shuffler/sim/rig"
)

// errGone says that nobody reads what is printed. The machines go on.
var errGone = errors.New("nobody reads the output")

// printer writes lines for people or objects for programs, each whole.
type printer struct {
	mu   sync.Mutex
	w    io.Writer
	json bool
}

func (p *printer) print(people string, program any) error {
	line := []byte(people)
	if p.json {
		var err error
		if line, err = json.Marshal(program); err != nil {
			panic(err) // strings and structs of strings
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := p.w.Write(append(line, '\n')); err != nil {
		return errGone
	}
	return nil
}

// opening tells where everything is.
func (p *printer) opening(b *rig.Bench, control string, typed bool) {
	var o struct {
		Tables  []rig.Ports `json:"tables"`
		Control string      `json:"control"`
	}
	o.Control = control
	text := ""
	for _, t := range b.Tables() {
		ports := t.Ports()
		o.Tables = append(o.Tables, ports)
		text += fmt.Sprintf("table %s  shuffler %s  scanner %s\n", ports.ID, ports.Shuffler, ports.Scanner)
	}
	if control != "" {
		text += "control socket " + control + "\n"
	}
	text += "Ctrl-C ends"
	if typed {
		text = text + "; type help for what can go wrong"
	}
	_ = p.print(text, o) // whoever started this may be gone; the machines are not
}

// note tells what happens by itself.
func (p *printer) note(table, what string) {
	people := what
	if table != "" {
		people = "table " + table + ": " + what
	}
	_ = p.print(people, map[string]string{"table": table, "note": what})
}

// answer tells what became of an order.
func (p *printer) answer(text string) error {
	return p.print(text, map[string]string{"answer": text})
}
