import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unreachable } from './unreachable.ts';

const CASES = [
  [
    'no network interfaces are present',
    'vmi/web cannot be reached: no network interfaces are present; virtctl console web needs none',
  ],
  [
    'Internal error occurred: the guest cannot be reached at 10.0.0.2: it has no network yet',
    'the guest cannot be reached at 10.0.0.2: it has no network yet',
  ],
  ['virtualmachine.kubevirt.io "web" not found', 'virtualmachine.kubevirt.io "web" not found'],
] as const;
for (const [said, told] of CASES)
  test(`"${said}"`, () => {
    assert.equal(unreachable(new Error(said), { kind: 'vmi', name: 'web' }).message, told);
  });
