/** What a command's exit code says; documented in docs/cli.md. */
export const EXIT = {
  ok: 0,
  internal: 1,
  usage: 2,
  refused: 3,
  failed: 4,
  notFound: 5,
  conflict: 6,
  forbidden: 7,
  unavailable: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_CODE: { readonly [code: string]: ExitCode } = {
  // refusals of a protocol
  'unknown-command': EXIT.usage,
  'bad-arguments': EXIT.usage,
  'no-transition': EXIT.conflict,
  conflict: EXIT.conflict,
  'proof-used': EXIT.conflict,
  'wrong-role': EXIT.forbidden,
  'gate-closed': EXIT.refused,
  // refusals of the roster
  'bad-id': EXIT.usage,
  'bad-roles': EXIT.usage,
  'bad-parent': EXIT.usage,
  'bad-token': EXIT.usage,
  'bad-time': EXIT.usage,
  reserved: EXIT.usage,
  taken: EXIT.conflict,
  retired: EXIT.conflict,
  revoked: EXIT.conflict,
  unknown: EXIT.notFound,
  'not-allowed': EXIT.forbidden,
  exceeds: EXIT.forbidden,
  person: EXIT.forbidden,
  // errors of the rooms
  BAD_INPUT: EXIT.usage,
  BAD_URL: EXIT.usage,
  BAD_CONFIG: EXIT.usage,
  BAD_NAME: EXIT.usage,
  BAD_CRITERIA: EXIT.usage,
  UNKNOWN_PROTOCOL: EXIT.usage,
  NOT_INITIALISED: EXIT.usage,
  ALREADY_INITIALISED: EXIT.conflict,
  NOT_EMPTY: EXIT.conflict,
  NOT_FOUND: EXIT.notFound,
  NOT_A_REPOSITORY: EXIT.notFound,
  BARE: EXIT.notFound,
  UNKNOWN_COMMIT: EXIT.notFound,
  NO_BASE: EXIT.notFound,
  NO_CREDENTIAL: EXIT.forbidden,
  'no-terminal': EXIT.forbidden,
  'wrong-code': EXIT.forbidden,
  cancelled: EXIT.interrupted,
  MISSING: EXIT.forbidden,
  OPEN_TO_OTHERS: EXIT.forbidden,
  FOREIGN_OWNER: EXIT.forbidden,
  BAD_TOKEN: EXIT.forbidden,
  BAD_KEY: EXIT.forbidden,
  STORE_GONE: EXIT.unavailable,
  DAMAGED: EXIT.unavailable,
  NEWER_SCHEMA: EXIT.unavailable,
  OLDER_SCHEMA: EXIT.unavailable,
  GIT_MISSING: EXIT.unavailable,
  GIT_FAILED: EXIT.unavailable,
  BUSY: EXIT.unavailable,
  UNAVAILABLE: EXIT.unavailable,
  FULL: EXIT.unavailable,
  READ_ONLY: EXIT.unavailable,
};

/** The exit code of a refusal or error; what is not known is an internal one. */
export function exitCodeOf(code: string): ExitCode {
  return BY_CODE[code] ?? EXIT.internal;
}
