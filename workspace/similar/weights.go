package similar

// The weights below were fitted by make bench-similar-fit; do not edit them.
//
// 3000 tokens, 473 places, 1628 identifiers, 2610 pairs: BM25 33.3 % and 31.9 %
// 8000 tokens, 473 places, 1628 identifiers, 2610 pairs: BM25 50.3 % and 48.9 %
// 3000 tokens, pairs worth 0: 52.5 % and 29.3 %
// 3000 tokens, pairs worth 0.15: 51.4 % and 36.4 %
// 3000 tokens, pairs worth 0.3: 50.7 % and 38.2 %
// 3000 tokens, pairs worth 0.6: 50.1 % and 41.0 %
// 3000 tokens, pairs worth 1: 49.1 % and 42.4 %
// 8000 tokens, pairs worth 0: 67.6 % and 48.1 %
// 8000 tokens, pairs worth 0.15: 67.0 % and 56.4 %
// 8000 tokens, pairs worth 0.3: 66.8 % and 59.0 %
// 8000 tokens, pairs worth 0.6: 65.8 % and 61.1 %
// 8000 tokens, pairs worth 1: 65.3 % and 62.1 %

var nameWeights = [numNameFeatures]float32{
	-5.344, -0.1516, 1.288, 0.8253, 1.803, 0.4278, -0.4471, -0.3681,
	-0.2388, -0.1707, 0.6164, 2.352, 1.112, 0.2162, 0.06869, 0.5655,
	0.1933, 0.7654, -0.2826, -0.1206, -0.162, 1.389, 0.004224, -0.3802,
	-0.146, -0.2271, -0.816, -0.2367, 0.1267, 0.287, 0.09261, 1.156,
	-0.3479, 0.8723, -0.5296, -0.4431, -0.4809, 0.5901, 1.956, -0.7659,
	-0.5944, 0.3744, 0.7897, 0.7011,
}

var pairWeights = [numPairFeatures]float32{
	-8.333, 1.482, 0.08256, 0.4423, 1.543, -0.3807, 0.7269, -0.1206,
	-0.3019, -1.462, 0.04696, 1.439, -0.4575, -0.6587, 0.1571, 0.1706,
	2.995, 0.3192, 0.3241, -0.6265, 0.9459, 0.4711,
}
