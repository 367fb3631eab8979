import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { accountability } from '../engine/accountability.ts';
import { goalStatus } from '../engine/goals.ts';
import { loadItem } from '../engine/handle.ts';
import { inbox as inboxOf } from '../engine/inbox.ts';
import { latestPack } from '../engine/proof-verify.ts';
import { hardBlockReport } from '../engine/reports.ts';
import { todoOf } from '../engine/todo.ts';
import { callFor, unique } from './call.ts';
import type { Desk } from './desk.ts';
import { guideText } from './guide.ts';
import { wholeHistory } from './history.ts';
import { SCHEME } from './links.ts';
import type { Profile } from './profile.ts';

const JSON_TYPE = 'application/json';

/** What is too long for an answer: guidance, whole items, proof packs. */
export function registerResources(server: McpServer, desk: Desk, profile: Profile): void {
  const guide = `${SCHEME}guide`;
  const about = { title: 'How work goes here', mimeType: 'text/markdown' };
  server.registerResource('guide', guide, about, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: about.mimeType, text: guideText(profile) }],
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
  const history = new ResourceTemplate(`${SCHEME}history/{item}`, { list: undefined });
  const past = { title: 'Every transition of an item, with its times', mimeType: JSON_TYPE };
  server.registerResource('history', history, past, (uri, { item: ref }) =>
    read(desk, uri, String(ref), async (ports, { id }) => textOf(await wholeHistory(ports, id))),
  );
  const inbox = `${SCHEME}inbox`;
  const told = { title: 'What you have to be told', mimeType: JSON_TYPE };
  server.registerResource('inbox', inbox, told, async (uri) => {
    const { actor } = await desk.caller();
    const messages = (await inboxOf(desk.ports, actor)).map(({ steps, ...message }) => ({
      ...message,
      next: unique(steps.map((step) => callFor(step, desk.offered))),
    }));
    const text = textOf({ messages });
    return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] };
  });
  const goal = new ResourceTemplate(`${SCHEME}goal/{item}`, { list: undefined });
  const tasks = { title: 'A goal with every task', mimeType: JSON_TYPE };
  server.registerResource('goal', goal, tasks, (uri, { item: ref }) =>
    read(desk, uri, String(ref), async (ports, { id }) => textOf(await goalStatus(ports, id))),
  );
}

const textOf = (value: object) => JSON.stringify(value, null, 2);

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
