import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { accountability } from '../engine/accountability.ts';
import { loadItem } from '../engine/handle.ts';
import { latestPack } from '../engine/proof-verify.ts';
import { hardBlockReport } from '../engine/reports.ts';
import { todoOf } from '../engine/todo.ts';
import { builtIn } from '../protocols/index.ts';
import { briefText, TWO_PHASE_BRIEFS } from '../protocols/two-phase-roles.ts';
import type { Desk } from './desk.ts';
import { INSTRUCTIONS } from './instructions.ts';
import { SCHEME } from './links.ts';

const JSON_TYPE = 'application/json';

/** What is too long for an answer: guidance, whole items, proof packs. */
export function registerResources(server: McpServer, desk: Desk): void {
  const guide = `${SCHEME}guide`;
  const about = { title: 'How work goes here', mimeType: 'text/markdown' };
  server.registerResource('guide', guide, about, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: about.mimeType, text: guideText() }],
  }));
  const item = new ResourceTemplate(`${SCHEME}item/{item}`, { list: undefined });
  const whole = { title: 'An item with every attempt', mimeType: JSON_TYPE };
  server.registerResource('item', item, whole, (uri, { item: ref }) =>
    read(desk, uri, String(ref), async (_, handle) => {
      const { item: of } = handle;
      const told = { ...todoOf(handle), accountability: accountability(handle), steps: of.steps };
      const report = of.state === 'blocked' ? { report: hardBlockReport(handle) } : {};
      return JSON.stringify({ ...told, ...report }, null, 2);
    }),
  );
  const proof = new ResourceTemplate(`${SCHEME}proof/{item}`, { list: undefined });
  const pack = { title: 'The signed proof pack of an item', mimeType: JSON_TYPE };
  server.registerResource('proof', proof, pack, (uri, { item: ref }) =>
    read(desk, uri, String(ref), async (ports, handle) =>
      Buffer.from(latestPack(ports, handle, undefined).bytes).toString('utf8'),
    ),
  );
}

type Handle = Awaited<ReturnType<typeof loadItem>>;

async function read(
  { ports, caller }: Desk,
  uri: URL,
  ref: string,
  text: (of: Desk['ports'], handle: Handle) => Promise<string>,
) {
  await caller();
  try {
    const handle = await loadItem(ports, ref);
    return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text: await text(ports, handle) }] };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'NOT_FOUND' || code === 'BAD_INPUT') throw new ResourceNotFoundError(uri.href, message);
    throw error;
  }
}

/** The protocol as a reader needs it: states, steps, and what each role is told. */
function guideText(): string {
  const protocol = builtIn('two-phase');
  const states = Object.entries(protocol?.states ?? {});
  return [
    '# Working under Countersign',
    '',
    INSTRUCTIONS,
    '',
    '## States',
    '',
    ...states.map(([name, { meaning }]) => `- ${name}: ${meaning}`),
    '',
    '## Roles',
    ...TWO_PHASE_BRIEFS.flatMap((brief) => ['', `### ${brief.role}`, '', briefText(brief)]),
  ].join('\n');
}
