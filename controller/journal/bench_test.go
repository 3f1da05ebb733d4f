package journal

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkAppend measures groups beside the least that durability can cost: the same
// payload bytes, written to the end of a plain file and forced to disk by fdatasync.
// The two alternate, so both see the same disk.
func BenchmarkAppend(b *testing.B) {
	for _, size := range []int{1, 8, 64} {
		b.Run(fmt.Sprintf("group=%d", size), func(b *testing.B) {
			dir := b.TempDir()
			s, err := Open(dir, Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer s.Close()
			bare, err := os.Create(filepath.Join(dir, "bare"))
			if err != nil {
				b.Fatal(err)
			}
			defer bare.Close()
			var journalTime, bareTime time.Duration
			n := 0
			for b.Loop() {
				group := many(n, size)
				n += size
				begin := time.Now()
				if _, err := s.Append(group); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				if err := writeBare(bare, group); err != nil {
					b.Fatal(err)
				}
				journalTime += middle.Sub(begin)
				bareTime += time.Since(middle)
			}
			b.ReportMetric(float64(n)/journalTime.Seconds(), "records/s")
			b.ReportMetric(float64(journalTime.Microseconds())/float64(n/size), "µs/append")
			b.ReportMetric(float64(bareTime.Microseconds())/float64(n/size), "µs/bare")
			b.ReportMetric(journalTime.Seconds()/bareTime.Seconds(), "×bare")
			b.ReportMetric(0, "ns/op") // of both together: says nothing
		})
	}
}

func writeBare(f *os.File, group []Entry) error {
	var all []byte
	for _, e := range group {
		all = append(all, e.Payload...)
	}
	if _, err := f.Write(all); err != nil {
		return err
	}
	return syscall.Fdatasync(int(f.Fd()))
}

const benchRecords = 100_000

func bigJournal(b *testing.B) *SQLite {
	b.Helper()
	s, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	for n := 0; n < benchRecords; n += 1000 {
		if _, err := s.Append(many(n, 1000)); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

func BenchmarkVerify(b *testing.B) {
	s := bigJournal(b)
	before := residentBytes(b)
	for b.Loop() {
		if r, err := Verify(s, Check{}); err != nil || !r.OK() {
			b.Fatal(err, r.Problems)
		}
	}
	b.ReportMetric(float64(b.N)*benchRecords/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(residentBytes(b)-before)/(1<<20), "MB-grown")
}

func BenchmarkRecords(b *testing.B) {
	s := bigJournal(b)
	before := residentBytes(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range s.Records(0, Filter{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.N)*benchRecords/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(residentBytes(b)-before)/(1<<20), "MB-grown")
}

func BenchmarkOpen(b *testing.B) {
	s := bigJournal(b)
	dir := filepath.Dir(s.Path())
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := Open(dir, Options{})
		if err != nil {
			b.Fatal(err)
		}
		s.Close()
	}
}

func BenchmarkChain(b *testing.B) {
	r := Record{Pos: 1, Entry: many(0, 1)[0]}
	var h Hash
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		h, buf = r.chain(h, buf)
	}
}

// residentBytes is what the whole process holds: SQLite's memory is not Go's.
func residentBytes(b *testing.B) int64 {
	b.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}
