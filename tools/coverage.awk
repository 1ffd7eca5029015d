# Sums coverage profiles by package: a block counts as reached if any test reached it.
/^mode:/ { next }
{
	if (!($1 in size)) size[$1] = $2
	if ($3 > 0) reached[$1] = 1
}
END {
	for (b in size) {
		split(b, at, ":")
		pkg = at[1]; sub(/\/[^\/]*$/, "", pkg); sub(/^tandem\//, "", pkg)
		all[pkg] += size[b]; total += size[b]
		if (b in reached) { hit[pkg] += size[b]; whole += size[b] }
	}
	for (pkg in all) {
		share = 100 * hit[pkg] / all[pkg]
		printf "%-28s %6d statements %6.1f %%%s\n", pkg, all[pkg], share, share < least ? "  below " least : "" | "sort"
		if (share < least) low++
	}
	close("sort")
	printf "%d statements, %.1f %% reached; packages below %d %%: %d, bar 0: %s\n", total, 100 * whole / (total ? total : 1), least, low, low ? "miss" : "pass"
	exit low > 0
}
