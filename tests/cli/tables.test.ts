import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import { CRITERIA, type Desk, emptyDesk, type Program } from './program.ts';

let program: Program;
let desk: Desk;
eachAtADesk((opened, built) => {
  desk = opened;
  program = built;
});

const RELAY = {
  name: 'relay',
  roles: ['runner', 'judge'],
  openers: ['judge'],
  initial: 'waiting',
  states: {
    waiting: { category: 'QUEUED' },
    handed: { category: 'SUBMITTED' },
    done: { category: 'CLOSED', final: true, success: true },
  },
  rows: [
    { from: 'waiting', command: 'hand', to: 'handed', by: 'runner', as: 'builder' },
    {
      from: 'handed',
      command: 'judge',
      to: 'done',
      by: 'judge',
      as: 'verifier',
      verdict: true,
      requires: [{ guard: 'apart', from: 'builder', bond: 'lineage' }],
    },
  ],
};

describe('protocol', () => {
  it('lists and shows what ships, in every format', () => {
    expect(desk.run('protocol', 'list').out).toContain('two-phase');
    const show = (format: string) => desk.run('protocol', 'show', 'two-phase', '--format', format).out;
    expect(show('table')).toContain('| claimed | verify | verified |');
    expect(show('mermaid')).toContain('stateDiagram-v2');
    expect(JSON.parse(show('json'))).toMatchObject({ name: 'two-phase', initial: 'pending' });
    expect(JSON.parse(show('xstate'))).toMatchObject({ id: 'two-phase', initial: 'pending' });
    expect(desk.run('protocol', 'show', 'two-phase', '--format', 'svg').code).toBe(2);
  });

  it('needs no store and no repository', () => {
    expect(desk.runIn(desk.repo.root, ['protocol', 'list']).code).toBe(0);
    expect(desk.runIn(desk.repo.root, ['protocol', 'show', 'two-phase']).code).toBe(0);
  });

  it('ends with 0 when everything is proved', () => {
    const told = desk.run('protocol', 'check', 'two-phase');
    expect(told.code).toBe(0);
    expect(told.out).toContain('proved: no success without a verdict');
  });

  it('ends with 4 and a path to each broken promise, from YAML and JSON alike', () => {
    const selfish = { ...RELAY, rows: [RELAY.rows[0], { ...RELAY.rows[1], requires: [] }] };
    desk.repo.write('selfish.json', JSON.stringify(selfish));
    desk.repo.write('selfish.yaml', `# a remark\n${JSON.stringify(selfish, null, 1)}`);
    for (const file of ['selfish.json', 'selfish.yaml']) {
      const told = desk.run('protocol', 'check', file);
      expect(told.code).toBe(4);
      expect(told.err).toContain('broken (');
      expect(told.err).toMatch(/1\. .*hand/);
    }
  });

  it('ends with 4 when the search is cut: what was not looked at is not proved', () => {
    const said = desk.say('protocol', 'check', 'two-phase', '--cap', '20');
    expect(said).toMatchObject({ code: 4, error: { code: 'not-proved', report: { cut: true, proved: [] } } });
    expect(desk.run('protocol', 'check', 'two-phase', '--cap', '0').code).toBe(2);
  });

  it.each([
    ['no table', '[1, 2]'],
    ['broken YAML', 'name: [x'],
    ['an unknown key', JSON.stringify({ ...RELAY, rowz: [] })],
    ['an unknown state', JSON.stringify({ ...RELAY, initial: 'nowhere' })],
  ])('ends with 2 for %s', (_, text) => {
    desk.repo.write('x.yaml', text);
    expect(desk.say('protocol', 'check', 'x.yaml')).toMatchObject({ code: 2, error: { code: 'BAD_INPUT' } });
  });
});

describe('criteria', () => {
  it('lists and shows what is committed on the default branch, not what lies in the working tree', () => {
    desk.repo.write(
      '.countersign/criteria/default.yaml',
      'schema: countersign/criteria/1\nname: default\nchecks: []\n',
    );
    desk.repo.write('.countersign/criteria/extra.yaml', CRITERIA);
    expect(desk.say('criteria', 'list').data.criteria).toMatchObject([
      { name: 'default', checks: [{ id: 'done' }] },
    ]);
    expect(desk.run('criteria', 'show').out).toContain('contains: done');
    desk.repo.commit({});
    expect(desk.say('criteria', 'list', '--commit', 'work').data.criteria).toHaveLength(2);
    expect(desk.say('criteria', 'show', 'extra', '--commit', 'HEAD').data.text).toBe(CRITERIA);
    expect(desk.run('criteria', 'list', '--commit', 'no-such-branch').code).toBe(5);
  });

  it('says everything that is wrong with a file, without a repository too', () => {
    desk.repo.write(
      'bad.yaml',
      'schema: countersign/criteria/1\nname: x\nchecks:\n  - {id: a, kind: nonsense}\nmore: 1\n',
    );
    const said = desk.say('criteria', 'check', 'bad.yaml');
    expect(said).toMatchObject({ code: 2, error: { code: 'BAD_CRITERIA' } });
    expect((said.error.problems as string[]).length).toBeGreaterThan(1);
    desk.repo.write('good.yaml', CRITERIA);
    expect(desk.runIn(desk.repo.root, ['criteria', 'check', join(desk.repo.top, 'good.yaml')]).code).toBe(0);
  });

  it('leads on where there are none', () => {
    const fresh = emptyDesk(program);
    try {
      fresh.run('init');
      expect(fresh.run('criteria', 'list').out).toMatch(
        /no criteria are in force: there is no commit yet.*\nnext: run: countersign criteria init, then commit/,
      );
    } finally {
      fresh.remove();
    }
  });
});

describe('config', () => {
  it('shows the committed configuration with where each value comes from', () => {
    const { config } = desk.say('config', 'show', '--origin').data as { config: Record<string, unknown> };
    expect(config['settings.acknowledge']).toMatchObject({
      value: 'orchestrator',
      origin: expect.stringMatching(/^\.countersign\/config\.yaml at [0-9a-f]{12}$/),
    });
    expect(config['settings.halt_on_block']).toEqual({ value: true, origin: 'default' });
    desk.repo.write('.countersign/config.yaml', 'settings: {acknowledge: user}\n');
    expect(desk.run('config', 'show').out).toMatch(/settings\.acknowledge +orchestrator/);
  });
});

describe('completion', () => {
  const complete = (line: readonly string[]) => {
    const script = `${desk.run('completion', 'bash').out}
COMP_WORDS=(${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length - 1}
_countersign; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
  };

  it('completes commands, commands of groups and flags in bash', () => {
    expect(complete(['countersign', 'ver'])).toEqual(['verify']);
    expect(complete(['countersign', '--json', 'protocol', ''])).toEqual(
      expect.arrayContaining(['list', 'show', 'check']),
    );
    expect(complete(['countersign', 'list', '--li'])).toEqual(['--list', '--limit']);
    expect(complete(['countersign', ''])).toEqual(
      expect.arrayContaining(['init', 'add', 'import', 'doctor']),
    );
  });

  it.each(['zsh', 'fish'])('writes a script for %s that knows every command', (shell) => {
    const { out } = desk.run('completion', shell);
    for (const word of ['init', 'verify', 'protocol', 'check', '--commit']) expect(out).toContain(word);
  });

  it('knows no other shell', () => {
    expect(desk.run('completion', 'cmd').code).toBe(2);
  });
});
