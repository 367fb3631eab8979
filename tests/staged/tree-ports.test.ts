import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Ports } from '../../src/engine/ports.ts';
import type { TreePorts } from '../../src/engine/staged/tree-ports.ts';
import { AGENTS, type Crew, openCrew } from './crew.ts';
import { crewAt, reach, TASK } from './walk.ts';

let crew: Crew;
afterEach(() => crew.close());

const top = () => crew.session.repo.top;
const own = (agent: string) => join(crew.tasks, TASK, 'agents', agent);

async function begins(task: string, id: string): Promise<void> {
  for (const word of ['check', 'start']) {
    const said = await crew.say(top(), 'lead', id, 'task', word, task);
    if (said.code !== 0) throw new Error(said.out);
  }
}

async function portsOf(task = TASK): Promise<readonly TreePorts[]> {
  const { data } = await crew.say(top(), 'lead', '', 'task', 'show', task);
  return data.ports as unknown as readonly TreePorts[];
}
const firsts = async (task = TASK) => (await portsOf(task)).map(({ first }) => first);

/** The first two who give ports do it when both have looked what is free. */
function together(): (ports: Ports) => Ports {
  let count = 0;
  let go = () => {};
  const both = new Promise<void>((resolve) => {
    go = resolve;
  });
  return (ports) => {
    const commit = ports.store.commit.bind(ports.store);
    return {
      ...ports,
      store: Object.assign(ports.store, {
        commit: async (write: Parameters<typeof commit>[0]) => {
          if (write.appends.some(({ stream }) => stream === 'ports')) {
            count += 1;
            if (count === 2) go();
            await both;
          }
          return commit(write);
        },
      }),
    };
  };
}

/** A check that leaves no doubt about what it was given: it passes for exactly this. */
const CRITERIA = `schema: countersign/criteria/1
name: default
checks:
  - {id: done, kind: file, path: work.txt, contains: done}
  - id: given
    kind: command
    run: [sh, -c, 'test "$COUNTERSIGN_PORT:$COUNTERSIGN_PORT_LAST:$COUNTERSIGN_SCRATCH" = 20000:20009:parse_dates_0']
    report: {format: exit}
`;

describe('ports and a scratch name for each working tree', () => {
  test('every tree has a block and a name of its own; they are shown, lie beside the tree, and the checks get those of the task', async () => {
    crew = await crewAt('IMPLEMENTATION', { criteria: CRITERIA });
    const given = await portsOf();
    expect(given.map(({ agent }) => agent)).toEqual(['', ...AGENTS]);
    expect(given.map(({ first, last }) => `${first}-${last}`)).toEqual([
      ...['20000-20009', '20010-20019', '20020-20029', '20030-20039'],
    ]);
    expect(given.map(({ scratch }) => scratch)).toEqual([
      'parse_dates_0',
      ...AGENTS.map((agent, n) => `parse_dates_${agent}_${n + 1}`),
    ]);
    const shown = await crew.text(top(), 'lead', '', 'task', 'show', TASK);
    expect(shown.out).toContain('ports 20010-20019, scratch parse_dates_architect_1: architect');
    const trees = await crew.text(crew.code, 'lead', 's-1', 'task', 'worktrees', TASK);
    expect(trees.out).toContain('none was lacking\nports 20000-20009');
    // As an agent does it that stands in its tree.
    const said = execFileSync('sh', ['-c', '. ../tree.env; echo "$COUNTERSIGN_PORT $COUNTERSIGN_SCRATCH"'], {
      cwd: join(own('tester'), 'code'),
      encoding: 'utf8',
    });
    expect(said).toBe('20030 parse_dates_tester_3\n');
    expect(crew.git(join(own('tester'), 'code'), 'status', '--porcelain')).toBe('');
    await reach(crew, 'REVIEW', 'VALIDATION');
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
  });

  test('what somebody writes into the file is put on record and undone', async () => {
    crew = await crewAt('REQUIREMENTS');
    const file = join(own('tester'), 'tree.env');
    const before = readFileSync(file, 'utf8');
    crew.write(file, 'COUNTERSIGN_PORT=1\n');
    const told = await crew.text(top(), 'lead', '', 'task', 'show', TASK);
    expect(told.err).toContain(`${file} was changed outside of Countersign`);
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('two tasks that begin at the same time do not get the same', async () => {
    crew = await openCrew({ wrap: together() });
    await Promise.all([begins(TASK, 's-1'), begins('other-task', 's-2')]);
    const all = [...(await firsts()), ...(await firsts('other-task'))];
    expect(all.toSorted()).toEqual([20_000, 20_010]);
    expect((await crew.session.text('', 'audit', 'verify')).out).toContain('clean');
  });

  test('they come back with the tree: after a task was tidied up the next one has them', async () => {
    crew = await crewAt('REQUIREMENTS');
    await begins('other-task', 's-2');
    expect(await firsts('other-task')).toEqual([20_040]);
    expect((await crew.decides('cancel', 'not any more')).kind).toBe('done');
    expect((await crew.say(top(), 'lead', 's-1', 'task', 'tidy', TASK)).code).toBe(0);
    expect(await firsts()).toEqual([]);
    expect(await firsts('other-task')).toEqual([20_040]);
    await begins(TASK, 's-3');
    expect(await firsts()).toEqual([20_000]);
  });

  test('a tree that was gone for a while gets another block where its own was given away', async () => {
    crew = await crewAt('REQUIREMENTS');
    rmSync(join(own('quality'), 'code'), { recursive: true });
    await crew.go('task', 'show', TASK);
    expect(existsSync(join(own('quality'), 'tree.env'))).toBe(false);
    await begins('other-task', 's-2');
    expect(await firsts('other-task')).toEqual([20_020]);
    expect((await crew.go('task', 'worktrees', TASK)).data.made).toEqual(['quality']);
    expect((await portsOf()).map(({ agent, first }) => `${agent} ${first}`)).toEqual([
      ...[' 20000', 'architect 20010', 'tester 20030', 'quality 20040'],
    ]);
    expect(readFileSync(join(own('quality'), 'tree.env'), 'utf8')).toContain('COUNTERSIGN_PORT=20040\n');
  });

  test('a project says where they begin, how many each gets, and how the names begin', async () => {
    crew = await crewAt('REQUIREMENTS', {
      config: 'staged: {ports: {first: 4000, each: 2}, scratch: "CI {agent}/{task}"}\n',
    });
    const [task, architect] = await portsOf();
    expect(task).toMatchObject({ first: 4000, last: 4001, scratch: 'ci_parse_dates_0' });
    expect(architect).toMatchObject({ first: 4002, last: 4003, scratch: 'ci_architect_parse_dates_1' });
  });

  test.each([
    ['{first: 80}', 'ports: first is 1024 to 65535'],
    ['{each: 0}', 'ports: each is 1 to 1000'],
    ['{first: 65530, each: 10}', 'ports: there are none left for one more working tree'],
  ])('what cannot be is refused: %s', async (ports, why) => {
    crew = await openCrew({ config: `staged: {ports: ${ports}}\n` });
    await expect(begins(TASK, 's-1')).rejects.toThrow(why);
  });
});
