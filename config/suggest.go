package config

import "strings"

// nearest gives the candidate that a misspelt word most likely means, or "".
// A candidate counts when at most a third of its letters differ.
func nearest(word string, candidates []string) string {
	const longestWord = 64 // a longer one is no typing mistake
	if len(word) > longestWord {
		return ""
	}
	best, bestDistance := "", 0
	for _, c := range candidates {
		d := distance(fold(word), fold(c))
		if d > max(1, len(c)/3) {
			continue
		}
		if best == "" || d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// fold takes away what people mix up without misspelling: case and the kind of
// dash.
func fold(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }

// distance counts the letters to insert, delete, replace or swap with the
// neighbour to make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		for j := 1; j <= len(y); j++ {
			replace := last[j-1]
			if x[i-1] != y[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(y)]
}

// didYouMean is the hint for an unknown key: a neighbour with nearly this name,
// or the same name in another section.
func didYouMean(prefix, name string, siblings, all []string) string {
	if s := nearest(name, siblings); s != "" {
		return "did you mean " + prefix + s + "?"
	}
	for _, k := range all {
		if _, last, ok := cutLast(k); ok && fold(last) == fold(name) {
			return "did you mean " + k + "?"
		}
	}
	if s := nearest(name, all); s != "" {
		return "did you mean " + s + "?"
	}
	return "remove it; known here: " + strings.Join(siblings, ", ")
}

func cutLast(key string) (section, name string, ok bool) {
	i := strings.LastIndexByte(key, '.')
	if i < 0 {
		return "", key, false
	}
	return key[:i], key[i+1:], true
}
