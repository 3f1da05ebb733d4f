// Package rig puts simulated devices, packs and people together into a table
// that can be played at: World is what physically lies where, Crew is a dealer
// and a floor manager who do only what people can do (move packs, press, open,
// and ask through the API), and a Scenario says what goes wrong and when.
//
// The crew has no plan of the procedure in its head: it reads the one next
// action from the table's screen and does that. So a state in which the screen
// leads nowhere stops the evening, and the simulation finds it.
//
// Like package sim it has no clock and starts nothing; one seed gives the same
// evening.
package rig
