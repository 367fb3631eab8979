/** Ids that belong to parts of the engine and to whoever sits at the terminal. No one can register as one of them. */
export const RESERVED_IDS: readonly string[] = ['engine', 'policy', 'human'];

/**
 * True for 1 to 64 of a-z 0-9 . _ - beginning with a letter or digit: one spelling per name, and safe as the name of
 * a file. Capitals are left out so that no two names differ by case alone.
 */
export function isName(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(text);
}
