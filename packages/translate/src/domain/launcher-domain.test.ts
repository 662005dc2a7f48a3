import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainContext, vmiOf } from '../testing/vmi.ts';
import { launcherDomain, numbersSocket, withoutNumbersMonitor } from './launcher-domain.ts';

const emulated = { ...plainContext, kvmAvailable: false, allowEmulation: true };

test('only emulated domains run by the script, and only where there is one', () => {
  const emulator = '/var/run/libvirt/qemu';
  assert.equal(launcherDomain(vmiOf(), { ...emulated, emulator }).devices?.emulator, emulator);
  assert.equal(launcherDomain(vmiOf(), emulated).devices?.emulator, undefined);
  assert.equal(launcherDomain(vmiOf(), { ...plainContext, emulator }).devices?.emulator, undefined);
});

test('a guest of another architecture runs by the emulator that it needs', () => {
  const foreign = { ...emulated, hostArchitecture: 'amd64', allowCrossArchitectures: true };
  const vmi = vmiOf({}, { architecture: 'arm64' });
  const { devices } = launcherDomain(vmi, { ...foreign, emulator: '/var/run/libvirt/qemu' });
  assert.equal(devices?.emulator, '/usr/bin/qemu-system-aarch64');
});

test('a guest that may grow has a slot and a cell for what comes', () => {
  const { maxMemory, cpu } = launcherDomain(
    vmiOf({ memory: { guest: '1Gi', maxGuest: '4Gi' } }),
    plainContext,
  );
  assert.equal(maxMemory?.slots, 1);
  assert.equal(cpu?.numa?.cells?.length, 1);
});

test('QEMU answers questions for numbers beside libvirt, also where other arguments are', () => {
  const words = (vmi = vmiOf(), paths = {}): string =>
    (launcherDomain(vmi, { ...plainContext, paths }).qemuCommandLine?.args ?? [])
      .map(({ value }) => value)
      .join(' ');
  const monitor = (path: string): string =>
    `-chardev socket,id=numbers,path=${path},server=on,wait=off -mon chardev=numbers,mode=control`;
  assert.equal(words(), monitor('/var/run/kubevirt/sockets/qemu-sock'));
  assert.equal(words(vmiOf(), { shareDir: '/a,b' }), monitor('/a,,b/sockets/qemu-sock'));
  const ignition = vmiOf();
  const annotations = { 'kubevirt.io/ignitiondata': '{"ignition":{}}' };
  const both = words({ ...ignition, metadata: { ...ignition.metadata, annotations } });
  assert.match(both, /^-fw_cfg \S+ -chardev socket,id=numbers,/);
});

test('without the monitor for numbers it is the domain of a launcher that had none', () => {
  const domain = launcherDomain(vmiOf(), plainContext);
  assert.match(numbersSocket(domain) ?? '', /qemu-sock/);
  const { xmlnsQemu, qemuCommandLine, ...before } = domain;
  assert.deepEqual(withoutNumbersMonitor(domain), before);
  assert.equal(withoutNumbersMonitor(before), before);
  const fwCfg = [{ value: '-fw_cfg' }, { value: 'name=a' }];
  const args = [...fwCfg, ...(qemuCommandLine?.args ?? [])];
  assert.deepEqual(withoutNumbersMonitor({ ...domain, qemuCommandLine: { args } }), {
    ...before,
    ...{ xmlnsQemu, qemuCommandLine: { args: fwCfg } },
  });
});
