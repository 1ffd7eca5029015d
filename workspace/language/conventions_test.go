package language

import "testing"

func TestTestFilesAreKnownByTheirNames(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		"a/shop_test.go": true, "test_shop.py": true, "a/conftest.py": true, "src/shop.test.ts": true, "src/shop.spec.tsx": true,
		"ShopTest.java": true, "spec/shop.rb": true, "shop/tests.py": true, "a/testdata/x.txt": true, "benches/b.rs": true,
		"shop.go": false, "latest.go": false, "contest.py": false, "attestation/a.go": false, "": false, "testing.md": false,
	} {
		if got := IsTest(file); got != want {
			t.Errorf("%q: %v, want %v", file, got, want)
		}
	}
}
