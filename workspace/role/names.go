package role

import (
	"strings"

	"tandem/workspace/terms"
)

// readFolders are folders of which a tool runs every file by itself: Gradle, Mage, hooks of git, Airflow, the JVM's service loader, Tuist.
var readFolders = terms.Set("buildsrc build-logic gradle magefiles githooks git-hooks dags meta-inf tuist")

// finders are the names of files with an ordinary extension that a tool looks for by itself, and
// so runs, obeys or installs from, as the documentation of the tools named says. A pattern of
// several parts fits the end of a path, and one that begins with a slash the top of a
// workspace alone. Names with another extension or with none are not listed: they are Unknown.
var finders = patterns(
	// pytest, setuptools, site, Sphinx, nox, invoke, Fabric, doit, Paver, Hatch, Poetry, Conan, Locust, Gunicorn, Celery, Jupyter, IPython, Alembic, Django
	"conftest.py setup.py sitecustomize.py usercustomize.py /conf.py doc/conf.py docs/conf.py docs/*/conf.py source/conf.py noxfile.py toxfile.py /tasks.py fabfile.py dodo.py pavement.py hatch_build.py /build.py conanfile.py",
	"locustfile.py gunicorn*.py celeryconfig.py jupyter_*_config.py ipython_config.py alembic/env.py migrations/env.py build_backend.py _build_backend.py /manage.py /configure.py",
	// pip, CMake, Conan
	"requirements*.txt constraints*.txt requirements/*.txt cmakelists.txt conanfile.txt",
	// what takes a NAME.config.EXT or NAME.conf.EXT (Vite, webpack, Jest, ESLint, Babel, Karma, Next, Playwright, …) and its set-up files; tools with names of their own: gulp, Grunt, Jake, Brocfile, Ember, Rollup,
	// esbuild, Gatsby, Knex, TypeORM, Plop, Danger, GraphQL Codegen, Lighthouse CI, Truffle, pnpm, Cypress, Next's instrumentation, nodemon, npm's life cycle
	"*.config.js *.config.ts *.config.mjs *.config.cjs *.config.mts *.config.cts *.config.json *.conf.js *.conf.ts *.conf.mjs *.conf.cjs *.setup.js *.setup.ts *.setup.mjs *.workspace.js *.workspace.ts *.preset.js",
	"gulpfile.* gulpfile.*.* gruntfile.* jakefile.* brocfile.* ember-cli-build.* webpack.*.* webpack*.js rollup.*.* esbuild.js esbuild.mjs esbuild.*.* vite.*.* gatsby-*.js gatsby-*.ts knexfile.* ormconfig.* plopfile.* dangerfile.* /codegen.ts lighthouserc.* truffle.js truffle-config.js pnpmfile.*",
	"setuptests.* setup-tests.* setupjest.* jest-setup.* jest.*.* vitest.*.* vitest-setup.* globalsetup.* global-setup.* globalteardown.* global-teardown.* cypress/support/* cypress/plugins/* instrumentation.ts instrumentation.js postinstall.* preinstall.* /build.js /build.ts build.mjs build.cjs",
	// Cargo, Zig, Mage, SwiftPM, Tuist, Gradle, Kotlin scripts, Mill, sbt, Cake, FAKE, psake, PowerShell, Chocolatey
	"build.rs build.zig magefile.go mage.go package.swift package@*.swift /project.swift /workspace.swift *.gradle.kts *.main.kts build.sc project/*.scala /build.cs /build.fsx /build.ps1 *.build.ps1 profile.ps1 tools/chocolatey*.ps1",
	// Bundler, RubyGems, RSpec, Rails, Puma, Unicorn; Robo, Rector, ECS, Castor, Deployer, PHP-Scoper, WordPress, PHPUnit
	"gems.rb extconf.rb spec_helper.rb rails_helper.rb test_helper.rb config/*.rb config/initializers/* config/environments/* puma.rb unicorn.rb robofile.php rector.php ecs.php castor.php deploy.php scoper.inc.php wp-config.php bootstrap.php",
	// MakeMaker, Module::Build, Mix, Leiningen, tools.build, Cabal, Julia's Pkg, ocamlbuild, xmake, Premake, WezTerm, renv, Dart's hooks
	"makefile.pl build.pl mix.exs config/*.exs test_helper.exs project.clj build.clj user.clj profiles.clj data_readers.clj data_readers.cljc setup.hs setup.lhs deps/build.jl startup.jl docs/make.jl myocamlbuild.ml xmake.lua premake*.lua wezterm.lua activate.r hook/build.dart",
	// what people pipe into a shell, containers start and hooks are called
	"/configure.* autogen.sh bootstrap.sh /install.* /setup.sh *entrypoint*.sh hooks/*.sh pre-commit* pre-push* post-*.sh commit-msg* autorun.* startup.sh profile.sh /build.sh /build.bat /make.bat",
	// settings that tools look for in every folder: npm, Composer, Maven, Ant, TypeScript, Deno, Bun, Nx, Turborepo, Lerna, Rush, Angular, Firebase, Vercel, Netlify, Fly, Wrangler, Cypress, Babel, ESLint
	"package.json package-lock.json composer.json bower.json pom.xml build.xml ivy.xml tsconfig*.json jsconfig*.json deno.json deno.jsonc bunfig.toml nx.json project.json turbo.json lerna.json rush.json angular.json firebase.json vercel.json now.json netlify.toml fly.toml wrangler.* cypress.json babel*.json eslint*.json nodemon.json jest.json",
	// Compose, GitHub's actions, Task, Lefthook, MkDocs, Jekyll, Dart, Cargo, Python's tools, mise, Pixi, Foundry, mdBook, gitleaks
	"docker-compose*.y*ml compose*.y*ml *.compose.y*ml action.y*ml taskfile*.y*ml lefthook*.* mkdocs*.y*ml _config*.y*ml pubspec*.y*ml cargo.toml pyproject.toml clippy.toml rustfmt.toml rust-toolchain.toml mise*.toml pixi.toml foundry.toml book.toml ruff.toml uv.toml poetry.toml gitleaks.toml",
	// Skaffold, Kustomize, Helm, devfile, Serverless, Ansible, Cloud Build, CodeBuild, AppVeyor, Azure, Bitbucket and other CI, pnpm, conda, Stack
	"skaffold*.y*ml kustomization.y*ml chart.y*ml devfile.y*ml serverless*.* playbook*.y*ml cloudbuild*.* buildspec*.y*ml appveyor*.y*ml *pipelines*.y*ml *-ci.y*ml ci.y*ml codemagic.y*ml wercker.y*ml bitrise.y*ml pnpm-workspace.yaml environment*.y*ml meta.yaml workflows/*.y*ml stack.yaml renovate*.json dependabot.y*ml",
	// .NET, Gradle, Log4j, Logback, servlets, vcpkg, CMake, PHPUnit; agents' tools and hooks
	"launchsettings.json global.json gradle.properties gradle-wrapper.properties log4j*.* logback*.xml web.xml vcpkg.json cmakepresets.json cmakeuserpresets.json phpunit*.xml devcontainer*.json *mcp*.json opencode.json opencode.jsonc gemini-extension.json claude*.json hooks.json plugin.json marketplace.json",
)

// rules are the names of files that agents obey, by the documentation of Codex, Claude Code, Gemini CLI, Qwen Code, Warp, Crush, Aider, Copilot and the proposal of llms.txt.
var rules = patterns("agents.md agents.*.md claude.md claude.*.md gemini.md qwen.md warp.md crush.md opencode.md replit.md conventions.md copilot-instructions.md skill.md llms.txt llms-full.txt *.instructions.md *.prompt.md *.chatmode.md *.agent.md")

func patterns(lists ...string) (out []string) {
	for _, l := range lists {
		out = append(out, strings.Fields(l)...)
	}
	return out
}
