/**
 * What a command says, piece by piece, as lines of JSON (application/x-ndjson). The last one is the exit code: where it is
 * missing, the answer was cut off.
 */
export type Frame =
  | { readonly out: string }
  | { readonly err: string }
  /** A file that the client writes; it must not be there yet. */
  | { readonly file: { readonly path: string; readonly base64: string } }
  /** A token that the client keeps for itself. */
  | { readonly token: { readonly actor: string; readonly token: string } }
  /** The person at the client's terminal is asked; the answer goes to POST /v1/answers/ID. */
  | { readonly ask: Asking }
  | { readonly exit: number };

export interface Asking {
  readonly id: string;
  readonly title: string;
  readonly shown: string;
  readonly digest: string;
  readonly purpose: string;
  /** What the person has to type. */
  readonly code: string;
  /** Whether the passphrase is asked for as well. */
  readonly passphrase: boolean;
}

/** What the person at the terminal answered. */
export interface Typed {
  readonly line: string;
  readonly passphrase: string;
  /** Why nobody answered, '' where somebody did. */
  readonly because: string;
}

export const lineOf = (frame: Frame): string => `${JSON.stringify(frame)}\n`;
