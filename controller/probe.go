package controller

import "context"

// Probe sends a question through every loop and returns when all have answered,
// or with ctx's error. A watchdog that is fed by it barks when a loop hangs; how
// long it takes is how long the slowest loop is behind. Only with Start.
func (c *Controller) Probe(ctx context.Context) error {
	boxes := []*mailbox{c.room.box}
	for _, id := range c.order {
		boxes = append(boxes, c.tables[id].box)
	}
	answered := make(chan struct{}, len(boxes))
	for _, b := range boxes {
		b.post(func() { answered <- struct{}{} })
	}
	for range boxes {
		select {
		case <-answered:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
