// The ways in which the builder tries to get the item done without doing it. `play` is told in scripts/demo.mjs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appendToLog, editLog, editRow, forgePack, keepStore } from './forge.mjs';
import { lay } from './stage.mjs';

const ITEM = 'T-1';

/** Before anything was claimed, and after a claim whose repair lies in the working tree only. */
export async function hollowClaims({ stage, refused, told }) {
  stage.branch('shortcut');
  refused('Complete the item without any work', 'builder', ['complete', ITEM]);
  refused('Claim it with nothing changed', 'builder', ['claim', ITEM]);

  stage.write('readme.markdown', `${read(stage, 'readme.markdown')}\nSecurity: repaired.\n`);
  stage.commit('Repair prototype pollution');
  lay(stage, 'index.js', 'test');
  refused('Commit a remark as the "repair", claim it, and complete it', 'builder', ['complete', ITEM], () =>
    told('', 'builder', ['claim', ITEM]),
  );
  refused('Verify your own claim', 'builder', ['verify', ITEM]);
  refused('Drop the name: ask for the verification as the person of this machine', '', ['verify', ITEM]);
  refused('Register a child as verifier of your own', 'builder', [
    ...['actor', 'add', 'builders-friend', '--role', 'verification-agent', '--parent', 'builder'],
  ]);
  refused('Have it verified: the repair is there, in the working tree only', 'checker', ['verify', ITEM]);
  refused('Complete what is blocked', 'lead', ['complete', ITEM]);
  refused('Reset the block yourself', 'builder', ['retry', ITEM]);
}

/** Commits that change the judge instead of the work. Each is claimed, and then verified by an honest agent. */
export async function bentRules({ stage, refused, told, again }) {
  const attempt = (title, name, edit, from) => {
    again();
    stage.branch(name, from);
    edit();
    stage.commit('Repair prototype pollution');
    refused(title, 'checker', ['verify', ITEM], () => told('', 'builder', ['claim', ITEM], 1));
  };
  attempt('Delete the tests, and let "npm test" be "true"', 'no-tests', () => {
    stage.git('rm', '--quiet', '-r', 'test');
    stage.write('package.json', `${JSON.stringify({ name: 'minimist', scripts: { test: 'true' } })}\n`);
  });
  attempt('Weaken the criteria in your own commit', 'soft-criteria', () => softCriteria(stage));
  stage.branch('main');
  softCriteria(stage);
  stage.commit('Simplify criteria');
  attempt(
    'Weaken the criteria on the main branch first, then branch from it',
    'soft-main',
    () => stage.write('readme.markdown', 'repaired\n'),
    'main',
  );
  stage.branch('main');
  stage.git('reset', '--quiet', '--hard', 'start');
  attempt('Bring the real tests, and a test program that says ok to everything', 'tame-tests', () => {
    lay(stage, 'test');
    const all = Array.from({ length: 148 }, (_, i) => `ok ${i + 1} fine`).join('\\n');
    stage.write('tape.cjs', `console.log('TAP version 13\\n${all}\\n1..148');\n`);
  });
}

function softCriteria(stage) {
  const check = '- {id: readme, kind: file, path: readme.markdown}';
  stage.write(
    '.countersign/criteria/default.yaml',
    `schema: countersign/criteria/1\nname: default\nchecks:\n  ${check}\n`,
  );
}

/** Writes past the command line, and a proof that nobody gave: what cannot be prevented here must be found. */
export async function forgeries({ stage, refused, found, expectClean, pack }) {
  const restore = keepStore(stage);
  const undo = () => {
    restore();
    expectClean();
  };
  await editRow(stage);
  refused('Write "completed" over the row in the database', 'lead', ['show', ITEM]);
  found('… and hope that nobody audits', ['audit', 'verify']);
  undo();

  await editLog(stage);
  refused('Rewrite the log: the verdict BLOCKED becomes PASSED', 'lead', ['complete', ITEM]);
  found('… and hope that nobody audits', ['audit', 'verify']);
  undo();

  await appendToLog(stage);
  found('Add a well-chained event to the log that completes the item', ['audit', 'verify']);
  undo();

  const forged = forgePack(pack, join(stage.root, 'forged.intoto.jsonl'), { ownKey: false });
  found('Forge a proof pack: edit its verdict', ['proof', 'verify', forged]);
  const resigned = forgePack(pack, join(stage.root, 'resigned.intoto.jsonl'), { ownKey: true });
  found('… and sign it with a key of your own', ['proof', 'verify', resigned]);
}

const read = ({ repo }, path) => readFileSync(join(repo, path), 'utf8');

export const save = ({ root }, name, text) => {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
};
