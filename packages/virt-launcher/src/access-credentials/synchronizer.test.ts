import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessCredential } from '@podvisor/api';
import { FakeClock } from '@podvisor/base';
import { silentLog } from '../log.ts';
import { CredentialSynchronizer } from './synchronizer.ts';

const settle = async (): Promise<void> => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
};

const DECLARED: readonly AccessCredential[] = [
  {
    sshPublicKey: {
      source: { secret: { secretName: 'keys' } },
      propagationMethod: { qemuGuestAgent: { users: ['root', 'ann'] } },
    },
  },
  // By cloud-init: none of the agent's business.
  { sshPublicKey: { source: { secret: { secretName: 'first-boot' } }, propagationMethod: { noCloud: {} } } },
  {
    userPassword: {
      source: { secret: { secretName: 'passwords' } },
      propagationMethod: { qemuGuestAgent: {} },
    },
  },
];

function world() {
  const clock = new FakeClock();
  const secrets: Record<string, Record<string, string>> = {
    keys: { one: 'ssh-ed25519 A a@b\n# not a key\n', two: 'ssh-rsa B' },
    passwords: { root: 'secret\n' },
  };
  const asked: (readonly [string, Readonly<Record<string, unknown>>])[] = [];
  const watching = new Map<string, () => void>();
  const failing = new Set<string>();
  let changes = 0;
  const synchronizer = new CredentialSynchronizer({
    secrets: {
      read: (name) => secrets[name] ?? assert.fail(`${name} was read`),
      watch: (name, onChange) => {
        watching.set(name, onChange);
        return { [Symbol.dispose]: () => void watching.delete(name) };
      },
    },
    ask: async (command, args) => {
      if (failing.has(String(args['username']))) throw new Error('no such user');
      asked.push([command, args]);
      return {};
    },
    clock,
    log: silentLog,
    onChange: () => changes++,
  });
  const pass = async (ms: number): Promise<void> => {
    clock.advance(ms);
    await settle();
  };
  return { synchronizer, clock, secrets, asked, watching, failing, changes: () => changes, pass };
}

test('sets keys and passwords when the agent comes', async () => {
  const { synchronizer, asked, pass, changes } = world();
  synchronizer.configure(DECLARED);
  await pass(10_000);
  assert.deepEqual(asked, [], 'nobody is there to be asked');
  assert.equal(synchronizer.report, undefined);
  synchronizer.setConnected(true);
  await pass(0);
  const keys = ['ssh-ed25519 A a@b', 'ssh-rsa B'];
  assert.deepEqual(asked, [
    ['guest-ssh-add-authorized-keys', { username: 'root', keys, reset: true }],
    ['guest-ssh-add-authorized-keys', { username: 'ann', keys, reset: true }],
    ['guest-set-user-password', { username: 'root', password: 'c2VjcmV0', crypted: false }],
  ]);
  assert.deepEqual([synchronizer.report, changes()], [{ succeeded: true }, 1]);
});

test('follows a secret, a reboot, and time', async () => {
  const { synchronizer, secrets, asked, watching, pass } = world();
  synchronizer.configure(DECLARED);
  assert.deepEqual([...watching.keys()], ['keys', 'passwords']);
  synchronizer.setConnected(true);
  await pass(0);
  asked.length = 0;
  secrets['passwords'] = { root: 'new' };
  watching.get('passwords')?.();
  watching.get('passwords')?.();
  await pass(100);
  assert.equal(asked.length, 3, 'two notices are one change');
  assert.equal(asked[2]?.[1]['password'], Buffer.from('new').toString('base64'));
  synchronizer.setConnected(false);
  synchronizer.setConnected(true);
  await pass(0);
  assert.equal(asked.length, 6);
  await pass(300_000);
  assert.equal(asked.length, 9);
  synchronizer.stop();
  await pass(900_000);
  assert.deepEqual([asked.length, watching.size], [9, 0]);
});

test('a secret that changes while the guest is being asked is set after it', async () => {
  const { synchronizer, clock, secrets, asked, watching, pass } = world();
  synchronizer.configure(DECLARED);
  synchronizer.setConnected(true);
  clock.advance(0);
  secrets['passwords'] = { root: 'new' };
  watching.get('passwords')?.();
  await settle();
  assert.equal(asked.length, 3, 'what was read before the change');
  await pass(100);
  assert.deepEqual(
    asked.slice(3).map(([, { password }]) => password),
    [undefined, undefined, Buffer.from('new').toString('base64')],
  );
  await pass(1_000);
  assert.equal(asked.length, 6, 'once');
});

test('one user who is not there does not hold up the others, and is tried again', async () => {
  const { synchronizer, asked, failing, pass } = world();
  failing.add('ann');
  synchronizer.configure(DECLARED);
  synchronizer.setConnected(true);
  await pass(0);
  assert.equal(asked.length, 2);
  assert.deepEqual(synchronizer.report, { succeeded: false, message: 'SSH keys of user ann: no such user' });
  failing.clear();
  await pass(2_000);
  assert.deepEqual(synchronizer.report, { succeeded: true });
});
