package local

// Threshold is the confidence from which on a suggestion is shown.
const Threshold = 0.5

// weights belong to hole.features, in its order. They were fitted by logistic
// regression on held-out lines (make bench-local FIT=1).
var weights = [...]float64{
	-6,
	0.2, 0.2, 0.5, 0.5,
	0.5, 0.5, 1, 0.2, 0.5, 0.3,
	0.5, 1.5, 0.5,
	0.2, 0.2,
	-0.5, -0.3, -0.2, -0.3, 0,
	0, 0, 0.3, 0,
	-2,
	0,
}
