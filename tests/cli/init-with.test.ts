import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { eachAtADesk } from './each-desk.ts';
import { type Desk, emptyDesk } from './program.ts';

let desk: Desk;
eachAtADesk((own) => {
  desk = own;
}, emptyDesk);
beforeEach(() =>
  desk.repo.commit({ 'README.md': '# It\n', 'package.json': '{"scripts":{"test":"node --test"}}\n' }),
);

const FILES = [
  '.mcp.json',
  '.claude/settings.local.json',
  '.claude/agents/countersign-builder.md',
  '.claude/agents/countersign-verifier.md',
  'CLAUDE.md',
];
const at = (path: string) => join(desk.repo.top, path);
const put = (path: string, text: string) => {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text);
};
const read = (path: string) => readFileSync(at(path), 'utf8');
const json = (path: string) => JSON.parse(read(path));
const init = (...more: readonly string[]) =>
  desk.run('init', '--owner', 'ada', '--with', 'claude-code', ...more);
const claudeCode = () =>
  (desk.say('doctor').data.conditions as { name: string; status: string; says: string; next: string }[]).find(
    ({ name }) => name === 'claude-code',
  );

describe('init --with claude-code', () => {
  it('shows everything first, and writes nothing where nobody agrees', () => {
    for (const told of [init('--dry-run'), init()]) {
      expect(`${told.out}${told.err}`).toContain('+    "countersign-verifier": {');
      for (const path of FILES) expect([path, existsSync(at(path))]).toEqual([path, false]);
    }
    expect(init('--dry-run').code).toBe(0);
    expect(init()).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(existsSync(at('.git/countersign/store.db'))).toBe(false);
  });

  it('writes servers, hooks, agents and a block, for two actors with credentials of their own', () => {
    expect(init('--yes')).toMatchObject({ code: 0 });
    const { countersign, 'countersign-verifier': verifier } = json('.mcp.json').mcpServers;
    expect([countersign.args, verifier.args]).toEqual([
      expect.arrayContaining(['mcp', '--actor', 'builder']),
      expect.arrayContaining(['mcp', '--actor', 'verifier']),
    ]);
    const { hooks } = json('.claude/settings.local.json');
    expect(Object.keys(hooks).sort()).toEqual([
      'ConfigChange',
      'PreToolUse',
      'SessionStart',
      'Stop',
      'SubagentStop',
      'TaskCompleted',
      'UserPromptSubmit',
    ]);
    expect(read('CLAUDE.md').split('\n').length).toBeLessThan(18);
    const actors = desk.say('actor', 'list').data.actors as { id: string; roles: string[] }[];
    expect(actors.filter(({ id }) => id !== 'ada')).toMatchObject([
      { id: 'builder', roles: ['specialist', 'workflow-orchestrator'] },
      { id: 'verifier', roles: ['verification-agent', 'quality-validator'] },
    ]);
  });

  it('2PC-97: the agents carry the rules of their roles', () => {
    init('--yes');
    const [builder, verifier] = ['builder', 'verifier'].map((name) =>
      read(`.claude/agents/countersign-${name}.md`),
    );
    expect(builder).toContain('Verification may never be skipped');
    expect(verifier).toContain('Update duty: do not end before the item reads verified or blocked');
    expect(verifier).not.toContain('item_claim');
    expect(verifier).toMatch(/^---\nname: countersign-verifier\ndescription: .+\ntools: /);
  });

  it('changes nothing when it is run again', () => {
    init('--yes');
    const before = FILES.map(read);
    expect(desk.say('init', '--owner', 'ada', '--with', 'claude-code').data).toMatchObject({ changed: [] });
    expect(FILES.map(read)).toEqual(before);
  });

  it('keeps what others wrote, and uninstall takes out exactly what it put in', () => {
    const others = {
      '.mcp.json':
        '{\n    "mcpServers": {\n        "other": {\n            "command": "x"\n        }\n    }\n}\n',
      '.claude/settings.local.json':
        '{\n  "permissions": {\n    "allow": [\n      "Read"\n    ]\n  },\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          {\n            "type": "command",\n            "command": "say done"\n          }\n        ]\n      }\n    ]\n  }\n}\n',
      'CLAUDE.md': '# Rules\n\nBe kind.\n',
    };
    for (const [path, text] of Object.entries(others)) put(path, text);
    expect(init('--yes').code).toBe(0);
    expect(json('.mcp.json').mcpServers.other).toEqual({ command: 'x' });
    expect(json('.claude/settings.local.json').hooks.Stop[0].hooks[0].command).toBe('say done');
    expect(read('CLAUDE.md')).toContain('Be kind.');
    expect(desk.run('uninstall')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(desk.run('uninstall', '--yes').code).toBe(0);
    for (const [path, text] of Object.entries(others)) expect(read(path)).toBe(text);
    expect(existsSync(at('.claude/agents'))).toBe(false);
    expect(desk.run('uninstall', '--yes').out).toContain('nothing of Countersign');
    expect(existsSync(at('.git/countersign/store.db'))).toBe(true);
  });

  it('gives every byte back of a file that nobody changed since, and keeps what was added', () => {
    const others = {
      '.mcp.json': '{"mcpServers": {"other": {"command": "foo"}}}',
      '.claude/settings.local.json': '{ "hooks": { "Stop": [] },\n      "model": "x" }',
      'CLAUDE.md': '# Rules\r\n\r\nBe kind.',
    };
    for (const [path, text] of Object.entries(others)) put(path, text);
    init('--yes');
    // An older installation was brought up to date in between.
    put('CLAUDE.md', read('CLAUDE.md').replace('Nothing is done', 'Less is done'));
    const edited = read('CLAUDE.md');
    init('--yes');
    expect(read('CLAUDE.md')).not.toBe(edited);
    expect(desk.run('uninstall', '--yes').code).toBe(0);
    for (const path of ['.mcp.json', '.claude/settings.local.json'] as const)
      expect(read(path)).toBe(others[path]);
    expect(read('CLAUDE.md')).toBe(`${others['CLAUDE.md']}\n`);
    init('--yes');
    put(
      '.mcp.json',
      JSON.stringify({ mcpServers: { ...json('.mcp.json').mcpServers, more: { command: 'y' } } }),
    );
    expect(desk.run('uninstall', '--yes').code).toBe(0);
    expect(json('.mcp.json')).toEqual({ mcpServers: { other: { command: 'foo' }, more: { command: 'y' } } });
  });

  it.each([
    ['without an end', '# A\n<!-- countersign: begin -->\nMINE\n'],
    ['without a begin', '# A\nMINE\n<!-- countersign: end -->\n'],
    ['twice', '<!-- countersign: begin -->\nMINE\n<!-- countersign: begin -->\n<!-- countersign: end -->\n'],
    ['the wrong way round', '<!-- countersign: end -->\nMINE\n<!-- countersign: begin -->\n'],
  ])('touches nothing where the marks of its block stand %s', (_, text) => {
    put('CLAUDE.md', text);
    expect(init('--yes')).toMatchObject({ code: 2, err: expect.stringContaining('as one pair') });
    expect(desk.run('uninstall', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('as one pair'),
    });
    expect(read('CLAUDE.md')).toBe(text);
    expect(existsSync(at('.mcp.json'))).toBe(false);
  });

  it('refuses where the project has an agent of that name, and a text that is no UTF-8', () => {
    put('.claude/agents/countersign-verifier.md', 'mine\n');
    expect(init('--yes')).toMatchObject({ code: 2, err: expect.stringContaining('another name') });
    rmSync(at('.claude'), { recursive: true });
    writeFileSync(at('CLAUDE.md'), Buffer.from([0x23, 0xe9, 0x0a]));
    expect(init('--yes')).toMatchObject({ code: 2, err: expect.stringContaining('no UTF-8') });
  });

  it('refuses agents of these names that hold other roles', () => {
    desk.run('init', '--owner', 'ada');
    desk.run('actor', 'add', 'builder', '--role', 'verification-agent');
    expect(init('--yes')).toMatchObject({ code: 2, err: expect.stringContaining('has to be a specialist') });
    expect(existsSync(at('.mcp.json'))).toBe(false);
    expect(init('--yes', '--agents', 'maker,checker').code).toBe(0);
  });

  it('is not taken out by an agent', () => {
    init('--yes');
    const told = desk.runIn(desk.repo.top, ['uninstall', '--yes'], { COUNTERSIGN_ACTOR: 'builder' });
    expect(told).toMatchObject({ code: 7, err: expect.stringContaining('a person') });
    for (const path of FILES) expect([path, existsSync(at(path))]).toEqual([path, true]);
  });

  it('leaves nothing behind where nothing was', () => {
    init('--yes');
    desk.run('uninstall', '--yes');
    for (const path of [...FILES, '.claude']) expect([path, existsSync(at(path))]).toEqual([path, false]);
  });

  it('refuses a file that it cannot read, before it writes any', () => {
    put('.mcp.json', '{ not json');
    expect(init('--yes')).toMatchObject({ code: 2, err: expect.stringContaining('.mcp.json') });
    expect(existsSync(at('CLAUDE.md'))).toBe(false);
    put('.mcp.json', '{"mcpServers": []}');
    expect(init('--yes')).toMatchObject({ code: 2, err: expect.stringContaining('mcpServers') });
  });

  it('puts the block into an AGENTS.md that is there, and knows no other coding agents yet', () => {
    put('AGENTS.md', '# Agents\n');
    init('--yes');
    expect(read('AGENTS.md')).toContain('countersign: begin');
    expect(existsSync(at('CLAUDE.md'))).toBe(false);
    expect(desk.run('init', '--with', 'vi')).toMatchObject({
      code: 2,
      err: expect.stringContaining('claude-code'),
    });
  });
});

describe('doctor on Claude Code', () => {
  it('tells whether the hooks are there, armed and current, and what they protect', () => {
    desk.run('init', '--owner', 'ada');
    expect(claudeCode()).toMatchObject({ status: 'ok', says: 'not used here' });
    put('CLAUDE.md', '# Rules\n');
    expect(claudeCode()).toMatchObject({ status: 'warn', next: 'countersign init --with claude-code' });
    init('--yes');
    expect(claudeCode()).toMatchObject({
      status: 'ok',
      says: expect.stringContaining('present, armed and current'),
    });
    const settings = json('.claude/settings.local.json');
    const others = {
      disableAllHooks: true,
      allowManagedHooksOnly: true,
      disabledMcpjsonServers: ['countersign'],
    };
    mkdirSync(join(desk.repo.root, '.claude'));
    for (const [name, value] of Object.entries(others)) {
      writeFileSync(join(desk.repo.root, '.claude/settings.json'), JSON.stringify({ [name]: value }));
      expect(claudeCode()).toMatchObject({ status: 'fail', says: expect.stringContaining(name) });
    }
    rmSync(join(desk.repo.root, '.claude'), { recursive: true });
    put('.claude/settings.local.json', JSON.stringify({ ...settings, disableAllHooks: true }));
    expect(claudeCode()).toMatchObject({ status: 'fail', says: expect.stringContaining('switched off') });
    const { Stop: _, ...rest } = settings.hooks;
    put('.claude/settings.local.json', JSON.stringify({ ...settings, hooks: rest }));
    expect(claudeCode()).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('settings.local.json'),
    });
    put('.claude/settings.local.json', JSON.stringify(settings));
    put('.claude/agents/countersign-verifier.md', 'mine\n');
    expect(claudeCode()).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('countersign-verifier.md'),
    });
    put(
      '.claude/settings.local.json',
      JSON.stringify(settings).replaceAll('countersign-hook.cjs', 'gone/countersign-hook.cjs'),
    );
    expect(claudeCode()).toMatchObject({ status: 'fail', says: expect.stringContaining('not there') });
  });
});

