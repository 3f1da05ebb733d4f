// Package deckcheck decides whether a pack of cards is fit to play with.
//
// A scanner reads a pack and says how often it saw each card; that is a
// [Tally]. [Judge] compares the tally with the 52 cards that should be there
// and gives a [Verdict]. There are three, never two (D2):
//
//   - Good: exactly the 52 cards, each once, nothing else, and the feed counted
//     as many cards as were read (D1). A count of 52 proves nothing by itself:
//     two jacks of diamonds and no queen of diamonds make 52 as well.
//   - Bad: the pack was read to its end and something is wrong with it; the
//     findings tell what.
//   - Unread: the reading failed. That says nothing about the pack: it is never
//     blamed for it, and never good.
//
// The order of the cards is the secret of the game (X1). Nothing here keeps it:
// a scanner that sends one card a line is folded into counts by a [Scan] line
// by line, and every permutation of the same reads gives the same Tally, the
// same Verdict and the same bytes. Cards are named only by a check that ran to
// its end; the "missing" cards of half a scan would be the unread half (D10).
//
// What no sensor sees (scratches, creases, dirt, a cut card at hand) the dealer
// states in an [Attestation] (D4). A [Receipt] puts both side by side, apart,
// with all that D8 wants to be written down.
//
// Rule ids as D1 or X1 are those of controller/table/RULES.md.
//
// The package is pure: no clock, no files, no goroutines. All types but Receipt
// and Finding lists are plain comparable values: a copy is a snapshot, and == says
// whether two are the same. Values may be shared between goroutines as long as
// nobody writes; only [Scan] has methods that write.
package deckcheck
