package similar

// The weights below were fitted by make bench-similar-fit; do not edit them.
//
// 3000 tokens, 473 places, 1628 identifiers, 2610 pairs: BM25 33.3 % and 31.9 %
// 8000 tokens, 473 places, 1628 identifiers, 2610 pairs: BM25 50.3 % and 48.9 %
// 3000 tokens, pairs worth 0: 50.9 % and 25.5 %
// 3000 tokens, pairs worth 0.15: 50.1 % and 32.5 %
// 3000 tokens, pairs worth 0.3: 49.9 % and 36.9 %
// 3000 tokens, pairs worth 0.6: 49.6 % and 39.8 %
// 3000 tokens, pairs worth 1: 48.2 % and 40.2 %
// 8000 tokens, pairs worth 0: 67.9 % and 44.7 %
// 8000 tokens, pairs worth 0.15: 67.9 % and 53.3 %
// 8000 tokens, pairs worth 0.3: 67.3 % and 56.1 %
// 8000 tokens, pairs worth 0.6: 66.5 % and 57.6 %
// 8000 tokens, pairs worth 1: 65.7 % and 58.9 %

var nameWeights = [numNameFeatures]float32{
	-4.605, 0.2915, 0.9969, 0.4076, 1.958, 0.5086, -0.534, -0.2533,
	-0.4018, -0.1325, 0.488, 2.361, 1.143, 0.3397, 0.03021, 0.9622,
	0.1336, 0.7639, -0.3774, -0.1284, -0.05122, 1.182, 0.02915, -0.1333,
	-0.3658, 0.114, -0.7053, -0.08272, 0.1227, 0.1038, 0.02814, 1.342,
	-0.3225, 0.8558, -0.6104, -0.408, -0.5336, 0.3803, 1.625, -0.4964,
}

var pairWeights = [numPairFeatures]float32{
	-9.881, 1.525, 0.2598, 0.3736, 1.818, -0.3122, 0.733, 0.1687,
	0.1497, -3.308, -2.358, 3.977, 3.213, -1.055, 0.06129, 0.08597,
	3.545, 0.1075, 0.03702,
}
