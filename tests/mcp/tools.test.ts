import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instructionsFor } from '../../src/mcp/instructions.ts';
import { PROFILE_NAMES, type Profile } from '../../src/mcp/profile.ts';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { openSession, type Session, TEAM } from '../session.ts';
import { bring, DEVELOPER } from '../two-phase/bring.ts';
import { type Talk, talk } from './in-memory.ts';

let s: Session;
beforeAll(async () => {
  s = await openSession({
    agents: { ...TEAM, everything: Object.values(TEAM).flat(), bystander: [] },
  });
});
afterAll(() => s.close());

const listed = async (actor: string, profile: Profile) => {
  const { client, close } = await talk(s, actor, profile);
  const { tools } = await client.listTools();
  await close();
  return tools;
};

describe('the list of tools', () => {
  const cells = PROFILE_NAMES.flatMap((profile) =>
    [...Object.keys(TEAM), 'everything', 'bystander'].map((actor) => ({ profile, actor })),
  );
  test.each(cells)(
    'of $profile for $actor is small and says all that a client asks for',
    async ({ profile, actor }) => {
      const tools = await listed(actor, profile);
      expect(tools.length).toBeLessThanOrEqual(14);
      const read = tools.map(
        ({ name, description, inputSchema }) => `${name}${description}${JSON.stringify(inputSchema)}`,
      );
      expect(Buffer.byteLength(read.join(''))).toBeLessThanOrEqual(8 * 1024);
      for (const tool of tools) {
        expect(tool.name).toMatch(/^[a-z_]{1,40}$/);
        expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(tool.outputSchema).toMatchObject({ type: 'object' });
        expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
          'destructiveHint',
          'idempotentHint',
          'openWorldHint',
          'readOnlyHint',
        ]);
      }
    },
  );

  test('hangs on the roles of the credential alone, and is the same in every connection', async () => {
    const names = async (actor: string) => (await listed(actor, 'two-phase')).map(({ name }) => name);
    expect(await names('bystander')).toEqual(['next', 'item_list', 'item_show']);
    expect(await names(DEVELOPER)).toEqual(['next', 'item_list', 'item_show', 'item_start', 'item_claim']);
    expect(await names('verification-agent')).toContain('item_verify');
    expect(await names(DEVELOPER)).not.toContain('item_verify');
    expect(await names('everything')).toEqual(PROFILES['two-phase'].map(({ name }) => name));
    expect(await names(DEVELOPER)).toEqual(await names('react-18-specialist'));
  });

  test('no tool takes a result of a check, or the name of who calls', async () => {
    const fields = (await listed('everything', 'two-phase')).flatMap(({ inputSchema }) =>
      Object.keys(inputSchema.properties ?? {}),
    );
    for (const word of ['passed', 'result', 'tests', 'actor', 'by', 'as', 'token', 'verdict'])
      expect(fields).not.toContain(word);
  });
});

test.each(PROFILE_NAMES)('the essentials of %s stand in the first 512 characters', async (profile) => {
  expect(instructionsFor(profile).length).toBeLessThanOrEqual(512);
  const { client, close } = await talk(s, DEVELOPER, profile);
  expect(client.getInstructions()).toBe(instructionsFor(profile));
  await close();
});

