// Command sbom writes what a built tandem is made of, as SPDX 2.3 in JSON: sbom PROGRAM VERSION
// NOTICES, the licences that come with it.
//
// Invariant: every module that is linked is listed with the hash that go.sum holds and with its
// licence, and the same program gives the same bytes. A module whose licence is not recognized
// fails.
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/licensecheck"
)

type object = map[string]any

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "sbom: give the program, its version and the file of notices")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(program, version, notices string) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	texts, err := licenceTexts(notices)
	if err != nil {
		return err
	}
	packages := []object{{"SPDXID": "SPDXRef-tandem", "name": "tandem", "versionInfo": version, "downloadLocation": "NOASSERTION", "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION", "filesAnalyzed": false}}
	relations := []object{{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-tandem"}}
	add := func(name, version, purl, sum string) error {
		licence, err := licenceOf(texts[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		id := fmt.Sprintf("SPDXRef-%d", len(packages))
		p := object{"SPDXID": id, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", "filesAnalyzed": false,
			"externalRefs": []object{{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}}}
		if sum != "" {
			raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:"))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			p["comment"] = "go.sum h1, SHA-256 of the module's file hashes: " + hex.EncodeToString(raw)
		}
		packages = append(packages, p)
		relations = append(relations, object{"spdxElementId": "SPDXRef-tandem", "relationshipType": "DEPENDS_ON", "relatedSpdxElement": id})
		return nil
	}
	if err := add("Go standard library", info.GoVersion, "pkg:golang/std@"+strings.TrimPrefix(info.GoVersion, "go"), ""); err != nil {
		return err
	}
	for _, d := range info.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		if err := add(d.Path, d.Version, "pkg:golang/"+d.Path+"@"+d.Version, d.Sum); err != nil {
			return err
		}
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(object{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "tandem-" + version, "documentNamespace": "https://spdx.org/spdxdocs/tandem-" + version,
		"creationInfo": object{"created": time.Unix(seconds, 0).UTC().Format(time.RFC3339), "creators": []string{"Tool: tandem tools/sbom"}},
		"packages":     packages, "relationships": relations,
	})
}

// licenceTexts returns the text of each section of the notices by the name of what it is of.
func licenceTexts(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rule := "\n" + strings.Repeat("=", 80) + "\n"
	parts := strings.Split(string(text), rule)
	out := map[string]string{}
	for i := 1; i+1 < len(parts); i += 2 {
		title := strings.TrimSpace(parts[i])
		name, _, _ := cutLast(title, " ")
		out[name] = parts[i+1]
	}
	return out, nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// licenceOf returns the SPDX expression of the licences that a text holds.
func licenceOf(text string) (string, error) {
	var ids []string
	for _, m := range licensecheck.Scan([]byte(text)).Match {
		if !m.IsURL && !slices.Contains(ids, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return "", fmt.Errorf("no licence is recognized in its notice of %d bytes", len(text))
	}
	return strings.Join(ids, " AND "), nil
}
