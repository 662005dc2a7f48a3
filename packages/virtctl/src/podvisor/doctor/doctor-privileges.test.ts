import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instancePaths, type Privileges } from '@podvisor/sys';
import { NODE_AGENT, unprivileged, VIRT_HANDLER } from '../home/confinements.ts';
import { excessOf } from './doctor-privileges.ts';

const confined = unprivileged('virt-api', { name: 'test' }, instancePaths('/home'));
const good: Privileges = {
  uid: confined.user ?? 0,
  gid: confined.user ?? 0,
  effective: [],
  bounding: [],
  noNewPrivileges: true,
  seccomp: 2,
};

test('a process that has what it should have is not named', () => {
  assert.deepEqual(excessOf(confined, good), []);
  // A machine whose root lacks a capability is not worse for it.
  const root = { ...good, uid: 0, gid: 0, bounding: VIRT_HANDLER.capabilities.slice(1), seccomp: 0 };
  assert.deepEqual(excessOf(VIRT_HANDLER, root), []);
});

test('each thing that is too much is said', () => {
  assert.deepEqual(
    excessOf(confined, { ...good, uid: 0, bounding: ['SYS_ADMIN'], noNewPrivileges: false, seccomp: 0 }),
    [
      'runs as user 0',
      'may have SYS_ADMIN',
      'may gain privileges (no no_new_privs)',
      'has no filter of system calls',
    ],
  );
  assert.deepEqual(excessOf(NODE_AGENT, { ...good, uid: 0, bounding: ['SYS_MODULE', 'CHOWN'], seccomp: 0 }), [
    'may have SYS_MODULE',
  ]);
});

test('parts that are not root see nothing of the home but programs, their keys and what is theirs', () => {
  const paths = instancePaths('/home');
  const shown = (part: Parameters<typeof unprivileged>[0]): unknown =>
    unprivileged(part, { name: 'test' }, paths).view?.shown;
  assert.deepEqual(shown('virt-controller'), [
    { path: '/home/lib' },
    { path: '/home/pki', from: '/home/parts/virt-controller/pki' },
  ]);
  assert.deepEqual(shown('control-plane'), [
    { path: '/home/lib' },
    { path: '/home/pki', from: '/home/parts/control-plane/pki' },
    { path: '/home/control-plane', writable: true },
    { path: '/home/parts/control-plane/machine' },
  ]);
});
