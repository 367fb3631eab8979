import type { ChangedFile } from '../change.ts';

const CODE = /\.([cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|swift|scala)$/i;

/** Whether operators of this language are known well enough to be turned around. */
export const isCode = ({ path }: ChangedFile): boolean => CODE.test(path) && !/\.d\.[cm]?ts$/.test(path);

/** Languages whose programs do not run at all where one line has no meaning. */
const COMPILED = /\.(go|rs|java|kt|cs|c|cc|cpp|swift|scala)$/i;
export const isCompiled = (path: string): boolean => COMPILED.test(path);
