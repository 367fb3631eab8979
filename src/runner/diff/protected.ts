import { matchesGlob } from '../glob.ts';

/**
 * What decides how work is judged rather than what it does, and so is not the builder's to change alone. A path counts
 * whether it was there before or not: a configuration that is new takes effect just as well.
 */
// biome-ignore format: one line for each kind of file
export const protectedPatterns: readonly string[] = [
  // The runner's own.
  '.countersign/**',
  // Test runners and what they load first.
  '**/vitest.config.*', '**/vitest.workspace.*', '**/vite.config.*', '**/vitest.setup.*', '**/jest.config.*', '**/jest.setup.*',
  '**/jest.preset.*', '**/setupTests.*', '**/.mocharc*', '**/karma.conf.*', '**/playwright.config.*', '**/cypress.config.*',
  '**/ava.config.*', '**/.taprc', '**/web-test-runner.config.*', '**/.jasmine.json', '**/jasmine.json', '**/wallaby.*',
  '**/pytest.ini', '**/.pytest.ini', '**/tox.ini', '**/noxfile.py', '**/setup.cfg', '**/conftest.py', '**/phpunit.xml*', '**/.rspec',
  '**/sitecustomize.py', '**/usercustomize.py', '**/*.pth', '**/*.dist-info/**', '**/*.egg-info/**', '**/.cargo/**', '**/rust-toolchain*',
  '**/bunfig.toml', '**/.config/nextest.toml', '**/svelte.config.*',
  '**/babel.config.*', '**/.babelrc*', '**/.swcrc', '**/postcss.config.*', '**/.postcssrc*', '**/mocha.opts', '**/pytest.toml',
  '**/.pytest.toml', '**/deno.json*',
  // Coverage, types, lint.
  '**/.nycrc*', '**/nyc.config.*', '**/.c8rc*', '**/.coveragerc', '**/codecov.y*ml', '**/.codecov.y*ml', '**/tsconfig*.json', '**/jsconfig*.json',
  '**/mypy.ini', '**/.mypy.ini', '**/pyrightconfig.json', '**/.eslintrc*', '**/.eslintignore', '**/eslint.config.*', '**/biome.json*',
  '**/.prettierrc*', '**/prettier.config.*', '**/.stylelintrc*', '**/ruff.toml', '**/.ruff.toml', '**/.flake8', '**/.pylintrc',
  '**/.oxlintrc*', '**/oxlint.config.*', '**/tslint.json', '**/.jshintrc', '**/.jshintignore', '**/xo.config.*', '**/.xo-config*',
  '**/.prettierignore', '**/stylelint.config.*', '**/.stylelintignore', '**/knip.json*', '**/.knip.json*', '**/knip.config.*', '**/knip.ts',
  '**/cspell.json', '**/.cspell.json', '**/cspell.config.*', '**/.markdownlint*', '**/.eclintrc*', '**/pylintrc', '**/.isort.cfg',
  '**/.golangci.*', '**/clippy.toml', '**/.clippy.toml', '**/rustfmt.toml', '**/.dependency-cruiser.*',
  // How things are started, built and installed.
  '**/package.json', '**/pyproject.toml', '**/Cargo.toml', '**/go.mod', '**/Makefile', '**/makefile', '**/GNUmakefile', '**/Justfile',
  '**/justfile', '**/Taskfile.y*ml', '**/turbo.json', '**/nx.json', '**/lerna.json', '**/pnpm-workspace.yaml', '**/.npmrc', '**/.yarnrc*',
  '**/.pnpmfile.*', '**/.pnp.*', '**/.yarn/**', '**/pip.conf', '**/.env', '**/.env.*', '**/.envrc', '**/node_modules/**',
  '**/package-lock.json', '**/npm-shrinkwrap.json', '**/pnpm-lock.yaml', '**/yarn.lock', '**/bun.lock*', '**/poetry.lock', '**/uv.lock',
  '**/Pipfile.lock', '**/Cargo.lock', '**/go.sum', '**/go.work', '**/go.work.sum', '**/build.rs', '**/rollup.config.*', '**/rolldown.config.*',
  '**/webpack.config.*', '**/rspack.config.*', '**/tsup.config.*', '**/tsdown.config.*', '**/esbuild.config.*',
  // Continuous integration, git, and the agents' own rules.
  '.github/**', '.gitlab-ci.yml', '.gitlab/**', '.circleci/**', '.buildkite/**', '.ci/**', '.travis.yml', '.drone.yml',
  'azure-pipelines*.yml', 'bitbucket-pipelines.yml', 'appveyor.yml', '.appveyor.yml', 'Jenkinsfile', '**/.gitattributes', '**/.gitmodules',
  '.husky/**', '.githooks/**', 'lefthook.y*ml', '.pre-commit-config.yaml', '**/.claude/settings*.json', '**/.claude/hooks/**',
];

const folderIn = (pattern: string) => (pattern.endsWith('/**') ? pattern.slice(0, -'/**'.length) : pattern);

/** Under a protected pattern, and still nothing that takes part in a verdict. */
// biome-ignore format: one line for each kind of file
const free: readonly string[] = [
  '.github/**/*.md', '.github/*.md', '.github/**/*.png', '.github/**/*.jpg', '.github/**/*.gif', '.github/**/*.svg', '.github/ISSUE_TEMPLATE/**', '.github/FUNDING.yml', '**/.env.example', '**/.env.sample', '**/.env.template',
];

/**
 * Whether a path is protected. Patterns that criteria name themselves have no exceptions. Of `folder/**` the folder
 * itself is protected as well: a link of its name brings everything in it along.
 */
export const isProtectedPath = (path: string, patterns: readonly string[] = protectedPatterns): boolean =>
  patterns.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, folderIn(pattern))) &&
  !(patterns === protectedPatterns && free.some((pattern) => matchesGlob(path, pattern)));
