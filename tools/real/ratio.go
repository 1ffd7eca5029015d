package main

// ratio is how alike two texts are, from 0 to 1, as Python's difflib says: twice the matching
// characters over all of them, where matches are the longest common block, and those to its
// left and to its right, and so on (Ratcliff and Obershelp). Like difflib for texts of 200
// characters and more, it passes over characters of b that are more than a hundredth of it.
func ratio(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x)+len(y) == 0 {
		return 1
	}
	places := map[rune][]int{}
	for i, c := range y {
		places[c] = append(places[c], i)
	}
	return 2 * float64(matching(x, y, places, 0, len(x), 0, len(y))) / float64(len(x)+len(y))
}

// matching counts the characters in common of x[xFrom:xTo] and y[yFrom:yTo].
func matching(x, y []rune, places map[rune][]int, xFrom, xTo, yFrom, yTo int) int {
	i, j, size := longestBlock(x, y, places, xFrom, xTo, yFrom, yTo)
	if size == 0 {
		return 0
	}
	return size + matching(x, y, places, xFrom, i, yFrom, j) + matching(x, y, places, i+size, xTo, j+size, yTo)
}

// longestBlock is the longest common block, the first in x, then in y, among equals.
func longestBlock(x, y []rune, places map[rune][]int, xFrom, xTo, yFrom, yTo int) (i, j, size int) {
	i, j = xFrom, yFrom
	ending := map[int]int{} // by place in y: length of the block that ends there
	for at := xFrom; at < xTo; at++ {
		now := map[int]int{}
		for _, other := range places[x[at]] {
			if other < yFrom || other >= yTo {
				continue
			}
			now[other] = ending[other-1] + 1
			if now[other] > size {
				i, j, size = at-now[other]+1, other-now[other]+1, now[other]
			}
		}
		ending = now
	}
	return i, j, size
}
