import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { absentGuest } from './absent-guest.ts';

const vmOf = (printableStatus?: string): VirtualMachine =>
  ({ metadata: { name: 'web' }, spec: {}, status: { printableStatus } }) as unknown as VirtualMachine;
const vmiOf = (phase?: string): VirtualMachineInstance =>
  ({ metadata: { name: 'web' }, spec: {}, status: { phase } }) as unknown as VirtualMachineInstance;

const cases: readonly [
  string,
  'vm' | 'vmi',
  VirtualMachine | undefined,
  VirtualMachineInstance | undefined,
  RegExp | undefined,
][] = [
  ['nothing of that name', 'vmi', undefined, undefined, /^unknown$/],
  ['a VMI without a VM, named as VM', 'vm', undefined, vmiOf('Running'), /write vmi\/web$/],
  ['a guest that runs', 'vmi', undefined, vmiOf('Running'), undefined],
  ['one that starts', 'vm', vmOf('Starting'), vmiOf('Scheduling'), undefined],
  ['a VM that was just told to start', 'vmi', vmOf('Starting'), undefined, undefined],
  ['a VM of which nothing is known yet', 'vm', vmOf(), undefined, undefined],
  ['a VM that is off', 'vm', vmOf('Stopped'), undefined, /^vm\/web is Stopped: virtctl start web/],
  ['a VMI of a VM that is off', 'vmi', vmOf('Stopped'), undefined, /^vm\/web is Stopped/],
  ['one that has ended for good', 'vmi', undefined, vmiOf('Failed'), /has ended \(Failed\)/],
  ['one that has ended and is started again', 'vm', vmOf('CrashLoopBackOff'), vmiOf('Failed'), undefined],
];

for (const [name, kind, vm, vmi, expected] of cases)
  test(name, () => {
    const told = absentGuest({ kind, name: 'web' }, { vm, vmi });
    if (expected === undefined) assert.equal(told, undefined);
    else assert.match(told ?? '', expected);
  });
