import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LibvirtConnection, LibvirtDisconnected, LibvirtError, MIGRATE_FLAG } from '@podvisor/libvirt';
import { bandwidth, move, type MoveIo, type Outcome } from './move.ts';

type Step = 'begin' | 'prepare' | 'perform' | 'finish' | 'confirm';

const domain = { name: 'default_vm', uuid: 'b9df5113-f58d-429a-ad18-97e8c36342c4', id: 1 };
const plan = { flags: 1, targetFlags: 1, disks: ['vda'], volumes: ['root'], paths: ['/disk'], moved: [] };
const sockets = { memory: '/s/m', disks: '/s/d' };
const lost = new LibvirtDisconnected('the connection broke');
const refused = new LibvirtError(9, 10, 'operation failed');

/** Runs a migration in which one step fails; answers the outcome and the steps that were taken. */
async function run(
  fails: Partial<Record<Step, Error>>,
  io: Partial<MoveIo> = {},
  isConfirmed = true,
  cancelled: Partial<Record<Step, Error>> = {},
): Promise<{ readonly outcome: Outcome; readonly steps: readonly string[] }> {
  const steps: string[] = [];
  const step = async <T>(name: Step, suffix: string, answer: T): Promise<T> => {
    steps.push(name + suffix);
    const error = suffix === ' cancelled' ? cancelled[name] : fails[name];
    if (error !== undefined) throw error;
    return answer;
  };
  const cookie = Buffer.alloc(0);
  const migration = {
    begin: () => step('begin', '', { cookie, xml: '<domain/>' }),
    prepare: () => step('prepare', '', { cookie, uri: undefined }),
    perform: () => step('perform', '', cookie),
    finish: (_step: unknown, cancelled: boolean) =>
      step('finish', cancelled ? ' cancelled' : '', { domain, cookie }),
    confirm: (_domain: unknown, _step: unknown, cancelled: boolean) =>
      step('confirm', cancelled ? ' cancelled' : '', undefined),
  };
  const daemon = { migration } as unknown as LibvirtConnection;
  const outcome = await move({
    source: daemon,
    target: daemon,
    domain,
    plan,
    sourceSockets: sockets,
    targetSockets: sockets,
    beforeMoving: async () => {},
    whileMoving: () => {},
    checkWanted: () => {},
    isPostCopy: () => false,
    onMoved: () => {},
    took: () => {},
    decide: () => Promise.reject(new Error('nothing was undecided')),
    recoverPostCopy: () => Promise.reject(new Error('nothing was split')),
    ...io,
  });
  if (isConfirmed && outcome.kind === 'handed-over') await outcome.confirm();
  return { outcome, steps };
}

const order = ['begin', 'prepare', 'perform', 'finish', 'confirm'];

test('all goes well', async () => {
  const { outcome, steps } = await run({});
  assert.equal(outcome.kind, 'handed-over');
  assert.deepEqual(steps, order);
});

test('what fails before the guest has moved leaves it where it is, and the target empty', async () => {
  assert.deepEqual((await run({ begin: refused })).steps, ['begin']);
  const prepare = await run({ prepare: lost });
  assert.equal(prepare.outcome.kind, 'stayed');
  assert.deepEqual(prepare.steps, ['begin', 'prepare', 'confirm cancelled']);
  const perform = await run({ perform: refused });
  assert.equal(perform.outcome.kind, 'stayed');
  assert.deepEqual(perform.steps, ['begin', 'prepare', 'perform', 'finish cancelled']);
});

test('a target that failed first says why', async () => {
  const reason = async (said: Error): Promise<unknown> => {
    const { outcome } = await run({ perform: refused }, {}, true, { finish: said });
    return outcome.kind === 'stayed' && outcome.error instanceof Error && outcome.error.message;
  };
  assert.equal(
    await reason(new LibvirtError(1, 10, 'QEMU ended')),
    'operation failed; on the target: QEMU ended',
  );
  assert.equal(await reason(new LibvirtError(93, 10, 'migration successfully aborted')), 'operation failed');
  assert.equal(await reason(lost), 'operation failed');
});

