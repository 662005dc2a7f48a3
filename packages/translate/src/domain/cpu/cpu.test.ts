import assert from 'node:assert/strict';
import { test } from 'node:test';
import { convertOf } from '../../testing/vmi.ts';

test('the CPU request gives the sockets when the spec has no topology', () => {
  const domain = convertOf({ resources: { requests: { cpu: '2200m' } } });
  assert.deepEqual(domain.cpu?.topology, { sockets: 3, cores: 1, threads: 1 });
});

test('maxSockets leaves room: the first socket is fixed, the rest can be plugged', () => {
  const domain = convertOf({ cpu: { sockets: 2, cores: 1, threads: 1, maxSockets: 3 } });
  assert.equal(domain.vcpu?.value, 3);
  assert.deepEqual(
    domain.vcpus?.vcpu?.map(({ enabled, hotpluggable }) => [enabled, hotpluggable]),
    [
      ['yes', 'no'],
      ['yes', 'yes'],
      ['no', 'yes'],
    ],
  );
});

test('arm64 has no CPU hotplug', () => {
  const domain = convertOf({ cpu: { sockets: 1, maxSockets: 4 } }, { architecture: 'arm64' });
  assert.equal(domain.vcpu?.value, 1);
  assert.equal(domain.vcpus, undefined);
});

test('a named model drops mpx, unless the spec speaks about it', () => {
  assert.deepEqual(convertOf({ cpu: { model: 'Conroe' } }).cpu?.features, [
    { name: 'mpx', policy: 'disable' },
  ]);
  const features = [{ name: 'mpx' }];
  assert.deepEqual(convertOf({ cpu: { model: 'Conroe', features } }).cpu?.features, [
    { name: 'mpx', policy: 'require' },
  ]);
  assert.equal(convertOf({ cpu: { model: 'host-model' } }).cpu?.features, undefined);
});

test('an emulated CPU is never the host itself', () => {
  const emulated = { kvmAvailable: false, allowEmulation: true };
  const domain = convertOf({ cpu: { model: 'host-passthrough' } }, {}, emulated);
  assert.deepEqual([domain.type, domain.cpu?.mode], ['qemu', 'maximum']);
  assert.equal(convertOf({ cpu: { model: 'host-model' } }, {}, emulated).cpu?.mode, 'host-model');
});

test('without KVM and without leave to emulate there is no domain', () => {
  assert.throws(
    () => convertOf({}, {}, { kvmAvailable: false, allowEmulation: false }),
    /emulation is not allowed/,
  );
});

const foreign = { kvmAvailable: true, hostArchitecture: 'amd64', allowCrossArchitectures: true };

test('a guest of another architecture is emulated, by an emulator of its own and without a display', () => {
  const domain = convertOf({}, { architecture: 'arm64' }, foreign);
  assert.deepEqual(
    [domain.type, domain.cpu?.mode, domain.cpu?.model?.value, domain.devices?.emulator],
    ['qemu', 'custom', 'max', '/usr/bin/qemu-system-aarch64'],
  );
  assert.deepEqual([domain.devices?.graphics, domain.devices?.videos], [undefined, undefined]);
});

test('a CPU model that the spec names holds for a guest of another architecture too', () => {
  const domain = convertOf({ cpu: { model: 'cortex-a57' } }, { architecture: 'arm64' }, foreign);
  assert.equal(domain.cpu?.model?.value, 'cortex-a57');
});

test('a guest of another architecture needs the gate, and one of the same does not', () => {
  const context = { ...foreign, allowCrossArchitectures: false };
  assert.throws(
    () => convertOf({}, { architecture: 'arm64' }, context),
    /requires the CrossArchitectureVirtualization feature gate/,
  );
  assert.equal(convertOf({}, { architecture: 'amd64' }, context).type, 'kvm');
});
