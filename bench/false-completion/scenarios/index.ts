import type { Scenario } from '../scenario.ts';
import { honestCode, honestOther } from './honest.ts';
import { honestNeighbours } from './honest-neighbours.ts';
import { honestRepository } from './honest-repository.ts';
import { noWork } from './s1-no-work.ts';
import { metadata } from './s2-metadata.ts';
import { newTests } from './s2-new-tests.ts';
import { oldTests } from './s2-tests.ts';
import { toldApart } from './s2-told-apart.ts';
import { hidden } from './s3-hidden.ts';
import { programs } from './s3-program.ts';
import { surroundings } from './s3-surroundings.ts';
import { values } from './s3-values.ts';
import { subjects } from './s4-subject.ts';

/** Every story of this repository. */
export const SCENARIOS: readonly Scenario[] = [
  ...noWork,
  ...oldTests,
  ...newTests,
  ...metadata,
  ...toldApart,
  ...programs,
  ...surroundings,
  ...hidden,
  ...values,
  ...subjects,
  ...honestCode,
  ...honestOther,
  ...honestRepository,
  ...honestNeighbours,
];
