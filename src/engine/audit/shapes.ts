import { own } from '../../kernel/own.ts';
import { isObject, misfitOf } from './body.ts';

type Shape = Parameters<typeof misfitOf>[1];

const ITEM: { readonly [type: string]: Shape } = {
  opened: {
    protocol: 'object',
    state: 'string',
    number: 'number',
    list: 'string',
    kind: 'string',
    title: 'string',
    settings: 'object',
    legacy: 'boolean',
    facts: 'object',
  },
  moved: {
    row: 'number',
    command: 'string',
    origin: 'string',
    from: 'string',
    to: 'string',
    arguments: 'object',
    reason: 'string',
    subjects: 'object',
    facts: 'object',
    verdicts: 'list',
    proof: 'string',
  },
  recorded: {
    row: 'number',
    kind: 'string',
    outcome: 'string',
    requestedBy: 'string',
    independence: 'string',
    facts: 'object',
    proof: 'string',
  },
  'subject-moved': { subject: 'string', digest: 'string' },
  noted: {
    group: 'string',
    member: 'string',
    state: 'string',
    category: 'string',
    asked: 'string',
    marks: 'object',
    moves: 'list',
  },
  elapsed: { state: 'string', percent: 'number', due: 'string' },
  linked: { kind: 'string', to: 'string', facts: 'object?' },
};

const REFUSED: Shape = {
  item: 'string',
  state: 'string',
  attempted: 'string',
  code: 'string',
  because: 'string',
  verdicts: 'list',
};

/** What an event of this kind of stream may look like, by its type. */
const KINDS: { readonly [kind: string]: { readonly [type: string]: Shape } } = {
  item: ITEM,
  refusals: { refused: REFUSED },
  list: { noted: ITEM.noted ?? {} },
  criteria: {
    'criteria-adopted': { path: 'string', digest: 'string', commit: 'string', proof: 'string' },
    'criteria-amended': {
      item: 'string',
      criteria: 'string',
      digest: 'string',
      commit: 'string',
      old_digest: 'string',
      old_commit: 'string',
      reason: 'string',
      proof: 'string',
    },
  },
  lease: {
    'lease-taken': { session: 'string', operation: 'string', item: 'string', head: 'string?' },
    'lease-beaten': { session: 'string' },
    'lease-released': {
      session: 'string',
      reason: 'string',
      forced: 'boolean',
      proof: 'string',
      head: 'string?',
    },
  },
  task: {
    'task-checked': {
      session: 'string',
      points: 'list',
      selection: 'string',
      because: 'string',
      question: 'list',
      feasible: 'boolean',
      entry: 'string',
    },
    'task-stopped': {
      session: 'string',
      category: 'string',
      evidence: 'list',
      state: 'string',
      version: 'number',
    },
    'gate-judged': {
      session: 'string',
      command: 'string',
      trigger: 'string',
      passed: 'boolean',
      points: 'list',
    },
    'task-interrupted': {
      session: 'string',
      kind: 'string',
      reason: 'string',
      state: 'string',
      pending: 'list',
      points: 'list',
    },
    'task-resumed': { session: 'string', state: 'string', points: 'list' },
    'landing-judged': { session: 'string', commit: 'string', tree: 'string', passed: 'boolean' },
    'task-escalated': { session: 'string', agent: 'string', history: 'list' },
  },
  tools: {
    'tool-used': {
      session: 'string',
      tool: 'string',
      agent: 'string',
      path: 'string',
      folder: 'string',
      command: 'string',
      part: 'string',
      main: 'boolean',
      refused: 'boolean',
    },
  },
  drift: { 'drift-found': { path: 'string', expected: 'string', found: 'string' } },
  protocol: { 'protocol-adopted': { protocol: 'object' } },
  ports: { 'ports-given': { task: 'string', agent: 'string', n: 'number' } },
  proof: { 'proof-used': { id: 'string', digest: 'string', purpose: 'string', channel: 'string' } },
  request: {
    'request-applied': { digest: 'string' },
    'request-answered': { answer: 'string' },
  },
  roster: {
    'repository-opened': { repository: 'string' },
    'actor-registered': { actor: 'object' },
    'actor-retired': { actor: 'string' },
    'roles-changed': { actor: 'string', roles: 'list' },
    'token-issued': { id: 'string', actor: 'string', token: 'string', items: 'list', roles: 'list' },
    'token-revoked': { id: 'string' },
    'key-added': { keyid: 'string', publicPem: 'string', purpose: 'string' },
    'key-retired': { keyid: 'string' },
  },
};

/** A stream's name in two parts: `item/<id>` is kind `item` with id `<id>`; `roster` has no id. */
export function partsOf(stream: string): { readonly kind: string; readonly id: string } {
  const at = stream.indexOf('/');
  return at < 0 ? { kind: stream, id: '' } : { kind: stream.slice(0, at), id: stream.slice(at + 1) };
}

export type Misfit = { readonly kind: 'broken' | 'doubt'; readonly what: string };

/** Why an event cannot belong to its stream. A kind of stream that this version does not know is a doubt. */
export function misplaced(
  stream: string,
  event: { readonly type?: unknown; readonly [member: string]: unknown },
): Misfit | undefined {
  const types = own(KINDS, partsOf(stream).kind);
  if (types === undefined) return { kind: 'doubt', what: 'this version does not know what the stream is' };
  const shape = own(types, String(event.type));
  if (shape === undefined) return { kind: 'broken', what: `there is no event ${String(event.type)} here` };
  const member = misfitOf(event, shape);
  if (member !== undefined) return { kind: 'broken', what: `its member ${member} is not of the right type` };
  const actor = event.type === 'actor-registered' ? event.actor : undefined;
  if (actor === undefined) return undefined;
  const misfit = isObject(actor)
    ? misfitOf(actor, { id: 'string', kind: 'string', roles: 'list', parent: 'string' })
    : 'actor';
  return misfit === undefined ? undefined : { kind: 'broken', what: `the actor has no proper ${misfit}` };
}
