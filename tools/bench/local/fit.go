package main

import (
	"bufio"
	"log"
	"os"
	"strconv"
	"strings"
)

// readRows reads the file that -dump wrote: one candidate per line, 0 or 1 and then
// the features.
func readRows(file string) (rows [][]float64, labels []float64) {
	f, err := os.Open(file)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		if in.Text() == "" { // the candidates of another place follow
			continue
		}
		var row []float64
		for _, s := range strings.Fields(in.Text()) {
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
