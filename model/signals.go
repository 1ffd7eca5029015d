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

// Words and paths that show what a request is about, in the languages that people write requests in.
// They are hints: the user sees the reason and can overrule it, so in doubt they choose the careful
// lane.
var (
	securitySegments = terms.Set("auth authn authz authentication authorization oauth oauth2 oidc saml sso jwt rbac acl iam permissions permission " +
		"security secure secrets secret credentials credential crypto cryptography encryption tls ssl certs keystore vault password passwords payment payments billing sandbox")

	cosmetic = pattern(`(?i)\b(typos?|spelling|misspell\w*|wording|whitespace|indentation|reformat|reword|rephrase|gofmt|prettier|lint warnings?|Tippfehler|Rechtschreib\w*|Einrückung|coquilles?|fautes? de frappe|erratas?|ortograf\w*)\b` +
		`|опечат|拼写|错别字|誤字|^\W*(please |bitte )?(add|align|adjust|change|clean up|correct|expand|fix|format|improve|make|optimi[sz]e|remove|set|shorten|sort|tidy|translate|update|write|ändere|korrigiere|verbessere|ergänze|corrige|ajoute|améliore|corrija|añade|corrige|mejora)\b[^,.;\n]{0,40}\b(comments?|doc ?strings?|docs|documentation|godoc|javadoc|formatting|imports|colou?rs?|padding|margin|css|labels?|icons?|blue|red|green|log messages?|error messages?|readme|changelog|Kommentare?|Kommentars?|commentaires?|comentarios?)\b`)

	migrationWords = pattern(`(?i)\b((database|data|schema|db|sql) migrations?|migrations? (file|script|for)|write (a|the) migration|add (a|the) migration|` +
		`alter table|(add|drop|rename) (a |the )?(\w+ )?(column|table|index|constraint|foreign key)s?|backfill\w*|schema changes?|migrate (the )?(database|db|data|schema|table|users|rows)\w*|Datenbankmigration\w*|Spalte (hinzufügen|löschen|umbenennen)|migraci[oó]n de (la )?base|migration de (la )?base)\b|迁移脚本|数据库迁移|マイグレーション`)
	migrationPath = pattern(`(?i)(^|/)(migrations?|migrate|alembic|flyway|liquibase)/|(^|/)(V\d+(\.\d+)*__|\d{8,14}_)[^/]*\.(sql|rb|py|go|ts|js|php)$|(^|/)schema\.(sql|rb|prisma)$`)

	debugWords   = pattern(`(?i)\b(debug\w*|deadlocks?|race condition|why (does|do|is|are)|root cause|trace|traces|tracing|investigat\w*|times? out|time-?outs?|intermittent\w*|flaky|hangs?|crash\w*|fails?|failing|broken|bug)\b`)
	serviceWords = pattern(`(?i)\b((across|between|several|multiple|two|three|all|both) (the )?(micro-?)?services?|microservices?|distributed|end[- ]to[- ]end|service mesh|(upstream|downstream) services?|cross-service)\b`)
	serviceRoots = terms.Set("services service apps app cmd microservices packages")

	everywhere = pattern(`(?i)\b(everywhere|(in|across|through(out)?) (the )?(whole |entire )?(codebase|code base|repo|repository|project)|(all|every|each) (of )?(the )?(its |their )?(files?|packages?|modules?|callers?|call sites?|usages?)|(all|every|each) (of )?(the |its )?(implementations?|subclass(es)?|implementers?|implementors?)|alle (Dateien|Pakete|Module|Aufrufer|Aufrufe|Aufrufstellen)|im ganzen (Projekt|Code)|partout|tous les (fichiers|appels|appelants|modules)|dans tout le (projet|code)|en todas partes|en todo el (proyecto|código)|todos los (archivos|llamadores|módulos)|em todo o (projeto|código))\b|überall|везде|во всех файлах|所有文件|整个项目|所有调用|すべてのファイル|全体で`)

	// What a change of a name, or of what it takes and returns, asks of those that use it.
	renames    = pattern(`(?i)\b(renam\w*|delete|remove|replace|inline|deprecate|move|umbenennen|benenne|entferne|lösche|renomm\w*|supprim\w*|renombra\w*|elimina\w*)\b|переимен|重命名|名前を変`)
	signatures = pattern(`(?i)\b(signatures?|parameters?|params?|arguments?|return (type|value|an error|errors)s?|(take|accept|require|pass|return)s? (a |an |the )?(\w+ )?(context|ctx|error|options?|struct|pointer|slice|promise)|async|Parameter|Rückgabe\w*|paramètres?|parámetros?|parâmetros?)\b|параметр|参数|引数`)
	quantified = pattern(`(?i)\b(?:every|each|all|any|both|jede[rsnm]?|alle[nr]?|chaque|tous les|toutes les|cada|todos los|todas las|todos os)\s+(?:of\s+)?(?:the |our |other |existing |its |single |den |der )?([\pL_][\pL\pN_]*)(?:\s+([\pL_][\pL\pN_]*))?`)

	listedStep = pattern(`(?m)^\s*(?:[-*+]|\d+[.)]|step \d+:?)\s+\S`)
	nextStep   = pattern(`(?i)[,;.]?\s+(?:and )?(?:then|after that|afterwards|next|finally)\b|;\s`)
	pathLike   = pattern(`[\w.-]+(?:/[\w.-]+)*\.(?:go|rs|py|ts|tsx|js|jsx|mjs|java|kt|c|cc|cpp|h|hpp|cs|rb|php|swift|scala|lua|sh|sql|css|scss|html|vue|svelte|md|json|ya?ml|toml|proto|tf)\b`)
)

