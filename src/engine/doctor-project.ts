import { join } from 'node:path';
import type { Opened } from './composition.ts';
import { type Condition, fail, ok, warn } from './condition.ts';
import { CONFIG_PATH, readConfig } from './config.ts';
import { oddAllowances, strangeAllowances } from './config-tables.ts';
import { type CriteriaFile, criteriaFiles, firstCriteria } from './criteria-files.ts';
import { ownerRemarks } from './criteria-read.ts';
import type { Ports } from './ports.ts';
import { brokenProtocols, everyProtocol } from './project-protocols.ts';

/** The configuration that is in force: the committed one. */
export async function configuration({ ports, places }: Opened): Promise<Condition> {
  const name = 'configuration';
  const { commit, allowances } = await readConfig(ports);
  const broken = [...(await brokenProtocols(ports)).values()].map(({ message }) => message);
  if (broken.length > 0)
    return fail(name, `unusable protocols: ${broken.join('; ')}`, 'mend the file and commit it');
  if (commit !== '') {
    const at = `${CONFIG_PATH} at ${commit.slice(0, 12)}`;
    const strange = strangeAllowances(allowances, await everyProtocol(ports));
    if (strange.length > 0) return fail(name, `${at}: ${strange.join('; ')}`, 'mend the file and commit it');
    const odd = oddAllowances(allowances);
    if (odd.length > 0) return warn(name, `${at}: ${odd.join('; ')}`, 'mend the file, or leave it as it is');
    return ok(name, at);
  }
  const present = ports.files.readWorking(join(places.top, CONFIG_PATH)) !== undefined;
  const next = present
    ? `run: git add ${CONFIG_PATH} && git commit, on the default branch`
    : 'run: countersign init';
  return warn(name, `no ${CONFIG_PATH} is committed on the default branch: defaults are in force`, next);
}

/** The criteria that new claims will be judged by. */
export async function criteria({ ports }: Opened): Promise<Condition> {
  const name = 'criteria';
  const { commit, files } = await criteriaFiles(ports, '');
  if (files.length === 0) {
    return warn(
      name,
      'none are committed on the default branch: nothing can be verified',
      firstCriteria(ports),
    );
  }
  const broken = files.flatMap((file) => file.problems.map((problem) => `${file.path}: ${problem}`));
  if (broken.length > 0)
    return fail(name, broken.join('; '), 'mend and commit it; the format: countersign criteria format');
  const empty = files.filter((file) => file.checks.length === 0);
  if (empty.length > 0) {
    return warn(
      name,
      `${empty.map((f) => f.path).join(', ')} has no checks`,
      'fill in at least one and commit it',
    );
  }
  const strangers = await strangersIn(ports, files);
  if (strangers.length > 0)
    return warn(name, strangers.join('; '), 'register them: countersign actor add, or name another owner');
  const checks = files.map((f) => `${f.name} (${f.checks.map((c) => c.id).join(', ')})`);
  return ok(name, `${checks.join(', ')} at ${commit.slice(0, 12)}`);
}

async function strangersIn(ports: Ports, files: readonly CriteriaFile[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { path, checks } of files)
    found.push(...(await ownerRemarks(ports, checks)).map((remark) => `${path}: ${remark}`));
  return found;
}
