package api

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Tuning constants of the client.
const (
	defaultPatience = 10 * time.Second
	dialWithin      = 5 * time.Second
	firstPause      = 50 * time.Millisecond
	longestPause    = 2 * time.Second
	answerAtLast    = 40 * time.Second // the controller answers sooner, if only that it cannot tell yet
	maxAnswerBytes  = 16 << 20
)

// Client speaks to a controller. It may be shared between goroutines. All
// methods return *Problem where the controller said no, and an error that is
// ErrUnreachable where it was not heard.
type Client struct {
	// Patience is how long a request whose connection broke is tried again. Every
	// request can be: those that change something carry a key.
	Patience time.Duration

	base   string // http://host
	server string // as given, for errors
	http   *http.Client
}

// Dial makes a client for the server: unix:///path, a path, or
// http://127.0.0.1:port. It does not connect yet.
func Dial(server string) (*Client, error) {
	a, err := ParseAddress(server)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: dialWithin}
	base := "http://shufflerd"
	if a.Network == "tcp" {
		base = "http://" + a.Address
	}
	c := NewClient(base, func(ctx context.Context) (net.Conn, error) { return d.DialContext(ctx, a.Network, a.Address) })
	c.server = server
	return c, nil
}

// NewClient makes a client over connections of any kind. base is the URL that
// the server believes to have, such as http://shufflerd.
func NewClient(base string, dial func(context.Context) (net.Conn, error)) *Client {
	t := &http.Transport{
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx) },
		Proxy:               nil, // the controller is on this machine
		MaxIdleConns:        4,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     30 * time.Second,

		ResponseHeaderTimeout: answerAtLast,
	}
	return &Client{
		Patience: defaultPatience, base: base, server: base,
		http: &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// Close drops idle connections. The client may still be used.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Version tells which program answers.
func (c *Client) Version(ctx context.Context) (v Version, err error) {
	return v, c.get(ctx, "/v1/version", nil, &v)
}

// Tables gives a line for each table.
func (c *Client) Tables(ctx context.Context) ([]TableSummary, error) {
	var t Tables
	err := c.get(ctx, "/v1/tables", nil, &t)
	return t.Tables, err
}

// Table gives a table as the journal has it.
func (c *Client) Table(ctx context.Context, id string) (s Snapshot, err error) {
	return s, c.get(ctx, "/v1/tables/"+url.PathEscape(id), nil, &s)
}

// Level gives the level in force for the room.
func (c *Client) Level(ctx context.Context) (a Announcement, err error) {
	return a, c.get(ctx, "/v1/level", nil, &a)
}

// Decks lists the decks that the room knows.
func (c *Client) Decks(ctx context.Context) ([]RegisteredDeck, error) {
	var r Registry
	err := c.get(ctx, "/v1/decks", nil, &r)
	return r.Decks, err
}

// Staff tells who may act, and whether people have to prove who they are.
func (c *Client) Staff(ctx context.Context) (s Staff, err error) {
	return s, c.get(ctx, "/v1/staff", nil, &s)
}

// Devices lists the machines of all tables.
func (c *Client) Devices(ctx context.Context) ([]DeviceLink, error) {
	var d Devices
	err := c.get(ctx, "/v1/devices", nil, &d)
	return d.Devices, err
}

// Records gives a page of the journal.
func (c *Client) Records(ctx context.Context, q Query) (r Records, err error) {
	return r, c.get(ctx, "/v1/records", q.values(), &r)
}

func (q Query) values() url.Values {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" && value != "0" {
			v.Set(name, value)
		}
	}
	set("after", strconv.FormatUint(q.After, 10))
	set("table", q.Table)
	set("type", strings.Join(q.Types, ","))
	set("hand", strconv.FormatUint(q.Hand, 10))
	set("deck", q.Deck)
	set("limit", strconv.Itoa(q.Limit))
	return v
}

// Do carries out an action at a table and returns when its outcome is durable.
// Where it was refused, the Answer says so and the error is the *Problem. A
// request without a key is given one, so that a broken connection is no reason
// for doing it twice. The room's actions are done whatever table is named.
func (c *Client) Do(ctx context.Context, table string, r Request) (Answer, error) {
	return c.do(ctx, table, r, "")
}

// DoAt is Do for a screen that shows state number n: where the table has moved
// on, the problem is CodeStale and nothing is done.
func (c *Client) DoAt(ctx context.Context, table string, n uint64, r Request) (Answer, error) {
	return c.do(ctx, table, r, `"`+strconv.FormatUint(n, 10)+`"`)
}

// Announce puts a level in force for all tables (H2).
func (c *Client) Announce(ctx context.Context, by string, l AnnounceLevel) (Answer, error) {
	return c.Do(ctx, "", Request{Action: AnnounceLevelAction, By: by, Args: Args(l)})
}