// hard are kinds of work that the fast model gets wrong while it looks right, by the words for them.
// A short question that only asks where or what something is, is none.
var hard = []struct {
	reason string // of a word
	words  func() *regexp.Regexp
}{
	{"%q is security-sensitive", pattern(`(?i)\b(security|vulnerab\w*|cve-?\d*|exploit\w*|injection|xss|csrf|ssrf|` +
		`auth|oauth2?|openid|saml|sso|jwts?|authenticat\w*|authori[sz]\w*|log-?in flow|sign-?in flow|access control|rbac|acls?|` +
		`privileges?|permission checks?|permissions?|sandbox\w*|passwords?|passwd|credentials?|secrets?|api keys?|access tokens?|session tokens?|refresh tokens?|` +
		`encrypt\w*|decrypt\w*|crypto\w*|ciphers?|hmac|signatures? verif\w*|verif\w* signatures?|certificates?|tls|payments?|billing|` +
		`Passw(o|ö)rt\w*|Sicherheitslücke\w*|verschlüssel\w*|Berechtigung\w*|Zugangsdaten|Anmeldung|mots? de passe|sécurité|chiffre\w*|contraseñas?|seguridad|cifra\w*|senhas?)\b|парол|шифр|уязвим|密码|加密|权限|漏洞|パスワード|暗号|認証`)},
	{"%q is about concurrency", pattern(`(?i)\b(dead-?locks?\w*|live-?locks?|(data )?race conditions?|data races?|races? (between|in|on|when)|racy|lock-?free|wait-?free|thread-?safe(ty)?|concurren\w*|goroutine leaks?|leak\w* (a )?(goroutine|thread)s?|memory (leak|order|model)\w*|mutex(es)?|atomic(s|ally)?|contention|starvation|parallel\w*|hang(s|ing)?|use-after-free|back-?pressure|worker pools?|` +
		`Verklemmung\w*|nebenläufig\w*|threadsicher\w*|Wettlaufsituation\w*|concurrence|interblocage|concurrencia|concurrente|hilos|concorrência)\b|взаимоблокиров|гонк|потокобезопас|死锁|并发|线程安全|竞态|竞争条件|デッドロック|スレッドセーフ|並行|並列|競合`)},
	{"%q is about performance", pattern(`(?i)\b(performance|optimi[sz]e\w*|optimi[sz]ation|faster|speed (it |this |that )?up|(too|so|is|very) slow|slower|throughput|latency|hot path|allocations?|zero-?(copy|alloc\w*)|profiling|quadratic|big-?o|complexity|memory (use|usage|footprint|consumption)|cache-friendly|simd|vectori[sz]e\w*|bottlenecks?|` +
		`beschleunig\w*|schneller|Laufzeit|Speicherverbrauch|plus rapide|accélère\w*|más rápido|rendimiento|mais rápido|desempenho)\b|\bO\([^)]*\)|производительност|ускор|быстрее|性能|优化|内存占用|パフォーマンス|高速化|最適化`)},
	{"%q is a question of design", pattern(`(?i)\b(architect\w*|re-?design\w*|design (a|an|the|how|pattern)\w*|decouple\w*|(extract|introduce|define) (a |an |the )?(common |shared |new )?(interface|abstraction|trait|protocol|base class)|dependency injection|plug-?in (system|api|architecture)|state machine|event sourcing|(re-?write|rework|port) .{0,40}(from scratch|in (go|rust|python|typescript)|as a|using)|split (up )?.{0,30}(package|module|service|class|file|monolith)s?|backwards?[- ]compatib\w*|public api|trade-?offs?|refactor (the )?(whole|entire|package|module)|(refactor|restructure|convert) .{0,60} (into|to) |` +
		`Architektur|entwirf|entkoppl\w*|umstrukturier\w*|refaktorier\w*|conception|refactoris\w*|découpl\w*|diseñ\w*|refactoriza\w*|desacopl\w*|arquitet\w*)\b|архитектур|спроектир|рефактор|架构|设计|重构|設計|リファクタ|再構成`)},
}

