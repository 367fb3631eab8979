/** The HTTP status of an answer, by the exit code of its command (docs/cli.md); the body tells the rest. */
const STATUS: { readonly [exit: number]: number } = {
  0: 200,
  1: 500,
  2: 400,
  // A gate that is closed, checks that are red: the command was heard and the answer is no.
  3: 409,
  4: 409,
  5: 404,
  6: 409,
  7: 403,
  8: 503,
  130: 499,
};

export const statusOf = (exit: number): number => STATUS[exit] ?? 500;

/** A problem that no command answered, in the shape of the command line's own (countersign/cli/1). */
export function problem(
  status: number,
  { code, message, hint }: { code: string; message: string; hint: string },
  headers: Record<string, string> = {},
): Response {
  const body = JSON.stringify({ schema: 'countersign/cli/1', ok: false, error: { code, message, hint } });
  return new Response(`${body}\n`, { status, headers: { 'content-type': 'application/json', ...headers } });
}

export const tooOften = (wait: number): Response =>
  problem(
    429,
    { code: 'BUSY', message: 'too many requests', hint: `try again in ${wait} s` },
    { 'retry-after': String(wait) },
  );

export const tooMany = (): Response =>
  problem(
    429,
    { code: 'BUSY', message: 'too many event streams are open', hint: 'close one, or let clients share one' },
    { 'retry-after': '10' },
  );
