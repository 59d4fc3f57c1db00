/**
 * Plants faults in a copy of the Lua scripts, one at a time, and shows that the property or the contract suite notices each:
 * `npm run mutate`. Ends with an error when one goes unnoticed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

interface Fault {
  readonly what: string;
  /** The suite that should notice: `property`, or where that cannot `contract`. */
  readonly suite?: 'contract';
  /** Under src/redis/scripts. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const faults: readonly Fault[] = [
  {
    what: 'an equal score counts as better',
    file: 'include/order.lua',
    from: "'(' .. score, '+inf'",
    to: "score, '+inf'",
  },
  {
    what: 'a sum may not reach the highest score',
    file: 'include/policy.lua',
    from: 'new > board.highest',
    to: 'new >= board.highest',
  },
  {
    what: 'out of range in one period, written in the others',
    file: 'include/policy.lua',
    from: "refused = 'SCORE_OUT_OF_RANGE', fatal = true",
    to: "refused = 'SCORE_OUT_OF_RANGE'",
  },
  {
    what: 'an equal best score is an applied change',
    file: 'include/policy.lua',
    from: 'return not earlier',
    to: "return not earlier and policy ~= 'BEST'",
  },
  {
    what: 'an earlier equal score does not move the entry',
    file: 'include/policy.lua',
    from: 'tonumber(submission.at) < reachedAt(prefix)',
    to: 'false',
  },
  {
    what: 'the place of a member that is gone is one off',
    file: 'include/seek.lua',
    from: 'return low, low\n',
    to: 'return low, low + 1\n',
  },
  {
    what: 'bytes are compared in one direction on every board',
    file: 'include/seek.lua',
    from: 'if board.descending then follows = bytesBefore(there, member) else',
    to: 'if board.descending then follows = bytesBefore(member, there) else',
  },
  {
    what: 'a tie that reaches into a page from before begins on the page',
    file: 'include/run.lua',
    from: "entries[first - 1] == best and betterThan(period.ranking, best) or ''",
    to: "''",
  },
  {
    what: 'a tie that reaches out of a page ends with it',
    file: 'include/run.lua',
    from: "entries[last + 2] == worst and atLeast(period.ranking, worst) or ''",
    to: "''",
  },
  {
    what: 'the version is not bumped',
    file: 'include/write.lua',
    from: 'period.version, period.isChanged = period.version + 1, true',
    to: 'period.version, period.isChanged = math.max(period.version, 1), true',
  },
  {
    what: 'a removal does not bump the version',
    file: 'remove.lua',
    from: "call('HINCRBY', period.meta, 'version', 1)",
    to: "call('HINCRBY', period.meta, 'version', 0)",
  },
  {
    what: 'a retry with other arguments is one',
    file: 'submit.lua',
    from: 'first.fingerprint ~= submission.fingerprint',
    to: 'false',
  },
  {
    what: 'a retry is applied again',
    file: 'submit.lua',
    from: 'if first and first.incarnation == board.incarnation then',
    to: 'if first and first.incarnation ~= board.incarnation then',
  },
  {
    what: 'a period that ended takes scores',
    file: 'include/policy.lua',
    from: 'step.now >= period.closesAt',
    to: 'step.now > period.closesAt + 86400000',
  },
  {
    what: 'a score stays in the dense index after its last holder',
    file: 'include/distinct.lua',
    from: 'equalTo(period.ranking, score) > 0',
    to: 'equalTo(period.ranking, score) >= 0',
  },
  {
    what: 'a capped board keeps one too many',
    file: 'include/write.lua',
    from: 'slice(period.ranking, board.maxEntries, board.maxEntries)',
    to: 'slice(period.ranking, board.maxEntries + 1, board.maxEntries + 1)',
  },
  {
    what: 'ties by time are the wrong way round on half of the boards',
    file: 'include/tie.lua',
    from: "board.descending ~= (board.tieBreak == 'LATEST')",
    to: 'board.descending',
  },
  {
    what: 'a sum is reached by the event that came last, not by the latest one',
    file: 'include/policy.lua',
    from: 'math.max(planned.reached, reachedAt(prefix))',
    to: 'planned.reached',
  },
  {
    what: 'metadata of a score that did not count is shown',
    file: 'include/write.lua',
    from: 'if planned.replaces and submission.metadata then',
    to: 'if submission.metadata then',
  },
  {
    what: 'a full window at the end of the board is one off',
    file: 'include/window.lua',
    from: 'start > total - size then start = total - size end',
    to: 'start > total - size then start = total - size + 1 end',
  },
  {
    what: 'bytes are compared as the locale has it',
    suite: 'contract',
    file: 'include/seek.lua',
    from: 'local function bytesBefore(a, b)\n',
    to: 'local function bytesBefore(a, b)\n  if a ~= b then return a < b end\n',
  },
  {
    what: 'what changed is not published',
    suite: 'contract',
    file: 'include/announce.lua',
    from: 'call(board.publish, board.channel, text)',
    to: '',
  },
  {
    what: 'idempotency keys live for ever',
    suite: 'contract',
    file: 'submit.lua',
    from: "cjson.encode(record), 'PX', board.idempotencyTtlMs)",
    to: 'cjson.encode(record))',
  },
  {
    what: 'a refused write leaves its idempotency key',
    suite: 'contract',
    file: 'submit.lua',
    from: 'if result and lasting then',
    to: 'if result then',
  },
  {
    what: 'a board made anew knows the idempotency keys of the one before',
    suite: 'contract',
    file: 'submit.lua',
    from: 'if first and first.incarnation == board.incarnation then',
    to: 'if first then',
  },
  {
    what: 'a definition that has changed is not noticed',
    suite: 'contract',
    file: 'include/board.lua',
    from: "call('HGET', definition, 'fence') == rules.fence",
    to: "call('EXISTS', definition) == 1",
  },
  {
    what: 'another Redis process is not noticed',
    suite: 'contract',
    file: 'include/board.lua',
    from: "call('HGET', definition, 'fence') == rules.fence",
    to: "(call('HGET', definition, 'fence') or ''):match('^(.*)/') == rules.fence:match('^(.*)/')",
  },
  {
    what: 'another life of a board is not noticed',
    suite: 'contract',
    file: 'include/board.lua',
    from: "call('HGET', definition, 'fence') == rules.fence",
    to: "(call('HGET', definition, 'fence') or ''):match('/(.*)$') == rules.fence:match('/(.*)$')",
  },
  {
    what: 'everyone who finds a board of another Redis process gives it an epoch',
    suite: 'contract',
    file: 'renew.lua',
    from: "redis.call('HGET', definition, 'fence') == known",
    to: 'known',
  },
  {
    what: 'a block is applied again',
    suite: 'contract',
    file: 'submit.lua',
    from: "if applied then return { 'BLOCK', applied } end",
    to: '',
  },
  {
    what: 'a period that was closed takes scores',
    suite: 'contract',
    file: 'include/policy.lua',
    from: "state == 'CLOSED' or ",
    to: '',
  },
  {
    what: 'metadata is told to all who listen',
    suite: 'contract',
    file: 'submit.lua',
    from: 'applied[#applied + 1] = done end',
    to: 'applied[#applied + 1] = withMetadata(period, submission, done) end',
  },
  {
    what: 'prefixes of who is gone stay',
    suite: 'contract',
    file: 'remove.lua',
    from: "call('HDEL', period.tie, member)",
    to: '',
  },
];

function runSuite(folder: string, suite = 'property') {
  const environment = { ...process.env, LAUREL_SCRIPTS: folder, LAUREL_SHRINK: 'no', NO_COLOR: '1' };
  const args = ['vitest', 'run', '--project', suite, '--bail', '1'];
  const { status, stdout, stderr } = spawnSync('npx', args, { cwd: root, env: environment, encoding: 'utf8' });
  return { passed: status === 0, output: `${stdout}${stderr}` };
}

function withCopy<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-mutate-'));
  try {
    cpSync(join(root, 'src', 'redis', 'scripts'), folder, { recursive: true });
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What became of a fault: a script that cannot run is none that was noticed. */
function plant({ file, from, to, suite }: Fault): 'noticed' | 'UNNOTICED' | 'CRASHED' | 'OUTDATED' {
  return withCopy((folder) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(from).length !== 2) return 'OUTDATED';
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
    const { passed, output } = runSuite(folder, suite);
    if (passed) return 'UNNOTICED';
    return output.includes('ReplyError') ? 'CRASHED' : 'noticed';
  });
}

for (const suite of ['property', 'contract']) {
  const { passed, output } = withCopy((folder) => runSuite(folder, suite));
  if (passed) continue;
  console.error(`The scripts as they are do not pass:\n${output}`);
  process.exit(1);
}
let unnoticed = 0;
for (const fault of faults) {
  const fate = plant(fault);
  if (fate !== 'noticed') unnoticed += 1;
  console.log(`${fate.padEnd(10)}${fault.what}`);
}
console.log(`${faults.length - unnoticed} of ${faults.length} faults noticed`);
process.exit(unnoticed === 0 ? 0 : 1);
