package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"shuffler/controller"
	"shuffler/controller/api"
	"shuffler/controller/journal"
)

// Options are what a Server is made of.
type Options struct {
	Controller *controller.Controller // started, or stepped by somebody
	Journal    journal.Reader         // the controller's
	Version    string
	// Bell is to be rung for each commit: see Bell.Observe. Without it a stream
	// tells a record within 300 ms.
	Bell *Bell
	// Staff compares PINs. Nil: the room has no staff file, and everybody is
	// believed.
	Staff Prover
	// Devices gives the figures of all links. Nil: what the tables know of them.
	Devices func() []api.DeviceLink
	// Warn takes what an operator should read. May be nil.
	Warn func(msg string, err error)
	// Now is the wall clock. Nil means time.Now.
	Now func() time.Time
}

// Server serves the HTTP API. It may be shared between goroutines and holds
// nothing that a restart would lose.
type Server struct {
	opt     Options
	local   Local
	mux     *http.ServeMux
	origins *http.CrossOriginProtection
	openapi []byte

	conditional map[string]chan struct{} // a token for each table: one If-Match at a time
	asking      chan struct{}
	reading     chan struct{}
	streams     chan struct{}
	registry    registry
}

// NewServer makes the handler of the API.
func NewServer(opt Options) *Server {
	if opt.Warn == nil {
		opt.Warn = func(string, error) {}
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Bell == nil {
		opt.Bell = NewBell()
	}
	s := &Server{
		opt: opt, local: Local{opt.Controller, opt.Staff}, mux: http.NewServeMux(), origins: http.NewCrossOriginProtection(),
		conditional: map[string]chan struct{}{}, asking: make(chan struct{}, maxAsking),
		reading: make(chan struct{}, maxReading), streams: make(chan struct{}, maxStreams),
	}
	s.registry.j = opt.Journal
	for _, id := range opt.Controller.Tables() {
		s.conditional[id] = make(chan struct{}, 1)
	}
	h := humago.New(s.mux, humaConfig(opt.Version))
	s.registerTables(h)
	s.registerActions(h)
	s.registerLevel(h)
	s.registerStaff(h)
	s.registerJournal(h)
	s.registerStream(h)
	s.registerRest(h)
	s.openapi = document(h)
	s.mux.HandleFunc("GET /openapi.json", s.serveDocument)
	s.mux.HandleFunc("POST /v1/tables/{table}/actions/{name}", s.noAction)
	s.mux.HandleFunc("/", s.noRoute)
	return s
}

// humaConfig leaves out what huma would serve beside the API: pages that load
// scripts from elsewhere, and documents that it builds without a lock.
func humaConfig(version string) huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{Title: "Shuffler controller", Version: version, Description: "Tables, decks, hands and the journal of a card room's shuffler. " +
				"Answers come when their outcome is durable. A request that changes something should carry an " + api.HeaderKey +
				": repeated, it gets the same answer, also after a restart. Where the room has a staff file people prove who they are with a PIN; else identity is asserted, and every record says which."},
		},
		Formats:                      map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat},
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
	}
}

// ServeHTTP lets a request through that no page of another site made, and
// answers for a handler that fails.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer s.recovered(r)
	if err := s.checkOrigin(r); err != nil {
		write(w, newProblem(api.CodeForbidden, "", err.Error()))
		return
	}
	s.mux.ServeHTTP(w, r)
}

// recovered ends a connection whose handler failed. A client that does not take
// its answer makes huma panic; that is no defect of ours.
func (s *Server) recovered(r *http.Request) {
	switch v := recover(); {
	case v == nil:
	case v == http.ErrAbortHandler:
		panic(v)
	default:
		if r.Context().Err() == nil {
			s.opt.Warn("web: request failed", fmt.Errorf("%s %s: %v", r.Method, clip(r.URL.Path), v))
		}
		panic(http.ErrAbortHandler)
	}
}

// checkOrigin refuses what a browser does for a page of another site. A name
// that somebody's DNS points to this machine is another site too.
func (s *Server) checkOrigin(r *http.Request) error {
	if a, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && a.Network() == "tcp" && !loopbackHost(r.Host) {
		return fmt.Errorf("host %s is not this machine", quote(r.Host))
	}
	return s.origins.Check(r)
}

func loopbackHost(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// write sends a problem outside of huma.
func write(w http.ResponseWriter, p *problem) {
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p) // whoever has gone does not want it
}

func (s *Server) noAction(w http.ResponseWriter, r *http.Request) {
	write(w, newProblem(api.CodeNoAction, "", "there is no action "+quote(r.PathValue("name"))))
}

// noRoute answers for everything else: another method, or nothing at all.
func (s *Server) noRoute(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, m := range []string{http.MethodGet, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = m
		if _, pattern := s.mux.Handler(other); pattern != "/" && pattern != "" && m != r.Method {
			allowed = append(allowed, m)
		}
	}
	if len(allowed) == 0 {
		write(w, newProblem(api.CodeNoRoute, "", "there is nothing at "+quote(r.URL.Path)))
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	write(w, newProblem(api.CodeWrongMethod, r.Method, ""))
}

// stopKey is where a request's context has the channel that is closed when its
// server stops.
type stopKey struct{}

// stopping gives that channel; nil where the server is another's.
func stopping(ctx context.Context) <-chan struct{} {
	c, _ := ctx.Value(stopKey{}).(<-chan struct{})
	return c
}

// Serve answers on l until ctx ends; then streams end, requests under way get
// some seconds, and l is closed. Several may run at once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	base := context.WithValue(context.WithoutCancel(ctx), stopKey{}, ctx.Done())
	srv := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: headerWithin,
		ReadTimeout:       requestWithin,
		WriteTimeout:      writeWithin,
		IdleTimeout:       idleFor,
		MaxHeaderBytes:    maxHeaderBytes,
		BaseContext:       func(net.Listener) context.Context { return base },
		ErrorLog:          log.New(warner{s.opt.Warn}, "", 0),
	}
	l = atMost(maxConnections, l)
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("web: listener %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(base, stopWithin)
	defer cancel()
	if err := srv.Shutdown(within); err != nil {
		srv.Close()
		return fmt.Errorf("web: requests were cut off at the stop: %w", err)
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// warner takes what net/http logs.
type warner struct{ warn func(string, error) }

func (w warner) Write(b []byte) (int, error) {
	w.warn("web: "+strings.TrimSpace(string(b)), nil)
	return len(b), nil
}
