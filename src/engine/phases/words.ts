/** Steps of a task in phases as they are typed, by protocol and command; `ITEM` is what they are taken on. */
const WORDS: { readonly [step: string]: string } = {
  'phase deploy': 'phase deploy ITEM --prompt "WHAT IT IS TO DO"',
  'phase submit': 'phase submit ITEM',
  'phase advance': 'phase advance ITEM',
  'phase trigger': 'phase trigger ITEM',
  'phase escalate': 'phase escalate ITEM --reason "WHY"',
  'phase fixes-applied': 'phase fixes-applied ITEM --fixed "FINDING: HOW"',
  'phase force-approve': 'phase approve ITEM --force --reason "WHY"',
  'phased-task cancel': 'phase cancel ITEM --reason "WHY"',
  'phase abort': 'phase abort ITEM --reason "WHY"',
  'review abort': 'phase abort ITEM --reason "WHY"',
  'reviewer approve': 'phase verdict ITEM approve --summary "WHAT YOU SAW"',
  'reviewer changes': 'phase verdict ITEM request_changes --findings FILE',
  'reviewer reject': 'phase verdict ITEM reject --findings FILE',
  'agent-run report': 'agent progress working --agent ITEM --message "HOW IT GOES"',
  'agent-run complete': 'agent progress completed --agent ITEM --message "WHAT WAS DONE"',
  'agent-run fail': 'agent progress failed --agent ITEM --message "WHY"',
  'agent-run give-up': 'agent give-up ITEM --reason "WHY"',
  'reviewer give-up': 'agent give-up ITEM --reason "WHY"',
  'agent-run kill': 'agent kill ITEM --reason "WHY"',
};

/** The words of a step, undefined where it has none of its own. */
export function phaseWords(protocol: string, command: string, item: string): string | undefined {
  const key = `${protocol} ${command}`;
  return Object.hasOwn(WORDS, key) ? `countersign ${WORDS[key]?.replace('ITEM', item)}` : undefined;
}
