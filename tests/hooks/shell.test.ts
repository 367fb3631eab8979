import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { denied, hooksOfASession, nothing } from './hooks-of-a-session.ts';

const h = hooksOfASession();

describe('PreToolUse on the shell', () => {
  const bash = (command: string, more: object = {}) => h.uses('Bash', { command, description: 'x' }, more);

  test.each([
    'echo x > .git/countersign/store.db',
    'echo x >>.git/countersign/store.db',
    'rm -rf .git/countersign',
    "sqlite3 .git/countersign/store.db 'update items set state=1'",
    'cp /tmp/a .git/countersign/store.db',
    'true && cat a | tee .git/countersign/store.db',
    'cd .git && mv countersign /tmp/gone',
    "sed -i s/a/b/ '.git/countersign/store.db'",
    'dd if=/dev/zero of=.git/countersign/store.db',
    `python3 -c "open('.git/countersign/store.db','w')"`,
    'echo $(rm .git/countersign/store.db)',
    'COUNTERSIGN_ACTOR=builder rm -rf .git/countersign',
    `COUNTERSIGN_ACTOR=builder sqlite3 .git/countersign/store.db "delete from events"`,
    'echo $COUNTERSIGN_ACTOR > .git/countersign/store.db',
    'countersign next > .git/countersign/store.db',
    'npx countersign next >> .git/countersign/store.db',
    'timeout 5 countersign --version 2> .git/countersign/store.db',
    'countersign next >& .git/countersign/store.db',
    'echo x >&.git/countersign/store.db',
    'rm -rf $PWD/.git/countersign',
    'echo x > $PWD/.git/countersign/store.db',
    'countersign export --output .git/countersign/store.db',
    'countersign export --output=.git/countersign/store.db',
  ])('the store is not written by: %s', (command) => {
    expect(denied(bash(command))).toContain('written by Countersign alone');
  });

  test.each([
    'ls -la .git/countersign',
    'npm test > out.txt 2>&1',
    'git status && git diff',
    'git push origin refs/countersign/checkpoints:refs/countersign/checkpoints',
    'git push origin refs/countersign/checkpoints',
    'echo "a > b"',
    'cat <<EOF > notes.md\nhi\nEOF',
  ])('nobody is kept from: %s', async (command) => {
    await h.bound('in_progress');
    expect(bash(command)).toMatchObject(nothing);
  });

  test('the criteria and the hooks are not written by the shell while an item is worked on', async () => {
    const line = 'sed -i s/90/10/ .countersign/criteria/default.yaml';
    expect(bash(line)).toMatchObject(nothing);
    await h.bound('in_progress');
    expect(denied(bash(line))).toContain('criteria');
    expect(denied(bash("jq 'del(.hooks)' .claude/settings.json > .claude/settings.json"))).toContain('Hooks');
    expect(bash('cat .countersign/criteria/default.yaml')).toMatchObject(nothing);
    for (const own of [
      'env COUNTERSIGN_ACTOR=builder sed -i s/a/b/ .countersign/criteria/default.yaml',
      'countersign criteria init --print > .countersign/criteria/default.yaml',
      'countersign export --output .countersign/criteria/default.yaml',
      'countersign criteria init --force --tier light',
    ])
      expect(denied(bash(own)), own).toContain('criteria');
    expect(denied(bash('countersign next > .claude/settings.local.json'))).toContain('Hooks');
    expect(bash('countersign export --output out.jsonl > log.txt')).toMatchObject(nothing);
  });

  test.each([
    'rm -rf .git',
    'rm -rf "$REPO/.git"',
    'mv .git /tmp/x',
    'pushd .git; rm -rf countersign',
    'git update-ref -d refs/countersign/checkpoints',
    'git fetch . +HEAD:refs/countersign/checkpoints',
    'git pull . HEAD:refs/countersign/checkpoints',
    'git push . HEAD:refs/countersign/checkpoints',
    'git push -f origin :refs/countersign/checkpoints',
    'git push --delete origin refs/countersign/checkpoints',
    'git push origin +refs/countersign/checkpoints',
    'bash -c "rm -rf .git/countersign"',
    'sort -o .git/countersign/store.db a',
    'sqlite3 .git/countersign/store.db <<EOF\ndelete from items;\nEOF',
  ])('nor does it go with what it lies in, or by a tool that mostly reads: %s', (command) => {
    const line = command.replace('$REPO', h.s.repo.top);
    expect(denied(bash(line))).toContain('written by Countersign alone');
  });

  test.each([
    'rm -rf .claude',
    'mv .claude /tmp/x',
    'rm -rf .claude/agents',
    'cp /tmp/settings.local.json .claude/',
    'mv a .countersign',
    'git rm -r .countersign',
    "yq -i '.x=1' .countersign/criteria/default.yaml",
    'sort -o .countersign/criteria/default.yaml a',
    'uniq a .countersign/config.yaml',
    'git diff --output=.countersign/criteria/default.yaml',
    'countersign uninstall --yes',
    'npx countersign init --with claude-code --yes',
  ])('rules and hooks stay while an item is worked on: %s', async (command) => {
    expect(bash(command)).toMatchObject(nothing);
    await h.bound('in_progress');
    expect(denied(bash(command))).toMatch(/criteria|Hooks/);
  });

  test.each([
    "gh pr create --body 'the store is in .git/countersign now'",
    'cat > d.md <<EOF\nIt lies in .git/countersign/store.db.\nEOF',
    "cat <<'EOF' | tee d.md\nSee .countersign/config.yaml\nEOF\necho ok",
    'git commit -m "Move .git/countersign"',
    'npm test # not .git/countersign/store.db',
    'rm -rf node_modules && cp -r src/. build/',
    'mv src/a.js .',
    'cp a.txt .',
    'countersign init --dry-run',
  ])('text is no write, and nobody is kept from: %s', async (command) => {
    await h.bound('in_progress');
    expect(bash(command)).toMatchObject(nothing);
  });

  test('tokens of others are not read by the shell', () => {
    const env = { XDG_STATE_HOME: join(h.s.repo.root, 'state') };
    const asked = (command: string) =>
      h.fire({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } }, { env });
    for (const line of [
      'cat $XDG_STATE_HOME/countersign/*/tokens/verifier',
      `base64 < /dev/null "$\{XDG_STATE_HOME}/countersign/x/tokens/a"`,
    ])
      expect(denied(asked(line))).toContain('Tokens');
    expect(asked('ls $XDG_STATE_HOME/countersign')).toMatchObject(nothing);
  });

  test('a long line is looked at in bounded work', async () => {
    const long = `x ${'a/'.repeat(30_000)} ${'b '.repeat(20_000)}`;
    expect(denied(bash(`${long}; rm -rf .git/countersign`))).toContain('written by Countersign alone');
    const many = `tool ${Array.from({ length: 9000 }, (_, i) => `word-${i}`).join(' ')}`;
    expect(bash(many)).toMatchObject(nothing);
    await h.bound('in_progress');
    expect(denied(bash(many))).toContain('so long a line');
    expect(bash(`cat > big.txt <<EOF\n${'word-1 a/b/c .git/countersign\n'.repeat(4000)}EOF`)).toMatchObject(
      nothing,
    );
  });

  test.each([
    'timeout 60 countersign --actor verification-agent verify T-1',
    'if countersign --actor verification-agent verify T-1; then echo; fi',
    'bash -c "countersign --actor verification-agent verify T-1"',
    'env -i PATH=/bin countersign verify T-1',
    'env -iv PATH=/bin countersign verify T-1',
    'env --ignore-env PATH=/bin countersign verify T-1',
    'exec -c countersign verify T-1',
    '(exec -cl countersign verify T-1)',
    'env -u COUNTERSIGN_ACTOR countersign verify T-1',
  ])('and under whatever starts it, no session acts as another: %s', (command) => {
    expect(denied(bash(command))).toContain('This session works as');
  });

  test.each([
    'timeout 5 countersign-hook claude-code',
    'node dist/bin/countersign-hook-rest-ABC.cjs',
    'sh -c countersign-hook',
  ])('nor calls hooks: %s', (command) => expect(denied(bash(command))).toContain('coding agent'));

  test('a session acts as its own actor, and does not call hooks', () => {
    expect(denied(bash('countersign --actor verification-agent verify T-1'))).toContain(
      'works as swiftui-developer',
    );
    expect(denied(bash('COUNTERSIGN_ACTOR=verification-agent countersign verify T-1'))).toContain('not as');
    expect(denied(bash('COUNTERSIGN_ACTOR= npx countersign complete T-1'))).toContain('a person');
    expect(denied(bash('export COUNTERSIGN_ACTOR=verification-agent; ./x.sh'))).toContain('not as');
    expect(denied(bash('unset COUNTERSIGN_ACTOR && countersign complete T-1'))).toContain('a person');
    expect(denied(bash('time npx countersign --actor verification-agent verify T-1'))).toContain('not as');
    expect(denied(bash('echo {} | countersign-hook claude-code'))).toContain('coding agent');
    expect(bash('countersign --actor swiftui-developer next')).toMatchObject(nothing);
  });
});
