import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROFILE_NAMES, type Profile } from '../../src/mcp/profile.ts';
import { MOST_TOOLS, offeredTo, PROFILES } from '../../src/mcp/profiles.ts';
import { everyRole } from '../../src/mcp/tool.ts';
import { BUILT_IN } from '../../src/protocols/index.ts';
import { GOAL_TEAM } from '../journeys/goal-states.ts';
import { LIFE_TEAM } from '../journeys/lifecycle-states.ts';
import { openSession, type Session } from '../session.ts';
import { talk } from './in-memory.ts';

let s: Session;
beforeAll(async () => {
  s = await openSession({
    // One agent at a time leads.
    agents: { ...LIFE_TEAM, ...GOAL_TEAM, everything: everyRole().filter((role) => role !== 'lead') },
  });
});
afterAll(() => s.close());

/** The tools of a profile as a client reads them, whoever it is. */
async function wire(profile: Profile, actor = 'everything', every = true) {
  const { client, close } = await talk(s, actor, profile, every);
  const { tools } = await client.listTools();
  await close();
  return tools;
}

const rolesOf = (...protocols: readonly string[]) => protocols.flatMap((name) => BUILT_IN[name]?.roles ?? []);
const PHASED = ['phased-task', 'phase', 'review', 'reviewer', 'agent-run'];
const ROLES: Readonly<Record<Profile, readonly string[]>> = {
  core: rolesOf('two-phase', 'goal-task'),
  'two-phase': rolesOf('two-phase', 'goal-task'),
  lifecycle: [...rolesOf('lifecycle'), 'lead'],
  goals: [...rolesOf('goal-task'), 'cto'],
  staged: [...rolesOf('staged'), 'cto'],
  phases: rolesOf(...PHASED),
};
/** What takes the place of tools that are left out. A phase tells itself what to do next. */
const ANSWERS_ALL: { readonly [profile: string]: string } = { phases: 'get_phase_status' };
/** A reviewer's own verdict is what it says, and no result of a check. */
const SAID: { readonly [tool: string]: string } = { submit_review_verdict: 'verdict' };
const setsOf = (roles: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: 2 ** roles.length }, (_, n) => roles.filter((_role, i) => n & (2 ** i)));

describe.each(PROFILE_NAMES)('the list of %s', (profile) => {
  test('has at most 14 tools and 8 KB, whatever roles somebody holds', async () => {
    const tools = await wire(profile);
    const bytes = new Map(
      tools.map(({ name, description, inputSchema }) => [
        name,
        Buffer.byteLength(`${name}${description}${JSON.stringify(inputSchema)}`),
      ]),
    );
    expect([...bytes.keys()]).toEqual(PROFILES[profile].map(({ name }) => name));
    const wired = new Map(tools.map((tool) => [tool.name, Buffer.byteLength(JSON.stringify(tool))]));
    let widest = 0;
    for (const roles of [...setsOf(ROLES[profile]), everyRole()]) {
      const names = offeredTo(profile, { roles }).map(({ name }) => name);
      const size = names.reduce((sum, name) => sum + (bytes.get(name) ?? Number.NaN), 0);
      expect(names.length, roles.join()).toBeLessThanOrEqual(MOST_TOOLS);
      expect(size, roles.join()).toBeLessThanOrEqual(8 * 1024);
      widest = Math.max(
        widest,
        names.reduce((sum, name) => sum + (wired.get(name) ?? Number.NaN), 0),
      );
      // What was left out is taken by item_move, which is there then.
      const whole = PROFILES[profile].filter(
        (t) => t.roles.length === 0 || t.roles.some((r) => roles.includes(r)),
      );
      if (names.length < whole.length) expect(names).toContain(ANSWERS_ALL[profile] ?? 'item_move');
      if (profile !== 'phases') expect(names.slice(0, 3)).toEqual(['next', 'item_list', 'item_show']);
    }
    // With titles, output schemas and annotations, as docs/mcp.md says.
    expect(widest).toBeLessThanOrEqual(15 * 1024);
    expect(JSON.stringify(tools)).not.toMatch(/\$schema|9007199254740991|"additionalProperties":\{\}/);
  });

  test('says all that a client asks for', async () => {
    for (const tool of await wire(profile)) {
      expect(tool.name).toMatch(/^[a-z_]{1,40}$/);
      expect(tool.title).toBeTruthy();
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      expect(Object.values(tool.annotations ?? {}).every((hint) => typeof hint === 'boolean')).toBe(true);
      expect(Object.keys(tool.annotations ?? {})).toHaveLength(4);
      for (const word of ['passed', 'result', 'tests', 'actor', 'by', 'as', 'token', 'verdict', 'verifier'])
        if (SAID[tool.name] !== word)
          expect(Object.keys(tool.inputSchema.properties ?? {})).not.toContain(word);
    }
  });

  test('is what the credential is offered, the same in every connection', async () => {
    for (const actor of ['lead', 'developer', 'bystander']) {
      const roles = { ...LIFE_TEAM, ...GOAL_TEAM }[actor as 'lead'] as readonly string[];
      const names = offeredTo(profile, { roles }).map(({ name }) => name);
      for (let n = 0; n < 2; n++)
        expect((await wire(profile, actor, false)).map(({ name }) => name)).toEqual(names);
    }
  });

  test('comes with one prompt for each role of its protocols, and their guide', async () => {
    const { client, close } = await talk(s, 'bystander', profile);
    const { prompts } = await client.listPrompts();
    const asked = {
      core: Object.keys(BUILT_IN),
      'two-phase': ['two-phase'],
      lifecycle: ['lifecycle'],
      goals: ['goal-task'],
      staged: ['staged'],
      phases: PHASED,
    };
    expect(prompts.map(({ name }) => name).sort()).toEqual([...new Set(rolesOf(...asked[profile]))].sort());
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name });
      expect(JSON.stringify(messages)).toContain(`You work as ${name} under Countersign`);
    }
    const { contents } = await client.readResource({ uri: 'countersign://guide' });
    const { text } = contents[0] as { text: string };
    for (const protocol of asked[profile])
      for (const state of Object.keys(BUILT_IN[protocol]?.states ?? {}))
        expect(text).toContain(`- ${state}: `);
    await close();
  });
});

test('GOAL-55: rejection in review, rejection of a goal and reopening are tools, each with a reason', async () => {
  const tools = await wire('goals', 'lead', false);
  for (const name of ['reject_task', 'reject_goal', 'reopen_task']) {
    const tool = tools.find((t) => t.name === name);
    expect(tool?.inputSchema.required).toContain('reason');
  }
});

test('a role of a protocol that the project wrote is offered all of core', () => {
  const names = offeredTo('core', { roles: ['triager'] }).map(({ name }) => name);
  expect(names).toEqual(PROFILES.core.map(({ name }) => name));
  expect(offeredTo('goals', { roles: ['triager'] })).toHaveLength(4);
});
