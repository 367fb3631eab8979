import { dropToken } from '../../src/engine/actors.ts';
import { attend } from '../../src/engine/phases/attend.ts';
import { tick } from '../../src/engine/tick.ts';
import { CAST, PERSON } from './cast.ts';
import { Reading, type Told } from './chronicle.ts';
import { type Dice, diceOf } from './dice.ts';
import { type Broken, broken, brokenAtTheEnd } from './invariants/index.ts';
import { choose } from './play/choose.ts';
import type { Request } from './play/request.ts';
import { begin, type Process, type StoreFault } from './process.ts';
import { diceFor, HONEST, type Meddling, type Schedule, type Step, type What } from './schedule.ts';
import { startOf } from './starts.ts';
import { giveToken, openTown, type Town } from './town.ts';

export interface Result {
  readonly schedule: Schedule;
  /** The first thing that was wrong, with the step after which it was. */
  readonly broken: (Broken & { readonly step: number }) | undefined;
  readonly events: number;
  readonly answers: { readonly done: number; readonly refused: number; readonly failed: number };
  /** States that items came to, as `two-phase verified`. */
  readonly reached: readonly string[];
  /** What happened, for people. */
  readonly story: readonly string[];
}

interface Working {
  readonly process: Process;
  readonly request: Request;
  readonly position: number;
  disturbed: boolean;
}

/** One run as it goes on. */
class Run {
  readonly town: Town;
  readonly reading: Reading;
  readonly schedule: Schedule;
  readonly working: Working[] = [];
  readonly story: string[] = [];
  readonly answers = { done: 0, refused: 0, failed: 0 };
  #begun = 0;

  constructor(town: Town, schedule: Schedule) {
    this.town = town;
    this.reading = new Reading(town);
    this.schedule = schedule;
  }

  /** Begins to work on a request in a process of its own. */
  async ask(request: Request, dice: Dice): Promise<void> {
    const name = `process-${++this.#begun}`;
    const skew = dice.chance(0.3) ? (dice.below(240) - 120) * 1_000 : 0;
    const at = { skew, ...(request.here === '' ? {} : { here: request.here }) };
    const own = this.town.portsOf(name, at);
    const witness = {
      committed: (one: Reading['acknowledged'][number]) => void this.reading.acknowledged.push(one),
      granted: (one: Reading['granted'][number]) => void this.reading.granted.push(one),
    };
    this.town.pass(1_000);
    const process = await begin(name, own, witness, async (ports) =>
      request.run(this.town.open(ports), await this.town.caller(ports, request.who)),
    );
    this.working.push({ process, request, position: this.reading.log.length, disturbed: false });
    this.story.push(`${name}: ${request.who} asks: ${request.what}`);
  }

  /** One of those who are at work, undefined where nobody is. */
  one(dice: Dice): Working | undefined {
    return this.working.length === 0 ? undefined : dice.pick(this.working);
  }

  /** What has come to its end is put on record. */
  collect(): void {
    for (const one of [...this.working]) {
      const { outcome } = one.process;
      if (outcome === undefined) continue;
      this.working.splice(this.working.indexOf(one), 1);
      this.town.dead.add(one.process.name);
      const disturbed = one.disturbed || one.process.isDead;
      const { who, what } = one.request;
      this.reading.answered.push({ who, what, outcome, disturbed, position: one.position });
      this.#count(one, outcome);
    }
  }

  #count({ process, request }: Working, outcome: NonNullable<Process['outcome']>): void {
    const value =
      'value' in outcome
        ? (outcome.value as
            | { kind?: string; because?: string; outcome?: { kind?: string; because?: string } }
            | undefined)
        : undefined;
    const told = value?.outcome ?? value;
    const how = 'error' in outcome ? 'failed' : told?.kind === 'refused' ? 'refused' : 'done';
    this.answers[how] += 1;
    const why = 'error' in outcome ? String(outcome.error) : (told?.because ?? '');
    this.story.push(`${process.name}: ${how} ${request.what} ${why}`.trimEnd());
  }
}

type Happening = (run: Run, dice: Dice) => Promise<unknown> | unknown;

const FAULTS: readonly StoreFault[] = ['lost answer', 'not written', 'busy', 'conflict'];

