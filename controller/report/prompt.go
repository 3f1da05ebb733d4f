package report

import (
	"strings"

	"shuffler/controller/table"
	"shuffler/controller/table/custody"
	"shuffler/controller/table/fault"
	"shuffler/shuffle"
)

// Prompt is the one next action and who does it, as a line for a screen:
// "Dealer: put the pack into the machine."
func Prompt(o Options, p table.Prompt) string {
	w := o.words()
	arg := p.Arg
	switch p.Do {
	case table.DoClearFault:
		part, code, _ := strings.Cut(p.Arg, "/")
		arg = w.fault(part, code)
	case table.DoConnect:
		arg = w.term("part", p.Arg)
	case table.DoPutPack:
		arg = w.term("wash", p.Arg)
	case table.DoDealerStep, table.DoFinishStep: // of the stub, or of a whole pack
		arg = w.term("area", p.Arg)
	case table.DoFixDeck:
		arg = w.kinds(p.Arg)
	case table.DoAcceptHandoff:
		arg = w.personText(p.Arg)
	}
	key := "prompt." + string(p.Do)
	if _, ok := w.texts[key]; !ok {
		key = "prompt.other"
		arg = string(p.Do)
	}
	return plain(w.say("common.prompt", "who", w.term("who", p.Who), "do", w.say(key, "slot", p.Slot, "step", w.step(p.Step), "arg", arg)))
}

// Refusal is why a request was not done, and what to do instead.
func Refusal(o Options, r table.Refusal) (what, todo string) {
	what, todo = o.words().refusal(r)
	return plain(what), plain(todo)
}

func (w words) refusal(r table.Refusal) (what, todo string) {
	code := string(r.Code)
	if _, ok := w.texts["refusal."+code+".what"]; !ok {
		return w.say("refusal_other", "code", code, "arg", r.Arg), ""
	}
	arg := w.refusalArg(r)
	return w.say("refusal."+code+".what", "arg", arg), w.say("refusal."+code+".todo", "arg", arg)
}

// refusalArg says in words what a refusal is about.
func (w words) refusalArg(r table.Refusal) string {
	switch r.Code {
	case table.NeedsRole, table.NeedsSecond:
		return strings.Join(strings.Split(w.terms("role", strings.Split(r.Arg, ",")), w.say("common.comma")), w.say("common.or"))
	case table.WrongStage, table.HandInPlay:
		return w.term("stage", r.Arg)
	case table.WrongStreet:
		return w.term("street", r.Arg)
	case table.BadInput:
		return w.term("field", r.Arg)
	case table.DeckBarred:
		return w.term("registry", r.Arg)
	case table.DeckNotUsable:
		return w.term("lock", r.Arg)
	case table.AttestIncomplete:
		return w.term("attest", r.Arg)
	case table.PartNotReady:
		return w.term("part", r.Arg)
	case table.PartFaulty: // a part, or the fault that it has
		if _, err := fault.ParsePart(r.Arg); err == nil {
			return w.term("part", r.Arg)
		}
		return w.faultShort(r.Arg)
	case table.CauseUnconfirmed:
		return w.term("sent_away", r.Arg)
	case table.CausePresent:
		return w.faultShort(r.Arg)
	case table.NoSuchFault:
		part, code, _ := strings.Cut(r.Arg, "/")
		return w.fault(part, code)
	case table.NotYourStep:
		return w.step(r.Arg)
	case table.AlreadySo:
		return w.term("so", r.Arg)
	case table.NotOnDuty, table.LockedOut, table.UnknownStaff, table.RoleNotHeld, table.NotActive, table.OtherTable:
		return w.personText(r.Arg)
	case table.PINNeeded, table.PINWrong:
		return w.term("proof", r.Arg)
	case table.NotNow:
		return w.term("gate", r.Arg)
	}
	return r.Arg
}

// kinds are findings by their names alone.
func (w words) kinds(list string) string {
	if list == "" {
		return ""
	}
	return w.terms("found", strings.Split(list, ","))
}

// personText is a person written as "dealer:3", in words.
func (w words) personText(s string) string {
	p, err := custody.ParsePerson(s)
	if err != nil {
		return s
	}
	return w.person(p)
}

// Fault is what happened, its likely cause, and the next step (M2).
func Fault(o Options, c fault.Code) (what, cause, next string) {
	return o.words().faultText(c.String())
}

func (w words) faultText(code string) (what, cause, next string) {
	if _, ok := w.texts["fault."+code+".what"]; !ok {
		code = fault.UnknownFault.String()
	}
	key := "fault." + code
	return w.say(key + ".what"), w.say(key + ".cause"), w.say(key + ".next")
}

// faultShort is what happened, to stand inside a sentence.
func (w words) faultShort(code string) string {
	what, _, _ := w.faultText(code)
	return strings.TrimRight(what, ".。")
}

// Doing is what a device is at, in a word, for a bar of progress: "riffle",
// "checking A". It is empty for nothing.
func Doing(o Options, kind table.OpKind, step shuffle.Step, slot custody.Slot) string {
	w := o.words()
	switch kind {
	case table.ScanOp:
		return w.say("doing.check", "slot", slot)
	case table.StepOp:
		return w.say("doing.step", "step", w.step(step.String()))
	case table.LoadOp, table.ReleaseOp, table.ResetOp:
		return w.term("doing", kind.String())
	}
	return ""
}
