import { EXAMPLES } from './propose/project.ts';

/** What criteria that look well-formed let pass, in the words of what to add: for those who write them. */
export const weakPoints = {
  exitOnly: (run: string) =>
    `${run} is known by its exit code alone (strength none): tests that are gone, skipped or ask for nothing are not noticed; let each package, or each test program, be a check of kind tests with a report`,
  behindTests: (check: string, tests: string) =>
    `${check} runs where ${tests} ran before it: what tests leave there beside the tracked files, such as another program in node_modules, decides how it ends; let it stand before the tests, or give it apart: true`,
  noExamples: `without acceptance examples the package only has to load: a program that looks for the folder of its tests, and does the right thing only beside it, would pass; somebody other than the builder writes some to ${EXAMPLES}, or gives them with the item (add --acceptance FILE)`,
  noArtifact:
    'nothing uses the program away from its tests: a program that looks for the folder of its tests, and does the right thing only beside it, would pass; a check of kind artifact with acceptance examples answers that, where the package can be installed',
} as const;
