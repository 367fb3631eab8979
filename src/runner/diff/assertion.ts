import type { Assertion, Searched } from './judge-assertion.ts';
import type { Language } from './language.ts';
import { goAssertions, pythonAssertions, rustAssertions } from './native-assertions.ts';
import { scriptAssertions } from './script-assertions.ts';

/** The assertions of a text in the order in which they stand; of a language that is not known, none. */
export function assertionsOf(language: Language, searched: Searched): readonly Assertion[] {
  switch (language) {
    case 'js':
      return scriptAssertions(searched);
    case 'python':
      return pythonAssertions(searched);
    case 'go':
      return goAssertions(searched);
    case 'rust':
      return rustAssertions(searched);
    default:
      return [];
  }
}
