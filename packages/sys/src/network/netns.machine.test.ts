import assert from 'node:assert/strict';
import { existsSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { after, test } from 'node:test';
import { bindUserNamespace, releaseUserNamespace } from '../confinement/user-namespace.ts';
import { createNetns, netnsPath, removeNetns, runInNetns } from './netns.ts';

const NAME = `podvisor-test-${process.pid}`;
const DIRECTORY = `/run/podvisor-test-${process.pid}`;
const USERS = `${DIRECTORY}/users`;

after(() => {
  removeNetns(NAME);
  releaseUserNamespace(USERS);
  rmSync(DIRECTORY, { recursive: true, force: true });
});

test('a namespace is made with loopback up, is found by ip, and is gone when it is removed', async () => {
  const home = readlinkSync('/proc/thread-self/ns/net');
  const path = await createNetns(NAME);
  assert.equal(await createNetns(NAME), path);
  assert.equal(readlinkSync('/proc/thread-self/ns/net'), home);
  const { stdout } = await runInNetns(path, 'ip', ['-o', 'address', 'show', 'dev', 'lo']);
  assert.match(stdout, /inet 127\.0\.0\.1\/8/);
  assert.match((await runInNetns(undefined, 'ip', ['netns', 'list'])).stdout, new RegExp(`^${NAME}\\b`, 'm'));
  removeNetns(NAME);
  assert.equal(existsSync(netnsPath(NAME)), false);
  removeNetns(NAME);
});

test('a network namespace of a user namespace gets its name, in place of an earlier one', async () => {
  await createNetns(NAME);
  await bindUserNamespace(1_900_000_000, USERS, NAME);
  const path = await createNetns(NAME);
  const { stdout } = await runInNetns(path, 'cat', ['/sys/class/net/lo/flags', '/proc/self/net/dev']);
  assert.match(stdout, /lo:/);
  assert.equal(statSync(DIRECTORY).mode & 0o777, 0o700);
  assert.notEqual(statSync('/run').mode & 0o005, 0, 'what was there is as open as before');
});
