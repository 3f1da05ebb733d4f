package web_test

import (
	"context"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"shuffler/controller/api"
	"shuffler/controller/web"
)

// BenchmarkTable is a screen that looks at its table, over a unix socket.
func BenchmarkTable(b *testing.B) {
	c, stop := dialled(b)
	defer stop()
	for b.Loop() {
		if _, err := c.Table(b.Context(), "1"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAction is a request that the table refuses and records, over a unix
// socket, with the journal in memory.
func BenchmarkAction(b *testing.B) {
	c, stop := dialled(b)
	defer stop()
	for b.Loop() {
		if a, _ := c.Do(b.Context(), "1", api.Request{Action: "sign_in", By: "dealer:3"}); a.Problem != "table_closed" {
			b.Fatal(a)
		}
	}
}

// BenchmarkHandler is the same look without a network.
func BenchmarkHandler(b *testing.B) {
	srv, stop := served(b)
	defer stop()
	for b.Loop() {
		w := httptest.NewRecorder()
		srv.ServeHTTP(w, httptest.NewRequest("GET", "/v1/tables/1", nil))
		if w.Code != 200 {
			b.Fatal(w.Code)
		}
	}
}

func dialled(b *testing.B) (*api.Client, func()) {
	srv, stop := served(b)
	path := filepath.Join(b.TempDir(), "s")
	l, err := web.Listen(path)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error)
	go func() { ended <- srv.Serve(ctx, l) }()
	c, err := api.Dial(path)
	if err != nil {
		b.Fatal(err)
	}
	return c, func() {
		c.Close()
		cancel()
		<-ended
		stop()
	}
}