// looks are the words of a question that has to be thought about, however short it is.
var looks = pattern(`(?i)\b(find|locate|debug|root cause|analy[sz]e|investigate|prove|(is|are) there|could|can (this|it|we|two)|why|finde|warum|wieso|trouve|pourquoi|encuentra|por ?qu[eé])\b|почему|найди|为什么|找|なぜ|原因`)

func hardWords(s Signals) string {
	if s.Purpose == Ask && len(strings.Fields(s.Instruction)) < 8 && !looks().MatchString(s.Instruction) {
		return ""
	}
	for _, h := range hard {
		if word := h.words().FindString(s.Instruction); word != "" {
			return fmt.Sprintf(h.reason, strings.ToLower(word))
		}
	}
	return ""
}

// riskyPath is a reason in the files that a request touches or names.
func riskyPath(s Signals) string {
	for _, p := range slices.Concat(s.Paths, pathsIn(s.Instruction)) {
		if sensitive(p) {
			return fmt.Sprintf("%s is security-sensitive", p)
		}
	}
	for _, p := range s.Paths {
		if s.Purpose == Edit && migrationPath().MatchString(p) {
			return fmt.Sprintf("%s is a database migration", p)
		}
	}
	return ""
}

// countsReason is a reason in how much there is of what a request names.
func countsReason(s Signals) string {
	for _, c := range s.Named {
		switch {
		case c.Each >= manyEach:
			return fmt.Sprintf("it touches each of %d: %s", c.Each, c.Name)
		case c.Files >= manyFiles && (signatures().MatchString(s.Instruction) || !c.Here && renames().MatchString(s.Instruction)):
			return fmt.Sprintf("%s is used in %d files", c.Name, c.Files)
		}
	}
	return ""
}

// Quantified lists the nouns that "every", "all" or "each" stands before in a request, alone and
// with the word behind them as one name.
func Quantified(words string) (out []string) {
	for _, m := range quantified().FindAllStringSubmatch(words, -1) {
		for _, noun := range m[1:] {
			if noun != "" {
				out = append(out, noun)
			}
		}
	}
	return out
}

// sensitive reports whether a word of a path names something that security depends on.
func sensitive(p string) (found bool) {
	terms.EachPart(strings.TrimSuffix(p, path.Ext(p)), func(part []byte) { found = found || securitySegments[string(part)] })
	return found
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
