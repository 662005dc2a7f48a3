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

test('what fits into the room that was made at the start waits for a migration without a word', () => {
  const roomy = (sockets: number, guest: string): VirtualMachineInstance => {
    const { spec, ...rest } = vmi(sockets, guest);
    const domain = {
      ...spec.domain,
      cpu: { sockets, maxSockets: 4 },
      memory: { guest, maxGuest: '4Gi' },
    };
    return { ...rest, spec: { ...spec, domain } };
  };
  assert.equal(frozenChange(roomy(1, '1Gi'), roomy(4, '2Gi')), undefined);
  assert.match(frozenChange(roomy(1, '1Gi'), roomy(5, '1Gi')) ?? '', /from 1 to 5 CPUs/);
});
