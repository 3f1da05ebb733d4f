package web

import "time"

// Tuning constants: what one client may take from the others.
const (
	headerWithin   = 5 * time.Second  // until the headers of a request are there
	requestWithin  = 10 * time.Second // until all of a request is there
	answerWithin   = 10 * time.Second // until an action's answer, or the word that there is none yet
	writeWithin    = 30 * time.Second // until an answer is sent
	idleFor        = 60 * time.Second // a connection without requests
	messageWithin  = 10 * time.Second // until a reader takes a message of a stream, else it is dropped
	heartbeatEvery = 15 * time.Second
	lookEvery      = 300 * time.Millisecond // for changes of state that no record tells
	stopWithin     = 3 * time.Second        // for requests under way when the server stops

	maxBodyBytes   = 64 << 10
	maxHeaderBytes = 16 << 10
	maxConnections = 128
	maxStreams     = 64 // so that streams never take all connections
	maxAsking      = 256
	maxReading     = 16 // who read the journal at once, besides streams

	pageLimit    = 100 // records in a page, if none is asked for
	maxPage      = 1000
	maxPageBytes = 4 << 20
	batchBytes   = 32 << 10 // of a stream, sent at once
)
