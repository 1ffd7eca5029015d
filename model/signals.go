package model

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tandem/workspace/terms"
)

// pattern is a regular expression that is compiled when it is first asked for: compiling
// all of these takes a tenth of the program's start.
func pattern(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}

// Words and paths that show what a request is about. They are hints: the user sees
// the reason and can overrule it, so in doubt they choose the careful lane.
var (
	securityWords = pattern(`(?i)\b(security|vulnerab\w*|cve-?\d*|exploit\w*|injection|xss|csrf|ssrf|` +
		`auth|oauth2?|openid|saml|sso|jwts?|authenticat\w*|authori[sz]\w*|log-?in flow|sign-?in flow|access control|rbac|acls?|` +
		`privileges?|permission checks?|permissions?|sandbox\w*|passwords?|passwd|credentials?|secrets?|api keys?|access tokens?|session tokens?|refresh tokens?|` +
		`encrypt\w*|decrypt\w*|crypto\w*|ciphers?|hmac|signatures? verif\w*|verif\w* signatures?|certificates?|tls|payments?|billing)\b`)
	securitySegments = terms.Set("auth authn authz authentication authorization oauth oauth2 oidc saml sso jwt rbac acl iam permissions permission " +
		"security secure secrets secret credentials credential crypto cryptography encryption tls ssl certs keystore vault password passwords payment payments billing sandbox")
	cosmetic = pattern(`(?i)\b(typos?|spelling|wording|comments?|docstrings?|whitespace|indentation|formatting|reformat|colou?rs?|padding|margin|css|labels?|icons?)\b`)

	migrationWords = pattern(`(?i)\b((database|data|schema|db|sql) migrations?|migrations? (file|script|for)|write (a|the) migration|add (a|the) migration|` +
		`alter table|(add|drop|rename) (a |the )?(\w+ )?(column|table|index|constraint|foreign key)s?|backfill\w*|schema changes?|migrate (the )?(database|db|data|schema|table|users|rows)\w*)\b`)
	migrationPath = pattern(`(?i)(^|/)(migrations?|migrate|alembic|flyway|liquibase)/|(^|/)(V\d+(\.\d+)*__|\d{8,14}_)[^/]*\.(sql|rb|py|go|ts|js|php)$|(^|/)schema\.(sql|rb|prisma)$`)

	debugWords   = pattern(`(?i)\b(debug\w*|deadlocks?|race condition|why (does|do|is|are)|root cause|trace|traces|tracing|investigat\w*|times? out|time-?outs?|intermittent\w*|flaky|hangs?|crash\w*|fails?|failing|broken|bug)\b`)
	serviceWords = pattern(`(?i)\b((across|between|several|multiple|two|three|all|both) (the )?(micro-?)?services?|microservices?|distributed|end[- ]to[- ]end|service mesh|(upstream|downstream) services?|cross-service)\b`)
	serviceRoots = terms.Set("services service apps app cmd microservices packages")

	everywhere = pattern(`(?i)\b(everywhere|(in|across|through(out)?) (the )?(whole |entire )?(codebase|code base|repo|repository|project)|(all|every) (the )?(files?|packages?|modules?|callers?|call sites?|usages?))\b`)

	listedStep = pattern(`(?m)^\s*(?:[-*+]|\d+[.)]|step \d+:?)\s+\S`)
	nextStep   = pattern(`(?i)[,;.]?\s+(?:and )?(?:then|after that|afterwards|next|finally)\b|;\s`)
	pathLike   = pattern(`[\w.-]+(?:/[\w.-]+)*\.(?:go|rs|py|ts|tsx|js|jsx|mjs|java|kt|c|cc|cpp|h|hpp|cs|rb|php|swift|scala|lua|sh|sql|css|scss|html|vue|svelte|md|json|ya?ml|toml|proto|tf)\b`)
)

func securityReason(s Signals) string {
	for _, p := range slices.Concat(s.Paths, pathsIn(s.Instruction)) {
		if sensitive(p) {
			return fmt.Sprintf("%s is security-sensitive", p)
		}
	}
	word := securityWords().FindString(s.Instruction)
	if word == "" || cosmetic().MatchString(s.Instruction) || s.Purpose == Ask && len(strings.Fields(s.Instruction)) < 8 {
		return ""
	}
	return fmt.Sprintf("%q is security-sensitive", strings.ToLower(word))
}

// sensitive reports whether a word of a path names something that security depends on.
func sensitive(p string) (found bool) {
	terms.EachPart(strings.TrimSuffix(p, path.Ext(p)), func(part []byte) { found = found || securitySegments[string(part)] })
	return found
}

func migrationReason(s Signals) string {
	for _, p := range s.Paths {
		if s.Purpose == Edit && migrationPath().MatchString(p) {
			return fmt.Sprintf("%s is a database migration", p)
		}
	}
	if s.Purpose == Edit && migrationWords().MatchString(s.Instruction) {
		return "it changes a database"
	}
	return ""
}

func servicesReason(s Signals) string {
	if !debugWords().MatchString(s.Instruction) {
		return ""
	}
	if serviceWords().MatchString(s.Instruction) {
		return "it is debugging across services"
	}
	if n := len(services(slices.Concat(s.Paths, pathsIn(s.Instruction)))); n > 1 {
		return fmt.Sprintf("it is debugging across %d services", n)
	}
	return ""
}

// services returns the folders directly below services/, apps/, cmd/ and similar.
func services(paths []string) map[string]bool {
	found := map[string]bool{}
	for _, p := range paths {
		parts := strings.Split(p, "/")
		for i := 0; i+2 < len(parts); i++ {
			if serviceRoots[parts[i]] {
				found[parts[i+1]] = true
				break
			}
		}
	}
	return found
}

// stepsIn counts the steps that an instruction lists.
func stepsIn(instruction string) int {
	if n := len(listedStep().FindAllString(instruction, -1)); n > 1 {
		return n
	}
	if strings.TrimSpace(instruction) == "" {
		return 0
	}
	return 1 + len(nextStep().FindAllString(instruction, -1))
}

// pathsIn lists the files that an instruction names.
func pathsIn(instruction string) []string {
	found := pathLike().FindAllString(instruction, -1)
	slices.Sort(found)
	return slices.Compact(found)
}
