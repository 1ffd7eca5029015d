package similar

// The weights below were fitted by make bench-similar-fit; do not edit them.

var nameWeights = [numNameFeatures]float32{nBias: -6, nNear: 1, nPrev: 1, nBest10: .5}

var pairWeights = [numPairFeatures]float32{pBias: -7, pNear: 2, pLogA: .5, pLogB: .5}
