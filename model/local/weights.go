package local

// Threshold is the confidence from which on a suggestion is shown.
const Threshold = 0.5

// weights belong to hole.features, in its order. They were fitted by logistic
// regression on held-out lines (make bench-local FIT=1).
var weights = []float64{
	0.997, 0.701, 0.898, 0.481, 0.318, 0.585,
	0.688, -0.648, -0.202, 0.402, -0.635, 0.923,
	1.069, 0.330, -0.093, -0.408, -0.958, -0.247,
	-0.413, -1.307, 1.059, -0.592, -2.366, 0.911,
	-0.415, -3.375, 0.545, 1.687, -0.235, 0.124,
	1.877, 0.499, 0.182, -0.335, 0.068, 0.514,
}
