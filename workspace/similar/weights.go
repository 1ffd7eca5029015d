package similar

// The weights below were fitted by make bench-similar-fit; do not edit them.
//
// 3000 tokens, 1220 places, 4231 identifiers, 6680 pairs: BM25 32.2 % and 33.8 %
// 8000 tokens, 1220 places, 4231 identifiers, 6680 pairs: BM25 49.8 % and 50.8 %
// 3000 tokens, pairs worth 0: 52.5 % and 31.3 %
// 3000 tokens, pairs worth 0.15: 51.7 % and 38.6 %
// 3000 tokens, pairs worth 0.3: 51.1 % and 41.0 %
// 3000 tokens, pairs worth 0.6: 49.7 % and 43.2 %
// 3000 tokens, pairs worth 1: 48.8 % and 44.7 %
// 8000 tokens, pairs worth 0: 67.0 % and 49.1 %
// 8000 tokens, pairs worth 0.15: 66.6 % and 58.4 %
// 8000 tokens, pairs worth 0.3: 66.3 % and 60.1 %
// 8000 tokens, pairs worth 0.6: 65.6 % and 61.3 %
// 8000 tokens, pairs worth 1: 64.5 % and 62.6 %

var nameWeights = [numNameFeatures]float32{
	-5.3, 1.625, 0.7339, 0.2949, 0.9424, -0.2566, -0.2298, -0.2479,
	0.2061, 0.002716, 0.3686, 2.622, 1.408, -0.0176, 0.06894, 0.116,
	0.2445, 0.843, -0.3451, -0.1025, -0.1635, 1.087, 0.1897, 0.02982,
	-0.1977, -0.009393, -0.3811, 0.004299, 0.08005, 0.2584, -0.09817, 1.256,
	-0.2391, 0.6144, -0.4695, -0.4626, -0.7428, 0.7219, 3.899, -1.38,
	-0.9069, 0.25, 1.006, 0.623,
}

var pairWeights = [numPairFeatures]float32{
	-8.439, 1.557, 0.1242, 0.3536, 1.453, -0.3841, 0.6981, -0.009128,
	-0.2809, -0.788, 0.2972, 0.3923, -0.5659, -0.123, 0.1703, 0.1386,
	3.431, 0.3291, 0.2645, -0.576, 0.7957, 0.5514,
}
