package rank

import (
	"math"

	"tandem/workspace/index"
	"tandem/workspace/language"
)

// What is known of a candidate when its probability is estimated. The weights were
// fitted to real code in which lines were removed (make bench-window-fit).
const (
	fBias = iota
	fCount
	fIdf
	fNear0
	fNear1
	fNear3
	fNear8
	fNear20
	fNear60
	fBelow
	fDotted
	fCohort
	fCohortLog
	fCohortDir
	fCohortImported
	fAdjacent
	fWords
	fWordsPart
	fSameDir
	fImported
	fExported
	fLocal
	fOwned
	fOwnerUsed
	fOwnerActivity
	fFileActivity
	fFunc
	fMethod
	fType
	fField
	fValue
	fUsers
	fDefs
	fSameLang
	fOwn // the place's own file defines something of the name
	numFeatures
)

// FeatureNames are the names of the numbers that Query.Trace receives.
var FeatureNames = [numFeatures]string{"fBias", "fCount", "fIdf", "fNear0", "fNear1", "fNear3", "fNear8", "fNear20", "fNear60", "fBelow",
	"fDotted", "fCohort", "fCohortLog", "fCohortDir", "fCohortImported", "fAdjacent", "fWords", "fWordsPart", "fSameDir", "fImported", "fExported", "fLocal", "fOwned", "fOwnerUsed", "fOwnerActivity", "fFileActivity",
	"fFunc", "fMethod", "fType", "fField", "fValue", "fUsers", "fDefs", "fSameLang", "fOwn"}

type features [numFeatures]float32

func log1p(x float32) float32 { return float32(math.Log1p(float64(x))) }

func flag(b bool) float32 {
	if b {
		return 1
	}
	return 0
}

// describe fills x for a name and its best definition; used reports whether the
// text has the name.
func (r *ranking) describe(x *features, c *Candidate, id nameID, best index.DefID, defs int) (used bool) {
	x[fBias] = 1
	users := len(r.users.of(uint32(id)))
	if r.s.own.Has(uint32(id)) {
		users-- // the place's own file, which is no evidence
	}
	x[fUsers] = log1p(float32(users))
	x[fIdf] = r.rarity - x[fUsers]
	x[fDefs] = log1p(float32(defs))
	cohort := r.s.cohort.Get(uint32(id))
	x[fCohort] = cohort
	x[fCohortLog] = float32(math.Log(float64(cohort) + 0.003))
	x[fAdjacent] = r.s.adjacent.Get(uint32(id))
	x[fWords], x[fWordsPart] = r.familiar(id)
	if used = r.s.slot.Has(uint32(id)); used {
		m := &r.s.mentions[int(r.s.slot.Get(uint32(id)))]
		c.Line = m.line
		x.use(m)
	}
	r.describeDef(x, best)
	x[fCohortDir], x[fCohortImported] = cohort*x[fSameDir], cohort*x[fImported]
	return used
}

// use fills in how the text uses the name.
func (x *features) use(m *mention) {
	n := m.nearest()
	x[fCount] = log1p(float32(m.count))
	x[fNear0], x[fNear1], x[fNear3] = flag(n <= 1), flag(n <= 2), flag(n <= 4)
	x[fNear8], x[fNear20], x[fNear60] = flag(n <= 10), flag(n <= 25), flag(n <= 60)
	x[fBelow] = flag(m.below < m.above)
	x[fDotted] = flag(m.dotted)
}

// describeDef fills in what the definition is and where.
func (r *ranking) describeDef(x *features, id index.DefID) {
	dir, language, d := r.at(id)
	f, owner := uint32(id.File()), uint32(d.owner)
	x[fSameDir] = flag(dir == r.dir)
	x[fImported] = flag(r.s.imported.Has(f))
	x[fExported] = flag(d.flags&exported != 0)
	x[fLocal] = flag(d.flags&local != 0)
	x[fFileActivity] = log1p(r.s.fileActivity.Get(f))
	if owner != 0 {
		x[fOwned] = 1
		x[fOwnerUsed] = flag(r.s.slot.Has(owner))
		x[fOwnerActivity] = log1p(r.s.ownerActivity.Get(owner))
	}
	x[fSameLang] = flag(language == r.q.Language)
	x[kindFeature(d.kind)] = 1
}

func kindFeature(k language.Kind) int {
	switch {
	case k == language.KindMethod || k == language.KindConstructor:
		return fMethod
	case k.IsFunc():
		return fFunc
	case k.IsType():
		return fType
	case k == language.KindField || k == language.KindProperty:
		return fField
	}
	return fValue
}

// weights are a logistic model for the names that a text uses already and one
// for those that it does not.
type weights struct{ used, unused features }

// weightsOf are those fitted to code of a language, or to code of all.
func weightsOf(language string) *weights {
	switch language {
	case "go":
		return &weightsGo
	case "python":
		return &weightsPython
	case "typescript", "typescriptreact", "javascript", "javascriptreact":
		return &weightsScript
	case "rust":
		return &weightsRust
	}
	return &weightsAny
}

// probability is the logistic model's estimate.
func (x *features) probability(m *weights, used bool) float32 {
	w := &m.unused
	if used {
		w = &m.used
	}
	var z float32
	for i := range x {
		z += w[i] * x[i]
	}
	return 1 / (1 + float32(math.Exp(float64(-z))))
}