// roomPaths are where the room's actions are asked for.
var roomPaths = map[string]string{AnnounceLevelAction: "/v1/level", LiftLockAction: "/v1/staff/lift_lock"}

func (c *Client) do(ctx context.Context, table string, r Request, match string) (Answer, error) {
	path := "/v1/tables/" + url.PathEscape(table) + "/actions/" + url.PathEscape(r.Action)
	if p, ok := roomPaths[r.Action]; ok {
		path = p
	}
	if r.Key == "" {
		r.Key = newKey()
	}
	body := r.Args
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}")
	}
	h := http.Header{"Content-Type": {"application/json"}, HeaderAs: {r.By}, HeaderKey: {r.Key}}
	for name, value := range map[string]string{HeaderPIN: string(r.PIN), HeaderApprovedBy: r.ApprovedBy, HeaderApprovedPIN: string(r.ApprovedPIN)} {
		if value != "" {
			h[name] = []string{value}
		}
	}
	if match != "" {
		h["If-Match"] = []string{match}
	}
	var a Answer
	err := c.send(ctx, http.MethodPost, path, h, body, &a)
	if p, ok := errors.AsType[*Problem](err); ok {
		return p.answer(), err
	}
	return a, err
}

func (c *Client) get(ctx context.Context, path string, q url.Values, into any) error {
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return c.send(ctx, http.MethodGet, path, nil, nil, into)
}

// send makes a request and reads its answer, again where the connection breaks.
func (c *Client) send(ctx context.Context, method, path string, h http.Header, body []byte, into any) error {
	r := retry{patience: c.Patience}
	for {
		err := c.once(ctx, method, path, h, body, into)
		if !errors.Is(err, ErrUnreachable) || !r.again(ctx, err) {
			return err
		}
	}
}

func (c *Client) once(ctx context.Context, method, path string, h http.Header, body []byte, into any) error {
	resp, err := c.open(ctx, method, path, h, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerBytes))
	if err != nil {
		return c.broken(ctx, err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return &Problem{Code: CodeUnexpected, Status: resp.StatusCode, Detail: "the answer of " + path + " is not understood: " + err.Error(), Hint: "is the controller of another version?"}
	}
	return nil
}

// open makes one request. A status other than 200 is an error.
func (c *Client) open(ctx context.Context, method, path string, h http.Header, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", path, err)
	}
	for k, v := range h {
		req.Header[k] = v
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.broken(ctx, err)
	}
	if resp.StatusCode == http.StatusOK {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, readProblem(resp)
}

// broken is the error of a connection that failed. A ctx that ended is not the
// connection's fault.
func (c *Client) broken(ctx context.Context, err error) error {
	if e := context.Cause(ctx); e != nil {
		return e
	}
	return &unreachable{server: c.server, err: err}
}

func readProblem(resp *http.Response) error {
	p := &Problem{}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerBytes))
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil || kind != contentTypeError || json.Unmarshal(b, p) != nil || p.Code == "" {
		p = &Problem{Code: CodeUnexpected, Detail: "answered with " + resp.Status, Hint: "is this a shuffler controller?"}
	}
	p.Status = resp.StatusCode
	if s, err := strconv.ParseUint(resp.Header.Get("Retry-After"), 10, 16); err == nil {
		p.RetryAfter = time.Duration(s) * time.Second
	}
	return p
}

// newKey is an idempotency key that nobody else has.
func newKey() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// unreachable is a connection that failed.
type unreachable struct {
	server string
	err    error
}

func (u *unreachable) Error() string {
	return fmt.Sprintf("%v at %s: %v; is shufflerd running, and may this user open its socket?", ErrUnreachable, u.server, u.err)
}

func (u *unreachable) Unwrap() []error { return []error{ErrUnreachable, u.err} }

// neverMade tells whether there was no connection at all.
func (u *unreachable) neverMade() bool {
	op, ok := errors.AsType[*net.OpError](u.err)
	return ok && op.Op == "dial"
}

// retry decides how often and when a request is tried again.
type retry struct {
	patience time.Duration
	until    time.Time
	pause    time.Duration
}

// again waits and tells whether to try again. A controller that cannot be
// connected to at the first attempt is not waited for: it does not run. One
// whose connection broke may come back.
func (r *retry) again(ctx context.Context, err error) bool {
	now := time.Now()
	if r.until.IsZero() {
		if u, ok := errors.AsType[*unreachable](err); ok && u.neverMade() {
			return false
		}
		r.until, r.pause = now.Add(r.patience), firstPause
	}
	if now.Add(r.pause).After(r.until) {
		return false
	}
	t := time.NewTimer(r.pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
	}
	r.pause = min(2*r.pause, longestPause)
	return true
}
