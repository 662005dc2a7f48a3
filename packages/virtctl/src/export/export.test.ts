import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VirtualMachine } from '@podvisor/api';
import { machineFromOvf } from '../import/ovf.ts';
import { exportedMachine } from './machine-of-vm.ts';
import { ovfText } from './ovf-text.ts';

const vm: VirtualMachine = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    template: {
      spec: {
        domain: {
          cpu: { cores: 2, sockets: 2 },
          memory: { guest: '1536Mi' },
          firmware: { bootloader: { efi: { secureBoot: false } } },
          devices: {
            disks: [
              { name: 'root', disk: {} },
              { name: 'cloud-init', disk: {} },
            ],
            interfaces: [
              { name: 'default', model: 'virtio', macAddress: '02:00:00:00:00:01', masquerade: {} },
            ],
          },
        },
        volumes: [
          { name: 'root', dataVolume: { name: 'web-root' } },
          { name: 'cloud-init', cloudInitNoCloud: { userData: 'x' } },
        ],
      },
    },
  },
};

test('what goes out comes in again', () => {
  const machine = exportedMachine(vm);
  assert.deepEqual(machine.disks, [{ name: 'root', claim: 'web-root' }]);
  assert.deepEqual(machine.leftOut, ['disk cloud-init has no claim']);
  const source = { file: 'x', offset: 0, bytes: 1 };
  const text = ovfText(machine, [{ file: 'web-disk1.vmdk', fileBytes: 5, capacityBytes: 2 ** 30 }]);
  const again = machineFromOvf(text, (name) => (name === 'web-disk1.vmdk' ? source : undefined));
  assert.deepEqual(
    [again.name, again.cpus, again.memoryMib, again.firmware, again.secureBoot],
    ['web', 4, 1536, 'efi', false],
  );
  assert.deepEqual(again.disks, [{ name: 'web-disk1.vmdk', bus: 'sata', sizeBytes: 2 ** 30, source }]);
  assert.deepEqual(again.nics, [{ model: 'e1000e', mac: '02:00:00:00:00:01', network: 'default' }]);
});

test('names cannot break out of the document', () => {
  const text = ovfText({ ...exportedMachine(vm), name: '<x a="b">&' }, []);
  assert.equal(machineFromOvf(text, () => undefined).name, '<x a="b">&');
});
