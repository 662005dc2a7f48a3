import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { type Domain, domainFromXml } from '@podvisor/translate';
import { planGrowth } from './grow.ts';

const GIB = 1024 ** 3;

function vmi(sockets: number, guest: string): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    spec: {
      domain: {
        devices: {},
        cpu: { sockets, cores: 1, threads: 1, maxSockets: 4 },
        memory: { guest, maxGuest: '4Gi' },
      },
    },
    status: { memory: { guestAtBoot: '1Gi' } },
  };
}

function domainWith(enabled: number, memory = ''): Domain {
  const vcpus = [0, 1, 2, 3].map((id) => `<vcpu id='${id}' enabled='${id < enabled ? 'yes' : 'no'}'/>`);
  return domainFromXml(
    `<domain type='qemu'><vcpu placement='static' current='${enabled}'>4</vcpu><vcpus>${vcpus.join('')}</vcpus><devices>${memory}</devices></domain>`,
  );
}

const plugged = (requestedKiB: number): string =>
  `<memory model='virtio-mem'><target><size unit='KiB'>3145728</size><node>0</node><block unit='KiB'>2048</block><requested unit='KiB'>${requestedKiB}</requested></target><alias name='virtiomem0'/></memory>`;

test('a guest gets what it lacks, and nothing twice', () => {
  assert.deepEqual(planGrowth(vmi(1, '1Gi'), domainWith(1)), []);
  assert.deepEqual(planGrowth(vmi(3, '1Gi'), domainWith(1)), [{ kind: 'cpus', count: 3 }]);
  assert.deepEqual(planGrowth(vmi(3, '1Gi'), domainWith(3)), []);
  const [attach] = planGrowth(vmi(1, '2Gi'), domainWith(1));
  assert.ok(attach?.kind === 'attach-memory');
  assert.deepEqual(attach.device.target?.requested, { unit: 'b', value: GIB });
  assert.deepEqual(planGrowth(vmi(1, '2Gi'), domainWith(1, plugged(1048576))), []);
});

test('memory that is there changes its size, also back to what it was at boot', () => {
  for (const [guest, value] of [
    ['3Gi', 2 * GIB],
    ['1Gi', 0],
  ] as const) {
    const [resize] = planGrowth(vmi(1, guest), domainWith(1, plugged(1048576)));
    assert.ok(resize?.kind === 'resize-memory');
    assert.deepEqual(resize.device.target?.requested, { unit: 'b', value });
    assert.equal(resize.device.alias?.name, 'virtiomem0');
  }
});
