package shuffle_test

import (
	"fmt"

	"shuffler/shuffle"
)

// The machine gathers and then strips, where a riffle is due.
func Example() {
	pass := shuffle.Begin(shuffle.Default(), false, 52)
	for _, r := range []shuffle.Report{
		{Step: shuffle.Gather, Phase: shuffle.Started, By: shuffle.Machine},
		{Step: shuffle.Gather, Phase: shuffle.Done, By: shuffle.Machine, Cards: 52},
		{Step: shuffle.Strip, Phase: shuffle.Started, By: shuffle.Machine},
	} {
		var res shuffle.Result
		pass, res = pass.Apply(r)
		fmt.Println(r.Step, r.Phase, res.Accepted)
		if !res.Accepted {
			fmt.Println(res.Break)
		}
	}
	fmt.Println("void:", pass.Void(), pass.Stopped())
	// Output:
	// gather started true
	// gather done true
	// strip started false
	// out_of_order: want riffle started by machine (step 3), got strip started by machine
	// void: true sequence_break
}
