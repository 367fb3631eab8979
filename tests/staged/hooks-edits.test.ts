import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildProgram, type Program } from '../terminal.ts';
import type { Crew } from './crew.ts';
import { type HooksOfCrew, hooksOf } from './hooked.ts';
import { crewAt, TASK } from './walk.ts';

let program: Program;
let crew: Crew;
let h: HooksOfCrew;
beforeAll(() => {
  program = buildProgram();
});
afterAll(() => program.remove());
afterEach(() => crew.close());

async function at(state: string, config = ''): Promise<void> {
  crew = await crewAt(state, { config });
  h = hooksOf(program, crew);
}

const main = (path: string) => join(crew.session.repo.top, path);
const write = (file_path: string, as = {}) => h.uses('Write', { file_path, content: 'x' }, as);
const shell = (command: string, as = {}) => h.uses('Bash', { command }, as);

describe('PreToolUse in IMPLEMENTATION', () => {
  test('PROTO-06, PROTO-250, PROTO-251, PROTO-252, PROTO-253: agents write implementation files, and whoever coordinates does not', async () => {
    await at('IMPLEMENTATION');
    const own = (agent: string) => join(crew.tasks, TASK, 'agents', agent, 'code');
    const edits = (file_path: string, as = {}) => h.uses('Edit', { file_path }, as);
    for (const path of ['src/new.js', 'src/main/java/A.java', 'src/test/java/ATest.java', 'work.txt'])
      for (const tree of [crew.code, own('architect')]) {
        expect(write(join(tree, path))).toContain('whoever coordinates writes no code');
        expect(edits(join(tree, path))).toContain(`countersign task invoke ${TASK}`);
        expect(shell(`echo x > '${join(tree, path)}'`)).toContain('writes no code');
        expect(shell(`cd '${tree}' && sed -i s/a/b/ ${path}`)).toContain('writes no code');
        expect(shell(`cd '${tree}' && echo x > "$PWD/${path}"`)).toContain('writes no code');
        expect(shell(`node -e "require('fs').writeFileSync('${path}', '')"`, { cwd: tree })).not.toBe('');
      }
    // The agent in its own worktree, as a sub-agent and in a session of its own; not in another's.
    const sub = (agent_type: string) => ({ fields: { agent_id: 'a1', agent_type } });
    const alone = { session: 's-7', actor: 'architect' };
    for (const path of ['src/main/java/A.java', 'src/test/java/ATest.java']) {
      expect(write(join(own('architect'), path), sub('architect'))).toBe('');
      expect(write(join(own('architect'), path), alone)).toBe('');
      expect(write(join(own('quality'), path), sub('architect'))).not.toBe('');
      expect(write(join(own('quality'), path), alone)).not.toBe('');
      expect(write(join(crew.code, path), sub('architect'))).not.toBe('');
    }
    // What is the coordinator's: agents, statuses, merges, conflicts, the todo entry.
    expect(h.uses('Task', { subagent_type: 'architect', prompt: 'build' })).toBe('');
    expect(shell(`cat '${join(crew.tasks, TASK, 'agents/architect/status.json')}'`)).toBe('');
    expect(shell(`cd '${crew.code}' && countersign task merge ${TASK} architect`)).toBe('');
    expect(shell(`cd '${crew.code}' && git merge task-${TASK}-agent-architect`)).toBe('');
    expect(edits(join(crew.code, 'todo.md'))).toBe('');
    crew.write(join(crew.code, 'clash.js'), '<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n');
    expect(edits(join(crew.code, 'clash.js'))).toBe('');
    // Another session has nothing to write there at all.
    expect(edits(join(crew.code, 'todo.md'), { session: 's-2' })).toContain('held by session s-1');
  });

  test('PROTO-253, PROTO-254, PROTO-255, PROTO-256: by the patterns of the preset, the build is not mended by whoever coordinates', async () => {
    await at(
      'IMPLEMENTATION',
      'staged: {preset: seed-002, tasks: "../{repo}.tasks", archive: "../{repo}.tasks/.archive"}\n',
    );
    for (const path of [
      'pom.xml',
      'core/pom.xml',
      'src/main/java/module-info.java',
      'src/main/java/a/B.java',
      'src/test/java/a/BTest.java',
    ])
      expect(h.uses('Edit', { file_path: join(crew.code, path) })).toContain('mends none. Invoke it instead');
    // What no pattern names is no implementation file.
    expect(h.uses('Edit', { file_path: join(crew.code, 'notes.txt') })).toBe('');
  });
});

describe('PreToolUse in the main worktree', () => {
  test('PROTO-65, PROTO-66, PROTO-67, PROTO-68, PROTO-69, PROTO-70, PROTO-77: whoever changes it holds it', async () => {
    await at('CLASSIFIED');
    const free = 'nobody holds it';
    for (const path of ['src/a.js', 'README.md', 'package.json', '.editorconfig', 'hotfix/urgent.js'])
      expect(write(main(path))).toContain(free);
    for (const line of [
      'git checkout -b hotfix-login',
      `git -C '${main('.')}' merge other`,
      `cd '${main('.')}' && git pull`,
      'git commit -am hotfix',
      'echo x > src/a.js',
      'rm README.md',
      'cp /tmp/a package.json',
    ])
      expect(shell(line), line).toContain('also for a hotfix');
    for (const line of ['git status', 'git log --oneline', 'git branch --list', 'cat README.md', 'npm test'])
      expect(shell(line), line).toBe('');
    // The lock of the task is for its own worktree, and for nothing else.
    expect(write(join(crew.code, 'src/a.js'))).toBe('');
    expect(shell(`git -C '${crew.code}' commit -am x`)).toBe('');
    expect(shell('git merge other', { cwd: crew.code })).toBe('');
    expect(write(join(crew.tasks, TASK, 'task.md'))).toBe('');
    // Held by another session it is not ours, and held by this one it is.
    const take = (id: string) => crew.say(crew.session.repo.top, 'lead', id, 'lease', 'take', 'main');
    expect(await take('s-2')).toMatchObject({ code: 0 });
    expect(write(main('src/a.js'))).toContain('session s-2 (lead) holds it');
    expect(await crew.say(crew.session.repo.top, 'lead', 's-2', 'lease', 'release', 'main')).toMatchObject({
      code: 0,
    });
    expect(await take('s-1')).toMatchObject({ code: 0 });
    for (const path of ['src/a.js', 'package.json']) expect(write(main(path))).toBe('');
    expect(shell('git merge other')).toBe('');
    expect(write(main('src/a.js'), { session: 's-2' })).toContain('session s-1 (lead) holds it');
  });
});
