// The suite asks `fs` for `globSync`, which Node 20 has not, for a command that we do not use. Loaded before the suite, this
// gives it an `fs` with a `globSync` that says so; where there is one, it does nothing.
import * as fs from 'node:fs';
import { register } from 'node:module';

const SHIM = `data:text/javascript,${encodeURIComponent(
  `export * from 'node:fs'; export const globSync = () => { throw new Error('globSync needs Node 22'); };`,
)}`;
const HOOK = `export const resolve = (asked, context, next) =>
  asked === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
    ? { url: ${JSON.stringify(SHIM)}, shortCircuit: true }
    : next(asked, context);`;
if (!('globSync' in fs)) register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