const HAPPENINGS: { readonly [what in What]: Happening } = {
  async ask(run, dice) {
    const { town, reading, schedule } = run;
    const request = await choose(town, reading, schedule, dice);
    if (request === undefined) return;
    await run.ask(request, dice);
    // Many are not disturbed by anybody.
    if (dice.chance(0.4)) await run.working.at(-1)?.process.advance(Number.MAX_SAFE_INTEGER);
  },
  advance: (run, dice) => run.one(dice)?.process.advance(dice.below(14) + 1),
  finish: (run, dice) => run.one(dice)?.process.advance(Number.MAX_SAFE_INTEGER),
  async twice(run, dice) {
    const one = run.one(dice);
    if (one !== undefined) await run.ask(one.request, dice);
  },
  clock({ town, story }, dice) {
    const minutes = dice.pick([1, 5, 11, 30, 61, 90, 300, -1, -20, -120]);
    town.pass(minutes * 60_000);
    story.push(`the clock moves by ${minutes} minutes`);
  },
  async kill(run, dice) {
    const one = run.one(dice);
    if (one === undefined) return;
    run.story.push(`${one.process.name} is killed`);
    await one.process.kill();
  },
  'die soon': (run, dice) => run.one(dice)?.process.dieAt(dice.below(12) + 1, dice.pick(['before', 'after'])),
  'store fault'(run, dice) {
    const one = run.one(dice);
    if (one === undefined) return;
    const fault = dice.pick(FAULTS);
    const count = fault === 'conflict' ? dice.pick([1, 2, 14]) : 1;
    one.process.faults.push(...Array.from({ length: count }, () => fault));
    one.disturbed = true;
    run.story.push(`${one.process.name} meets ${count} x ${fault}`);
  },
  'agent struck'({ town, story }, dice) {
    const running = town.agents.running();
    if (running.length === 0) return;
    const name = dice.pick(running);
    town.agents.strike(name, dice.pick(['exited', 'lost']));
    story.push(`the process of ${name} goes`);
  },
  'no start': ({ town }, dice) => town.agents.refuse(dice.below(3) + 1),
  'broken run': ({ town }, dice) => town.breakRuns(dice.below(2) + 1),
  async token({ town, story }, dice) {
    const name = dice.pick(Object.keys(CAST));
    const authority = { ...(await town.caller(town.ports, PERSON)), token: undefined };
    const { id = '' } = town.tokens.get(name) ?? {};
    const dropped = await dropToken(town.ports, authority, id);
    story.push(`the token of ${name} is revoked: ${dropped.ok}`);
    // Whoever acts for it later has the new one; who is at work has the old one.
    await giveToken(town, name);
  },
  tick: (run, dice) =>
    run.ask(
      {
        who: PERSON,
        what: 'tick',
        here: '',
        run: async (opened) => [await tick(opened.ports), await attend(opened)],
      },
      dice,
    ),
};

/** Plays a schedule, and looks at everything after each step; it ends with the first thing that is wrong. */
export async function play(schedule: Schedule, meddling: Meddling = HONEST): Promise<Result> {
  const run = new Run(
    await openTown(diceOf(schedule.seed + 1), meddling.wrap, await startOf(schedule)),
    schedule,
  );
  const putBack = meddling.table();
  try {
    const found = await playAll(run);
    const { story, answers, reading } = run;
    const reached = [...reading.items.values()].flatMap(reachedBy);
    return { schedule, broken: found, events: reading.log.length, story, answers, reached };
  } finally {
    putBack();
    await run.town.close();
  }
}

const reachedBy = ({ protocol, events }: Told): readonly string[] =>
  events.flatMap((event) => (event.type === 'moved' ? [`${protocol.name} ${event.to}`] : []));

async function playAll(run: Run): Promise<Result['broken']> {
  const { reading, schedule } = run;
  await reading.readOn();
  for (const [n, step] of schedule.steps.entries()) {
    const found = await playOne(run, step);
    if (found !== undefined) return { ...found, step: n };
  }
  for (const one of [...run.working]) await one.process.advance(Number.MAX_SAFE_INTEGER);
  const last = { step: schedule.steps.length };
  const found = (await look(run)) ?? (await brokenAtTheEnd(reading));
  return found === undefined ? undefined : { ...found, ...last };
}

async function playOne(run: Run, step: Step): Promise<Broken | undefined> {
  const what = `${step.what}`;
  await HAPPENINGS[step.what](run, diceFor(step));
  const found = await look(run);
  if (found !== undefined) run.story.push(`after ${what}: ${found.invariant}: ${found.because}`);
  return found;
}

async function look(run: Run): Promise<Broken | undefined> {
  run.collect();
  await run.reading.readOn();
  const found = await broken(run.reading);
  run.reading.forget();
  return found;
}
