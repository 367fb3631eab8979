import { pushRefs } from '../../workspace/paper-ref.ts';
import { locateRepository, type Repository } from '../../workspace/repository.ts';
import type { Composition } from '../composition.ts';

/** The repository around the caller, for what is asked of git itself. Throws NOT_A_REPOSITORY, BARE. */
export const repositoryAround = (composition: Pick<Composition, 'locate'>): Repository =>
  locateRepository(composition.locate().top, {});

/** Pushes papers under their own names. Throws GIT_FAILED with the words of the other side. */
export const pushPapers = pushRefs;
