package main

import (
	"bufio"
	"log"
	"os"
	"strconv"
	"strings"
)

const maxRow = 1 << 20

// readRows reads what the typed commits noted: a heading for each key, then one candidate
// per line, 0 or 1 and the features; what follows a # is for people.
func readRows(file string) (rows [][]float64, labels []float64) {
	f, err := os.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxRow)
	for in.Scan() {
		text, _, _ := strings.Cut(in.Text(), "#")
		if text == "" {
			continue
		}
		var row []float64
		for _, s := range strings.Fields(text) {
			x, err := strconv.ParseFloat(s, 64)
			if err != nil {
				log.Fatal(err)
			}
			row = append(row, x)
		}
		rows, labels = append(rows, row[1:]), append(labels, row[0])
	}
	if len(rows) == 0 {
		log.Fatalf("%s has no candidates in it", file)
	}
	return rows, labels
}