describe('answers', () => {
  let builder: Talk;
  beforeAll(async () => {
    builder = await talk(s, DEVELOPER);
  });
  afterAll(() => builder.close());

  test('2PC-68, 2PC-69: next says in one call what may be done, by which exact call', async () => {
    const id = await bring(s, 'in_progress', '--list', 'calls');
    const { data, text } = await builder.call('next', { list: 'calls' });
    expect(data.next).toMatchObject([
      { id, status: 'in_progress', call: { by: 'you', tool: 'item_start', arguments: { item: id } } },
    ]);
    expect(text).toContain(`item_claim {"item":"${id}"}`);
    const call = (
      (data.next ?? [])[0] as unknown as { call: { tool: string; arguments: Record<string, unknown> } }
    ).call;
    expect((await builder.call(call.tool, call.arguments)).isError).toBe(false);
  });

  test('a refusal is a result that says what is missing, who can do what, and by which call', async () => {
    const id = await bring(s, 'pending', '--list', 'refused');
    const { isError, data, text } = await builder.call('item_start', { item: id });
    expect(isError).toBe(true);
    expect(data).toMatchObject({ ok: false, code: 'no-transition', item: { id, status: 'pending' } });
    expect(data.next?.length).toBeGreaterThan(0);
    expect(text).toMatch(/^refused \(no-transition\): /);
  });

  test.each(PROFILE_NAMES)(
    'every exact call of %s names a tool that some role is offered',
    async (profile) => {
      const offered = new Set<string>(PROFILES[profile].map(({ name }) => name));
      for (const state of [
        'pending',
        'in_progress',
        'claimed',
        'verified',
        'blocked',
        'completed',
      ] as const) {
        const id = await bring(s, state, '--list', `named-${profile}-${state.replace('_', '-')}`);
        const everything = await talk(s, 'everything', profile);
        const { data } = offered.has('item_show')
          ? await everything.call('item_show', { item: id })
          : await everything.call('next', {});
        await everything.close();
        // What is to be done next names its calls with each item.
        const steps = (data.next ?? []).flatMap((one) => (one.calls as typeof data.next) ?? [one]);
        for (const { tool, run, first } of steps) {
          expect(tool === undefined ? `${run}${first}` : offered.has(tool)).toBeTruthy();
        }
      }
    },
  );

  test('long output stands behind a resource, which can be read', async () => {
    const id = await bring(s, 'verified', '--list', 'behind');
    const { links } = await builder.call('item_show', { item: id });
    expect(links).toEqual([`countersign://item/${id}`, `countersign://proof/${id}`]);
    for (const uri of links) {
      const { contents } = await builder.client.readResource({ uri });
      expect(contents[0]).toMatchObject({ uri, mimeType: 'application/json' });
    }
    await expect(builder.client.readResource({ uri: 'countersign://item/T-999' })).rejects.toThrow('T-999');
    await expect(builder.client.readResource({ uri: 'countersign://proof/..%2f..' })).rejects.toThrow();
  });

  test('guidance is a resource, and each role has a prompt', async () => {
    const { contents } = await builder.client.readResource({ uri: 'countersign://guide' });
    expect((contents[0] as { text: string }).text).toContain('a claimed item is not done');
    const { prompts } = await builder.client.listPrompts();
    expect(prompts.map(({ name }) => name).sort()).toEqual([
      'quality-validator',
      'specialist',
      'verification-agent',
      'workflow-orchestrator',
    ]);
    for (const { name } of prompts) {
      const { messages } = await builder.client.getPrompt({ name });
      expect(JSON.stringify(messages)).toContain(`You work as ${name} under Countersign`);
    }
  });

  test('a page of the list stays below 25 KB, whatever the titles hold', async () => {
    const orchestrator = await talk(s, 'orchestrator');
    for (let n = 0; n < 60; n++)
      await orchestrator.call('item_add', { title: `${'ü'.repeat(290)} ${n}`, list: 'long' });
    await orchestrator.close();
    const seen: string[] = [];
    for (let after = 0, page = 0; page === 0 || after > 0; page++) {
      const answer = await builder.call('item_list', { list: 'long', limit: 100, after });
      expect(Buffer.byteLength(JSON.stringify(answer.data)) + Buffer.byteLength(answer.text)).toBeLessThan(
        25_000,
      );
      seen.push(...(answer.data.items as readonly { id: string }[]).map(({ id }) => id));
      after = Number(answer.data.next_after);
    }
    expect(new Set(seen).size).toBe(60);
    expect(seen.length).toBe(60);
  });
});

describe('a person', () => {
  test('never speaks through a server', async () => {
    await expect(talk(s, 'ada')).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
    await expect(talk(s, '')).rejects.toMatchObject({ code: 'NO_CREDENTIAL' });
  });

  test('a token that was revoked meanwhile is good for nothing more', async () => {
    const id = await s.register('leaving', ['specialist']);
    const { call, close } = await talk(s, 'leaving');
    expect((await call('next')).isError).toBe(false);
    await s.say('', 'token', 'revoke', id);
    expect(await call('next')).toMatchObject({ isError: true, data: { code: 'NO_CREDENTIAL' } });
    await close();
  });
});

describe('bad input', () => {
  const cases: readonly (readonly [string, string, Record<string, unknown>])[] = [
    ['a blank title', 'item_add', { title: '  ' }],
    ['a title of 1 MB', 'item_add', { title: 'x'.repeat(1_000_000) }],
    ['control characters', 'item_add', { title: 'a\u0007b' }],
    ['a text that turns its direction', 'item_add', { title: 'a\u202eb' }],
    ['an unknown id', 'item_show', { item: 'T-999999' }],
    ['a path for an id', 'item_show', { item: '../../etc/passwd' }],
    ['a number for an id', 'item_show', { item: 1 }],
    ['an unknown field', 'item_show', { item: 'T-1', passed: true }],
    [
      'a path outside the repository as evidence',
      'item_claim',
      { item: 'T-1', evidence: ['../../../../etc/passwd'] },
    ],
    ['an option as a commit', 'item_claim', { item: 'T-1', commit: '--upload-pack=touch x' }],
    ['an unknown state', 'item_list', { states: ['done'] }],
    ['a negative page', 'item_list', { after: -1 }],
    ['an unknown command', 'item_move', { item: 'T-1', command: 'approve' }],
    ['a rejection without findings', 'item_judge', { item: 'T-1', kind: 'review', approve: false }],
    ['an inherited name', 'item_move', { item: 'T-1', command: 'constructor' }],
  ];
  test.each(cases)('%s: a clear error, and nothing changed', async (_, name, input) => {
    await bring(s, 'in_progress', '--list', 'bad-input');
    const profile: Profile = name === 'item_move' ? 'core' : 'two-phase';
    const everything = await talk(s, 'everything', profile);
    const before = await everything.call('item_list', { limit: 100 });
    const answer = await everything.call(name, input);
    expect(answer.isError).toBe(true);
    expect(answer.text.length).toBeLessThan(1_500);
    expect(answer.text).not.toMatch(/\bat .*\.ts:\d+|defect/);
    expect((await everything.call('item_list', { limit: 100 })).data).toEqual(before.data);
    await everything.close();
  });

  test('emoji and other scripts are words like any others', async () => {
    const orchestrator = await talk(s, 'orchestrator');
    const { data } = await orchestrator.call('item_add', { title: 'Zeige 🎉 und 漢字', list: 'words' });
    expect(data.item).toMatchObject({ content: 'Zeige 🎉 und 漢字' });
    await orchestrator.close();
  });
});