test('cancelled before the data moves', async () => {
  let asked = 0;
  const { outcome, steps } = await run(
    {},
    {
      checkWanted: () => {
        asked += 1;
        if (asked === 2) throw new Error('cancelled');
      },
    },
  );
  assert.equal(outcome.kind, 'stayed');
  assert.deepEqual(steps, ['begin', 'prepare', 'confirm cancelled', 'finish cancelled']);
});

test('a target that says no has nothing: the source goes on', async () => {
  const { outcome, steps } = await run({ finish: refused });
  assert.equal(outcome.kind, 'stayed');
  assert.deepEqual(steps, [...order.slice(0, 4), 'confirm cancelled']);
});

test('a lost answer decides nothing: the source moves only when it is known where the guest runs', async () => {
  const there = await run({ finish: lost }, { decide: async () => 'runs' });
  assert.equal(there.outcome.kind, 'handed-over');
  assert.deepEqual(there.steps, order);
  const gone = await run({ finish: lost }, { decide: async () => 'gone' });
  assert.equal(gone.outcome.kind, 'stayed');
  assert.deepEqual(gone.steps, [...order.slice(0, 4), 'confirm cancelled']);
});

test('a source that cannot confirm has handed over all the same', async () => {
  assert.equal((await run({ confirm: lost })).outcome.kind, 'handed-over');
});

test('the guest counts as handed over before its QEMU here has ended', async () => {
  const confirming = Promise.withResolvers<void>();
  const steps: string[] = [];
  const cookie = Buffer.alloc(0);
  const migration = {
    begin: async () => ({ cookie, xml: '' }),
    prepare: async () => ({ cookie }),
    perform: async () => cookie,
    finish: async () => ({ domain, cookie }),
    confirm: async () => {
      steps.push('confirm');
      await confirming.promise;
    },
  };
  const daemon = { migration } as unknown as LibvirtConnection;
  const { outcome } = await run({}, { source: daemon, target: daemon, isPostCopy: () => false }, false);
  assert.deepEqual([outcome.kind, steps], ['handed-over', []]);
  confirming.resolve();
  if (outcome.kind === 'handed-over') await outcome.confirm();
  assert.deepEqual(steps, ['confirm']);
});

test('in post-copy the source confirms before it counts, and only once', async () => {
  const { outcome, steps } = await run({}, { isPostCopy: () => true });
  assert.equal(outcome.kind, 'handed-over');
  assert.deepEqual(steps, order);
});

test('in post-copy there is no way back: the two halves of the guest are brought together', async () => {
  const asked: boolean[] = [];
  const io = (outcome: Outcome): Partial<MoveIo> => ({
    isPostCopy: () => true,
    recoverPostCopy: async (_error, isFinishAsked) => {
      asked.push(isFinishAsked);
      return outcome;
    },
  });
  const whole = await run({ finish: lost }, io({ kind: 'handed-over', confirm: async () => {} }));
  assert.deepEqual([whole.outcome.kind, whole.steps.at(-1)], ['handed-over', 'finish']);
  assert.equal((await run({ perform: lost }, io({ kind: 'lost', error: lost }))).outcome.kind, 'lost');
  const stayed = await run({ perform: refused }, io({ kind: 'stayed', error: refused }));
  assert.deepEqual([stayed.outcome.kind, stayed.steps.at(-1)], ['stayed', 'finish cancelled']);
  assert.deepEqual(asked, [true, false, false]);
});

test('the limit is the network’s: it holds in post-copy too', () => {
  const fields = (more: object) => bandwidth({ ...plan, ...more }).map(({ field, value }) => [field, value]);
  assert.deepEqual(fields({}), []);
  assert.deepEqual(fields({ bandwidthMiB: 10 }), [['bandwidth', 10n]]);
  assert.deepEqual(fields({ bandwidthMiB: 10, flags: MIGRATE_FLAG.postCopy }), [
    ['bandwidth', 10n],
    ['bandwidth.postcopy', 10n],
  ]);
});
