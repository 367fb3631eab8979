import { describe, expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import { type Desk, documentOf, type Said } from './program.ts';

let desk: Desk;
eachAtADesk((opened) => {
  desk = opened;
});

/** The example of the extended shape, field by field. */
const EXTENDED = {
  content: 'Implement login screen',
  status: 'verified',
  activeForm: 'Implementing login screen',
  phase: 'completion',
  claimed_by: 'swiftui-developer',
  claimed_at: '2025-10-24T22:00:00Z',
  verified_by: 'verification-agent',
  verified_at: '2025-10-24T22:05:00Z',
  proofpack: '.orchestration/proofpacks/login-screen-20251024T220500Z.json',
};

interface Line {
  readonly action: string;
  readonly item: string;
  readonly state: string;
  readonly remark: string;
}

function bring(todos: unknown, ...more: readonly string[]): Said {
  desk.repo.write('todo.json', typeof todos === 'string' ? todos : JSON.stringify(todos));
  return desk.say('import', 'todo', 'todo.json', ...more);
}
const linesOf = (said: Said) => said.data.todos as readonly Line[];
const items = () =>
  desk.say('list').data.items as readonly { title: string; state: string; legacy: boolean }[];
const shown = (ref: string) => desk.say('show', ref).data;

it('2PC-36: an item with the three base fields alone is valid, in an array or under todos', () => {
  const base = {
    content: 'Implement login screen',
    status: 'pending',
    activeForm: 'Implementing login screen',
  };
  expect(bring([base])).toMatchObject({ code: 0, ok: true });
  expect(bring({ todos: [{ ...base, content: 'Another one' }] })).toMatchObject({ code: 0, ok: true });
  expect(items().map((i) => i.title)).toEqual(['Implement login screen', 'Another one']);
  expect(shown('T-1')).toMatchObject({ status: 'pending', activeForm: base.activeForm });
});

it('2PC-37: the full extended object comes back without loss', () => {
  expect(bring([EXTENDED]).code).toBe(0);
  expect(shown('T-1').imported).toEqual(EXTENDED);
  const closed = {
    ...EXTENDED,
    content: 'Implement logout',
    status: 'completed',
    completed_at: '2025-10-24T22:06:00Z',
  };
  expect(bring([closed]).code).toBe(0);
  expect(shown('T-2')).toMatchObject(closed);
  const written = JSON.parse(desk.run('export', '--todo').out) as readonly unknown[];
  expect(written).toMatchObject([{ imported: EXTENDED }, closed]);
  expect(linesOf(bring(written)).map((line) => line.action)).toEqual(['skipped', 'skipped']);
});

it('nothing can wait for what was imported as done and never verified', () => {
  bring([{ content: 'Task', status: 'completed', activeForm: 'Task' }]);
  const refused = desk.say('add', 'Build on it', '--depends-on', 'T-1');
  expect(refused.code).toBe(2);
  expect(refused.error).toMatchObject({ code: 'BAD_INPUT', hint: expect.stringContaining('follow-up T-1') });
  expect(items()).toHaveLength(1);
});

it('2PC-91: an old completed item reads as completed and is marked as legacy, never as verified', () => {
  expect(bring([{ content: 'Task', status: 'completed', activeForm: 'Task' }]).code).toBe(0);
  expect(items()).toMatchObject([{ title: 'Task', state: 'completed', legacy: true }]);
  const told = shown('T-1');
  expect(told).toMatchObject({ status: 'completed', legacy: true });
  expect(told).not.toHaveProperty('verified_by');
  expect(told).not.toHaveProperty('independence');
  expect(desk.say('list').data.progress).toMatchObject({ done: 0, legacy: 1, total: 1 });
  expect(desk.run('list').out).toContain('legacy, never verified');
});

it('2PC-92: pending and in_progress keep their meaning, and phases are derived', () => {
  bring([
    { content: 'One', status: 'pending', phase: 'completion' },
    { content: 'Two', status: 'in_progress', phase: 'verification' },
  ]);
  expect(shown('T-1')).toMatchObject({ status: 'pending', phase: 'implementation' });
  expect(shown('T-2')).toMatchObject({ status: 'in_progress', phase: 'implementation' });
});

it.each([[{}], [{ claimed_by: 'x' }], [{ proofpack: 'p.json' }], [{ claimed_by: 'x', proofpack: 'p.json' }]])(
  '2PC-93: verified with %j parses, and live transitions still demand evidence',
  (extra) => {
    const said = bring([{ content: 'Task', status: 'verified', ...extra }]);
    expect(said.code).toBe(0);
    expect(linesOf(said)).toMatchObject([
      { action: 'opened', state: 'pending', remark: expect.stringContaining('verified') },
    ]);
    expect(desk.say('complete', 'T-1')).toMatchObject({ code: 6, ok: false });
    expect(shown('T-1')).toMatchObject({ status: 'pending' });
    expect(shown('T-1')).not.toHaveProperty('verified_by');
  },
);

describe('what is wrong is all named, and then nothing is imported', () => {
  it('2PC-13: a status outside the vocabulary is refused with the six legal values', () => {
    const said = bring([
      { content: 'Fine', status: 'pending' },
      { content: 'Task', status: 'done' },
    ]);
    expect(said.code).toBe(2);
    expect(said.error.problems).toEqual([
      'todo 2: status "done" is none of pending, in_progress, claimed, verified, blocked, completed',
    ]);
    expect(items()).toEqual([]);
  });

  it('2PC-38: a phase outside the vocabulary is refused', () => {
    const said = bring([{ ...EXTENDED, phase: 'testing' }]);
    expect(said.code).toBe(2);
    expect(said.error.problems).toEqual([
      'todo 1: phase "testing" is none of implementation, verification, completion',
    ]);
  });

  it.each([
    [
      'verified before claimed',
      { verified_at: '2025-10-24T21:59:59Z' },
      'claimed_at is later than verified_at',
    ],
    [
      'completed before verified',
      { completed_at: '2025-10-24T22:04:59Z' },
      'verified_at is later than completed_at',
    ],
    ['no UTC time', { claimed_at: '2025-10-24T22:00:00' }, 'claimed_at "2025-10-24T22:00:00" is no time'],
  ])('2PC-52: times that are out of order are refused: %s', (_, change, problem) => {
    const said = bring([{ ...EXTENDED, ...change }]);
    expect(said.code).toBe(2);
    expect(String(said.error.problems)).toContain(problem);
    expect(items()).toEqual([]);
  });

  it.each([
    ['no JSON', '[{', 'not JSON'],
    ['no list', '{"a": 1}', 'neither'],
    ['no object', '[1]', 'todo 1: is not an object'],
    ['a blank content', '[{"content": " ", "status": "pending"}]', 'title is empty'],
    ['a huge content', JSON.stringify([{ content: 'x'.repeat(9000), status: 'pending' }]), 'at most 300'],
    ['no content', '[{"status": "pending"}]', 'content is not text'],
    [
      'a claimant that is no text',
      '[{"content": "a", "status": "claimed", "claimed_by": 7}]',
      'claimed_by is not text',
    ],
    [
      'failures that are no list',
      '[{"content": "a", "status": "blocked", "failures": "x"}]',
      'failures is not a list',
    ],
    [
      'too much of it',
      JSON.stringify([{ content: 'a', status: 'pending', x: 'y'.repeat(70_000) }]),
      'at most 65536',
    ],
  ])('%s', (_, text, problem) => {
    const said = bring(text);
    expect(said).toMatchObject({ code: 2, ok: false });
    expect(String(said.error.problems)).toContain(problem);
    expect(items()).toEqual([]);
  });
});

it('matches by content once: importing the same list again changes nothing', () => {
  const list = [
    { content: 'Twice', status: 'pending' },
    { content: 'Twice', status: 'pending' },
    { content: 'Old', status: 'completed' },
    { content: 'Seen', status: 'verified' },
  ];
  bring(list);
  expect(items()).toHaveLength(4);
  const again = bring(list);
  expect(again.code).toBe(0);
  expect(linesOf(again).map((line) => line.action)).toEqual(['skipped', 'skipped', 'skipped', 'skipped']);
  expect(items()).toHaveLength(4);
  expect(desk.run('import', 'todo', 'todo.json').out).toContain('nothing to import');
  expect(linesOf(bring([...list, { content: 'Twice', status: 'pending' }])).at(-1)).toMatchObject({
    action: 'opened',
  });
});

it('says with --dry-run what would happen, and writes nothing', () => {
  const said = bring([{ content: 'One', status: 'pending' }], '--dry-run');
  expect(said.data).toMatchObject({ dry_run: true, todos: [{ action: 'opened', item: '' }] });
  expect(items()).toEqual([]);
});

it('2PC-94, share of the import: a list cannot close a claimed item; the try is recorded and the rest stays out', () => {
  desk.run('add', 'Live work');
  desk.repo.commit({ 'work.txt': 'not yet\n' });
  expect(desk.run('claim', 'T-1').code).toBe(0);
  const before = JSON.stringify(shown('T-1'));
  const said = bring([
    { content: 'Live work', status: 'completed' },
    { content: 'New', status: 'pending' },
  ]);
  expect(said.code).toBe(3);
  expect(String(said.error.message)).toContain('nothing was imported');
  expect(said.error.refused).toMatchObject([{ item: 'T-1', state: 'claimed' }]);
  expect(JSON.stringify(shown('T-1'))).toBe(before);
  expect(items()).toHaveLength(1);
  expect(desk.run('audit', 'verify')).toMatchObject({ code: 0 });
  expect(desk.run('log', 'T-1').out).toMatch(
    /REFUSED import completed in claimed.*verification may not be skipped/,
  );
});

it.each(['completed', 'verified', 'claimed', 'blocked', 'in_progress'])(
  'a list cannot move a pending item to %s',
  (status) => {
    desk.run('add', 'Live work');
    expect(bring([{ content: 'Live work', status }])).toMatchObject({ code: 3 });
    expect(shown('T-1')).toMatchObject({ status: 'pending' });
  },
);

it('goes on with the specialist that the list names, by the rows of the table', () => {
  desk.run('actor', 'add', 'builder', '--role', 'specialist');
  const said = bring([{ content: 'Under way', status: 'in_progress', assigned_to: 'builder' }]);
  expect(linesOf(said)).toMatchObject([{ state: 'in_progress', remark: 'goes on with builder' }]);
  expect(shown('T-1')).toMatchObject({ status: 'in_progress', assigned_to: 'builder' });
  expect(desk.run('audit', 'verify')).toMatchObject({ code: 0 });
});

it.each([[[]], [['--dry-run']]])(
  'says why nobody goes on where the list stands still, also beforehand (%j)',
  (more) => {
    desk.run('actor', 'add', 'builder', '--role', 'specialist');
    desk.run('add', 'Broken');
    desk.repo.commit({ 'work.txt': 'not yet\n' });
    desk.run('claim', 'T-1');
    expect(desk.run('verify', 'T-1').code).toBe(4);
    const said = bring([{ content: 'Under way', status: 'in_progress', assigned_to: 'builder' }], ...more);
    expect(linesOf(said)[0]?.remark).toMatch(/^nobody has it \(.*blocked.*T-1\): release it/);
    if (more.length === 0) expect(shown('T-2')).not.toHaveProperty('assigned_to');
  },
);

it('an imported item in progress that nobody has is no dead end', () => {
  const said = bring([{ content: 'Under way', status: 'in_progress', assigned_to: 'stranger' }]);
  expect(linesOf(said)[0]?.remark).toContain('stranger is no specialist here');
  expect(shown('T-1')).not.toHaveProperty('assigned_to');
  expect(desk.say('next').data.next).toMatchObject([{ id: 'T-1', command: 'countersign release T-1' }]);
  expect(desk.run('release', 'T-1').code).toBe(0);
  desk.repo.commit({ 'work.txt': 'done\n' });
  expect(desk.run('claim', 'T-1').code).toBe(0);
  expect(desk.say('verify', 'T-1').data.verdict).toBe('PASSED');
});

it('is not for those who may not open items', () => {
  desk.run('actor', 'add', 'builder', '--role', 'specialist');
  desk.run('token', 'issue', 'builder');
  desk.repo.write('todo.json', JSON.stringify([{ content: 'Mine', status: 'completed' }]));
  const said = documentOf(desk.run('--json', '--actor', 'builder', 'import', 'todo', 'todo.json'));
  expect(said).toMatchObject({ code: 7, ok: false });
  expect(items()).toEqual([]);
});
