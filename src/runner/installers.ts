/** A package manager that can install exactly what a lockfile names, without running scripts of packages. */
export interface Installer {
  readonly lockfiles: readonly string[];
  readonly program: string;
  argv(lockfile: string): readonly string[];
}

/** Tried in this order; the first whose lockfile is there installs. */
export const installers: readonly Installer[] = [
  {
    lockfiles: ['npm-shrinkwrap.json', 'package-lock.json'],
    program: 'npm',
    argv: () => ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'],
  },
  {
    lockfiles: ['pnpm-lock.yaml'],
    program: 'pnpm',
    argv: () => [
      'pnpm',
      'install',
      '--frozen-lockfile',
      '--ignore-scripts',
      '--config.package-import-method=copy',
    ],
  },
  {
    lockfiles: ['yarn.lock'],
    program: 'yarn',
    argv: (lockfile) =>
      /^__metadata:/m.test(lockfile)
        ? ['yarn', 'install', '--immutable', '--mode=skip-build']
        : ['yarn', 'install', '--frozen-lockfile', '--ignore-scripts', '--non-interactive'],
  },
];
