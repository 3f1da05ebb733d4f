// Package controller is the loop round the pure cores: it takes what happens at
// the tables and in the room, lets table.State.Apply or room.State decide, has
// the outcome recorded, and lets it out. Every promise of the product is made
// in a pure core; this package sees to it that none is acted on before it is
// durable, and that stopping never waits for anything.
//
// # The order rule
//
// One turn of a table is one event. What comes of it leaves in this order:
//
//  1. HALT, at once, in the goroutine that took the event;
//  2. the records, into the journal, durably;
//  3. the commands to the devices, the snapshot for the screens, the answer.
//
// So a machine stops though the disk hangs; and whatever was acknowledged
// (answered, shown, or done by a machine) is found again after a power cut.
//
// # By layers
//
//	Controller     wiring: one runner a table, one roomRunner, one committer, one desk
//	runner         a table's goroutine: a mailbox, a timer for deadlines, a Loop
//	Loop           the order rule for one table; owns its states, does no I/O
//	table.State    decides; pure
//	roomRunner     the room's goroutine: level in force, registry of decks
//	room.State     decides; pure
//	desk           idempotency keys: a request acts once
//	committer      one goroutine that writes: groups turns of all streams into one sync
//	journal        the chain on the disk
//
// The wires stand behind Devices: package device has the links, the daemon the
// ports, a simulation a memory line. People come through package web.
//
// # By data flow
//
// The start of a riffle: the link calls Post with table.OpStarted. The table's
// goroutine takes it from the mailbox and Loop.Take applies it to ahead: the
// hand begins, and its level is the one in force in ahead, so arrival in the
// mailbox decides (H2). The records go to the committer; Take returns. The
// committer appends them with whatever other tables have handed in meanwhile,
// syncs once, and posts Settle into the mailbox. Now the loop lets out what
// waited: the state becomes committed, a snapshot is stored for the screens,
// Observe hears of the records.
//
// A request: Ask goes to the desk, which looks the key up in the journal (in
// the caller's goroutine) and holds it while the request is under way. Then it
// is an event like any other, and its answer comes with its turn. An
// announcement goes to the room first, and to the tables once it is durable
// there; a deck on its way to a table passes the registry.
//
// # Committed and ahead
//
// A Loop holds its table's state twice. Ahead has seen every event; it decides
// the next one, and halts. Committed is what the journal holds; it is what
// people see. Between them lie the turns that wait, oldest first, and nothing
// overtakes: a turn without records leaves behind those before it. A command
// that waited is let out only while its lane in ahead still waits for it; a
// HALT or a lost link in between has ended it.
//
// # When the journal fails
//
// It hangs: HALTs go out as ever, the rest waits. After maxPending turns
// actions are turned away with ErrStalled. Reports that make no record go along
// with the turn before them and cost nothing; a table that comes to be
// maxBehind turns behind halts and gives up until it can recover.
//
// A commit fails: it may have landed or not. The committer counts an epoch,
// drops what waits, and posts Fail to every stream: all devices halt, actions
// get ErrNotRecorded, links and lines are still followed. Submissions of an
// older epoch, from streams that have not heard, are dropped. Every second it
// tries to reopen the journal; when that works, it folds each stream anew and
// posts Recover. What the journal holds is answered as done, though its
// commands are not sent; the rest is answered as not recorded. Then the table
// trips: the journal's fault is latched, what was under way is void, nothing is
// dealt until the floor clears it. Levels do not make edges, so they are told
// again: lines that stop a machine, the settings, the room's level.
//
// A record that the journal could never hold turns its action away before it
// has happened: Apply is pure, and its outcome is dropped.
//
// # Goroutines and who owns what
//
// Each table's goroutine owns its Loop and calls its Devices; the room's owns
// its registry; the committer's writes the journal. They talk by posting to
// mailboxes, which never blocks: whoever waited for another could not halt.
// Shared under a lock are the committer's queue, the desk's open keys and a
// pointer to each table's snapshot, and no lock is held while anything is
// waited for. Reading the journal happens in callers' goroutines and, while
// recovering, in the committer's; never in a table's.
//
// Step does the work of all goroutines in the caller's, one after the other:
// the same code on a virtual clock gives the same journal, byte for byte.
//
// # Start and stop
//
// New folds the journal from the newest checkpoints and boots each table:
// shuffles and checks of the run before are void, a hand in play comes back
// (M3). What a crash kept one stream from telling another is caught up. Stop
// halts every table before it waits for any, then waits for the disk as long as
// it is allowed to.
package controller
