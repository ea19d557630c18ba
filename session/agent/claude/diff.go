package claude

import "strings"

// contextLines is how many lines that stay are shown around a change.
const contextLines = 3

// diffLimit bounds the work of comparing, as the product of the lines on
// either side; a larger change is shown as one.
const diffLimit = 1 << 20

// changed shows what becomes of a passage, in the manner of a unified diff;
// a line of … stands for lines that stay.
func changed(before, after string) string {
	a, b := split(before), split(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out []string
	add := func(mark string, lines []string) {
		for _, l := range lines {
			out = append(out, mark+l)
		}
	}
	add(" ", a[max(0, head-contextLines):head])
	out = append(out, middle(a[head:len(a)-tail], b[head:len(b)-tail])...)
	add(" ", a[len(a)-tail:len(a)-tail+min(tail, contextLines)])
	if head == len(a) && head == len(b) && before != after {
		out = append(out, "(only the line break at the end changes)")
	}
	return strings.Join(out, "\n")
}

func split(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// middle shows how lines become others that begin and end differently.
func middle(a, b []string) []string {
	keeps := common(a, b)
	var out []string
	i, j := 0, 0
	until := func(x, y int) {
		for ; i < x; i++ {
			out = append(out, "-"+a[i])
		}
		for ; j < y; j++ {
			out = append(out, "+"+b[j])
		}
	}
	for k, keep := range keeps {
		until(keep[0], keep[1])
		// The run of lines that stay which this one is in.
		from, to := k, k
		for from > 0 && keeps[from-1][0] == keeps[from][0]-1 && keeps[from-1][1] == keeps[from][1]-1 {
			from--
		}
		for to+1 < len(keeps) && keeps[to+1][0] == keeps[to][0]+1 && keeps[to+1][1] == keeps[to][1]+1 {
			to++
		}
		switch {
		case k-from < contextLines || to-k < contextLines || to-from == 2*contextLines:
			out = append(out, " "+a[i])
		case k-from == contextLines:
			out = append(out, "…")
		}
		i, j = i+1, j+1
	}
	until(len(a), len(b))
	return out
}

// common returns the places of a longest sequence of lines that both have;
// none when finding it would take too long.
func common(a, b []string) [][2]int {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > diffLimit {
		return nil
	}
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width) // of what follows, from each pair of places
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	var keeps [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			keeps = append(keeps, [2]int{i, j})
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return keeps
}