describe('init --with claude-code in a project that follows another protocol', () => {
  it.each([
    ['goal-task', 'goals', 'submit_for_review', ['builder', 'lead'], ['verifier', 'reviewer']],
    ['lifecycle', 'lifecycle', 'finish_task', ['fullstack-developer'], ['quality-monitor']],
    ['staged', 'staged', 'task_step', ['coordinator'], ['stakeholder']],
  ])(
    '%s: servers, agents and credentials are those of its profile',
    (protocol, profile, tool, builds, verifies) => {
      desk.repo.commit({ '.countersign/config.yaml': `protocol: ${protocol}\n` });
      expect(init('--yes')).toMatchObject({ code: 0 });
      for (const { args } of Object.values(json('.mcp.json').mcpServers) as { args: string[] }[])
        expect(args.slice(-2)).toEqual(['--profile', profile]);
      expect(read('.claude/agents/countersign-builder.md')).toContain(`mcp__countersign__${tool}`);
      for (const path of [
        'CLAUDE.md',
        '.claude/agents/countersign-builder.md',
        '.claude/agents/countersign-verifier.md',
      ])
        expect([path, /item_claim|item_verify|countersign complete/.test(read(path))]).toEqual([path, false]);
      const { actors } = desk.say('actor', 'list').data as { actors?: { id: string; roles: string[] }[] };
      const rolesOf = (id: string) => actors?.find((actor) => actor.id === id)?.roles;
      expect(rolesOf('builder')).toEqual(expect.arrayContaining(builds));
      expect(rolesOf('verifier')).toEqual(expect.arrayContaining(verifies));
      expect(claudeCode()).toMatchObject({ status: 'ok' });
      expect(desk.run('uninstall', '--yes').code).toBe(0);
      for (const path of FILES) expect([path, existsSync(at(path))]).toEqual([path, false]);
    },
  );
});
