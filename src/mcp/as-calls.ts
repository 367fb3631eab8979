import type { Offers } from './offers.ts';

const ITEM = '([A-Za-z0-9][\\w.-]*)';

/** A command that stands in an advice, and the calls that do the same, the first that is offered counting. */
type Pair = readonly [command: RegExp, ...calls: readonly string[]];

const PAIRS: readonly Pair[] = [
  [
    new RegExp(`countersign add "TITLE" --goal ${ITEM} --depends-on ${ITEM}`, 'g'),
    'create_task {"title":"TITLE","goal_id":"$1","depends_on":["$2"]}',
  ],
  [new RegExp(`countersign add "TITLE" --goal ${ITEM}`, 'g'), 'create_task {"title":"TITLE","goal_id":"$1"}'],
  [
    new RegExp(`countersign goal verify ${ITEM}`, 'g'),
    'verify_goal {"goal_id":"$1","notes":"WHAT YOU TRIED"}',
  ],
  [
    new RegExp(`countersign goal status ${ITEM}`, 'g'),
    'goal_status {"goal_id":"$1"}',
    'item_show {"item":"$1"}',
  ],
  [new RegExp(`countersign show ${ITEM}`, 'g'), 'item_show {"item":"$1"}'],
  [new RegExp(`countersign log ${ITEM}`, 'g'), 'item_show {"item":"$1","history":true}'],
  [
    new RegExp(`countersign verify ${ITEM}`, 'g'),
    'item_verify {"item":"$1"}',
    'verify_task {"task_id":"$1"}',
  ],
  [
    new RegExp(`countersign (review|sign-off) ${ITEM}(?: --approve)?`, 'g'),
    'item_judge {"item":"$2","kind":"$1","approve":true}',
  ],
  [
    new RegExp(`countersign report ${ITEM} --reject --finding "…"`, 'g'),
    'item_judge {"item":"$1","kind":"quality","approve":false,"findings":["…"]}',
  ],
  [new RegExp(`countersign follow-up ${ITEM} "TITLE"`, 'g'), 'item_follow_up {"item":"$1","title":"TITLE"}'],
  [new RegExp(`countersign list --state ${ITEM}`, 'g'), 'item_list {"states":["$1"]}'],
  [/countersign list\b(?! --)/g, 'item_list {}'],
  [/countersign next\b/g, 'next {}'],
];

const OPTIONS: readonly (readonly [RegExp, string])[] = [
  [/with --evidence PATH/g, 'under evidence'],
  [/--no-change and --evidence PATH/g, 'no_change and evidence'],
  [/--no-change\b/g, 'no_change'],
  [/say it with --reason\b/g, 'say it under reason'],
];

/** In every profile, whoever calls. */
const ALWAYS: Offers['own'] = new Set(['next', 'item_list', 'item_show']);

/**
 * An advice as an agent that calls tools can take it: commands become the calls that do the same, options the fields of a
 * call. What only a person at a terminal does stays as it is typed.
 */
export function asCalls(text: string, offered: Pick<Offers, 'any'> = { any: ALWAYS }): string {
  if (!text.includes('countersign ') && !text.includes('--')) return text;
  const called = PAIRS.reduce((said, [command, ...calls]) => {
    const call = calls.find((one) => offered.any.has(one.slice(0, one.indexOf(' '))));
    return call === undefined ? said : said.replace(command, call);
  }, text);
  return OPTIONS.reduce((said, [option, field]) => said.replace(option, field), called);
}
