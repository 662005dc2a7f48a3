import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { frozenChange } from './frozen.ts';

const vmi = (sockets: number, guest: string): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  spec: { domain: { devices: {}, cpu: { sockets }, memory: { guest } } },
});

test('CPUs and memory that changed are named; the same amount in other words is not', () => {
  assert.equal(frozenChange(vmi(1, '1Gi'), vmi(1, '1024Mi')), undefined);
  assert.match(frozenChange(vmi(1, '1Gi'), vmi(2, '1Gi')) ?? '', /from 1 to 2 CPUs yet/);
  assert.match(
    frozenChange(vmi(1, '1Gi'), vmi(2, '2Gi')) ?? '',
    /from 1 to 2 CPUs and from 1073741824 to 2147483648 bytes of memory/,
  );
});
