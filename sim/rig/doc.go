// Package rig puts simulated devices, packs and people together into a table
// that can be played at: World is what physically lies where, Crew is a dealer
// and a floor manager who do only what people can do (move packs, press, open,
// and ask through the API), and a Scenario says what goes wrong and when.
//
// The crew has no plan of the procedure in its head: it reads the one next
// action from the table's screen and does that. So a state in which the screen
// leads nowhere stops the evening, and the simulation finds it.
//
// These have no clock and start nothing, like package sim; one seed gives the
// same evening. A Bench is the other half: it lets worlds run in real time over
// pseudo-terminals, so that the same serial code talks to them as to hardware,
// with cables that can be pulled and crossed. There times differ from run to run;
// hands, verdicts and tags do not. Trouble is said to a scenario, to a live Bench
// and to its Control socket in the same words (ParseDeed).
package rig
