import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsFolder } from './beside.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Writes an end of a run by hand, as a process of the same user can. */
function forge(run: string, reason: string) {
  const now = new Date().toISOString();
  const end = { reason, exitCode: 0, signal: '', startedAt: now, endedAt: now, sealKey: 'a guess' };
  const path = join(runsFolder(stage), run, 'end.json');
  rmSync(path, { force: true });
  writeFileSync(path, `${JSON.stringify(end)}\n`);
}

const audit = async () => {
  const { data } = await stage.s.say('', 'audit', 'verify');
  return data as unknown as {
    readonly status: string;
    readonly findings: readonly { readonly where: string; readonly what: string }[];
    readonly remarks: readonly string[];
  };
};

/** A reviewer of a phase that somebody else ends by hand, when its end has been taken down. */
async function ended(reason: string): Promise<void> {
  const phase = await stage.bring('UNDER_REVIEW');
  const { agent_id: run = '' } = (await stage.review(phase)).reviewers[0] ?? {};
  forge(run, reason);
  await expect.poll(async () => (await stage.review(phase)).reviewers[0]?.agent_id).toBe(`${run}.2`);
}

describe('the end of a reviewer', () => {
  it('PHASE-102: that dies, or is killed by the engine, is as its watcher recorded it', async () => {
    const phase = await stage.bring('UNDER_REVIEW');
    await stage.allDie(phase);
    const { findings, remarks } = await audit();
    const told = [...findings.map(({ what }) => what), ...remarks].join('\n');
    expect(told).not.toContain('watcher of the process');
  });

  it('PHASE-102: that says killed without the key of its watcher is remarked on', async () => {
    await ended('killed');
    const { findings, remarks } = await audit();
    expect(findings.map(({ what }) => what).join('\n')).not.toContain('watcher of the process');
    expect(remarks).toContainEqual(
      expect.stringContaining('die: the end of its process (killed) was not recorded by the watcher'),
    );
  });

  it('PHASE-102: that is written by hand as its own is found by the audit', async () => {
    await ended('exited');
    const { status, findings } = await audit();
    expect(status).toBe('broken');
    expect(findings).toContainEqual(
      expect.objectContaining({
        what: 'die: the end of its process (exited) was not recorded by the watcher of the process: somebody else wrote it',
      }),
    );
  });
});
