package journaltest

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"shuffler/controller/journal"
)

func TestFaulty_FailsBefore(t *testing.T) {
	f := NewFaulty(journal.NewMemory())
	want := must(t, f, Entry("a", 1, "t", `{}`))
	f.FailBefore(2)
	for range 2 {
		if _, err := f.Append([]journal.Entry{Entry("a", 2, "t", `{}`)}); !errors.Is(err, journal.ErrWrite) || errors.Is(err, journal.ErrFull) {
			t.Fatalf("Append = %v", err)
		}
		if h, err := f.Reopen(); h != want || err != nil {
			t.Fatalf("Reopen = %v, %v", h, err)
		}
	}
	must(t, f, Entry("a", 2, "t", `{}`))
	if f.Appends() != 4 {
		t.Errorf("%d appends", f.Appends())
	}
}

func TestFaulty_FailsAfterCommit(t *testing.T) {
	f := NewFaulty(journal.NewMemory())
	f.FailAfter(1)
	if _, err := f.Append([]journal.Entry{Entry("a", 1, "t", `{}`)}); !errors.Is(err, journal.ErrWrite) {
		t.Fatalf("Append = %v", err)
	}
	// The commit landed, but until Reopen nothing more goes in.
	if _, err := f.Append([]journal.Entry{Entry("a", 2, "t", `{}`)}); !errors.Is(err, journal.ErrWrite) {
		t.Fatalf("Append before Reopen = %v", err)
	}
	if h, err := f.Reopen(); h.Pos != 1 || err != nil {
		t.Fatalf("Reopen = %v, %v", h, err)
	}
	must(t, f, Entry("a", 2, "t", `{}`))
}

func TestFaulty_Full(t *testing.T) {
	f := NewFaulty(journal.NewMemory())
	want := must(t, f, Entry("a", 1, "t", `{}`))
	f.Fill()
	for range 2 {
		if _, err := f.Append([]journal.Entry{Entry("a", 2, "t", `{}`)}); !errors.Is(err, journal.ErrWrite) {
			t.Fatalf("Append = %v", err)
		}
		if _, err := f.Reopen(); !errors.Is(err, journal.ErrFull) || !errors.Is(err, journal.ErrWrite) {
			t.Fatalf("Reopen = %v", err)
		}
	}
	if h := head(t, f); h != want {
		t.Errorf("reading while full: %v", h)
	}
	f.Repair()
	if h, err := f.Reopen(); h != want || err != nil {
		t.Fatalf("Reopen = %v, %v", h, err)
	}
	must(t, f, Entry("a", 2, "t", `{}`))
}

func TestFaulty_BlocksUntilRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFaulty(journal.NewMemory())
		f.Block()
		var calls sync.WaitGroup
		answered := make(chan journal.Head, 2)
		calls.Go(func() {
			h, err := f.Append([]journal.Entry{Entry("a", 1, "t", `{}`)})
			if err != nil {
				t.Error(err)
			}
			answered <- h
		})
		calls.Go(func() {
			if _, err := f.Reopen(); err != nil {
				t.Error(err)
			}
		})
		f.WaitBlocked(2)
		time.Sleep(24 * time.Hour) // of the bubble's clock
		select {
		case h := <-answered:
			t.Fatalf("answered %v while blocked", h)
		default:
		}
		if h := head(t, f); h.Pos != 0 {
			t.Errorf("a blocked append is in the journal: %v", h)
		}
		f.Repair()
		calls.Wait()
		if h := <-answered; h.Pos != 1 {
			t.Errorf("after Repair: %v", h)
		}
	})
}

func TestFaulty_CloseLetsGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := NewFaulty(journal.NewMemory())
		f.Block()
		done := make(chan struct{})
		go func() {
			defer close(done)
			f.Append([]journal.Entry{Entry("a", 1, "t", `{}`)}) // may come before or after Close
		}()
		f.WaitBlocked(1)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		<-done
	})
}
