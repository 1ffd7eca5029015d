// Package vocab writes the compact form of a tokenizer's vocabulary that
// package tokens embeds, from the published one that a library carries.
//
// Invariant: only the generator and tests import it, so the published form
// (megabytes of base64) is never linked into the program.
package vocab

import (
	"encoding/binary"
	"fmt"

	loader "github.com/pkoukk/tiktoken-go-loader"
)

// Explicit marks a record whose token is spelled out instead of merged.
const Explicit = 0xffffff

// Build returns the compact form of the named encoding's vocabulary.
//
// A token that the merge procedure can reach is reached by exactly one last
// merge: the borders of a token that is being formed are not crossed, so what
// happens between them is what happens when the token stands alone. One pair a
// token is therefore all that a tokenizer needs, and spells the token too.
//
// The form is a little-endian uint32 count, then for each token in order of
// rank two 24-bit numbers: the ranks of its halves, or Explicit and a length,
// then the bytes of the explicit tokens, in order.
func Build(encoding string) ([]byte, error) {
	ranks, err := loader.NewOfflineLoader().LoadTiktokenBpe(encoding + ".tiktoken")
	if err != nil {
		return nil, fmt.Errorf("read the published vocabulary of %s: %w", encoding, err)
	}
	pieces := make([]string, len(ranks))
	for piece, rank := range ranks {
		if rank >= len(pieces) {
			return nil, fmt.Errorf("the vocabulary of %s has a gap below rank %d", encoding, rank)
		}
		pieces[rank] = piece
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(pieces)))
	var explicit []byte
	for rank, piece := range pieces {
		a, b, ok := lastMerge(ranks, piece)
		if !ok || a >= rank || b >= rank {
			a, b = Explicit, len(piece)
			explicit = append(explicit, piece...)
		}
		out = append24(append24(out, a), b)
	}
	return append(out, explicit...), nil
}

func append24(out []byte, n int) []byte {
	return append(out, byte(n), byte(n>>8), byte(n>>16))
}

// lastMerge merges piece, the way the reference does, until two parts are left
// and returns their ranks; ok reports whether those two would merge into piece.
func lastMerge(ranks map[string]int, piece string) (a, b int, ok bool) {
	parts := make([]string, len(piece))
	for i := range parts {
		parts[i] = piece[i : i+1]
	}
	for len(parts) > 2 {
		best, at := len(ranks), -1
		for i := range parts[:len(parts)-1] {
			if rank, ok := ranks[parts[i]+parts[i+1]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			return 0, 0, false
		}
		parts[at] += parts[at+1]
		parts = append(parts[:at+1], parts[at+2:]...)
	}
	if len(parts) < 2 {
		return 0, 0, false
	}
	return ranks[parts[0]], ranks[parts[1]], true
}
