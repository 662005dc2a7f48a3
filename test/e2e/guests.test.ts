/**
 * What guests see of what was declared, through the whole system: one VM with nearly everything, asserted from inside. The
 * ways to boot, one by one and with kept state, are in `packages/virt-launcher/src/guest-devices.machine.test.ts`.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { VirtualMachine } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { lacksNodes, openHome } from '../support/home.ts';
import { command, type Instance, root } from '../support/instance.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { guestsManifest, statefulVm } from '../support/guests/guest-vms.ts';

/** Software emulation beside everything else that a test machine runs; usually a tenth of it. */
const BOOT_MS = 420_000;

describe('guests', { concurrency: 1, timeout: 900_000 }, () => {
  let instance: Instance;
  const podOf = async (vm: string): Promise<string> => {
    const labelSelector = `vm.kubevirt.io/name=${vm}`;
    const { items } = await instance.client.list(resources.pods, { namespace: 'default', labelSelector });
    // What a guest left behind when it moved has ended.
    const living = items.filter(({ status }) => status?.phase === 'Pending' || status?.phase === 'Running');
    const newest = living.toSorted((a, b) =>
      (b.metadata.creationTimestamp ?? '').localeCompare(a.metadata.creationTimestamp ?? ''),
    );
    return newest[0]?.metadata.name ?? '';
  };
  /**
   * The guest's console, as `kubectl logs` shows it. When the reader of a serial port is slow, QEMU writes a byte to
   * the port's log once more, so equal neighbours count as one, here and in what is looked for.
   */
  const once = (text: string): string => text.replace(/(.)\1+/g, '$1');
  const rawLog = async (vm: string): Promise<string> => {
    const { stdout } = await instance.kubectl('logs', await podOf(vm), '-c', 'guest-console-log');
    return stdout.replaceAll('\r', '');
  };
  const log = async (vm: string): Promise<string> => once(await rawLog(vm));
  const says = (vm: string, text: string): Promise<string> =>
    eventually(`${vm} says ${text}`, BOOT_MS, async () => {
      const said = await log(vm);
      assert.ok(said.includes(once(text)), `not in: ${said.slice(-1500)}`);
      return said;
    });

  before(async () => {
    instance = await openHome();
    const manifest = `${instance.home}/guests.yaml`;
    writeFileSync(manifest, guestsManifest);
    // virt-api hears of gates a moment after they were written; on a busy machine the VM may be faster.
    await eventually('the instance with its VM', BOOT_MS, async () => {
      const { code, stdout, stderr } = await instance.up('--nodes', '2', '--no-wait', manifest);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      return true;
    });
  });
  after(() => instance?.purge());

  test('by BIOS: directories, discs and devices that were declared, told on the console log', async () => {
    const said = await says('many', 'guest-script-done');
    for (const line of [
      'firmware=bios',
      'settings: colour=blue',
      'keys: sesame',
      'account: ca.crt namespace token',
      'labels: app="guest"',
      'unattendCD: <x/>',
      'tpm=2 watchdog=yes',
      'serial=ROOT01',
    ])
      assert.ok(said.includes(once(`${line}\n`)), `${line} is not in: ${said}`);
  });

  test('the guest wrote into its claim, and a second mount has it', async () => {
    const said = await log('many');
    assert.match(said, /^shared: writen$/m);
  });

  test('the ConfigDrive tells tagged devices by their place', async () => {
    const said = await log('many');
    const metadata = JSON.parse(/^metadata: (.*)$/m.exec(said)?.[1] ?? '{}') as {
      devices?: readonly { type: string; bus: string; address: string; tags: readonly string[] }[];
    };
    const told = metadata.devices?.map(({ type, bus, tags }) => [type, bus, ...tags]);
    assert.deepEqual(told, [
      ['nic', 'pci', 'uplink'],
      ['disk', 'pci', 'system'],
    ]);
  });

  test('metrics of the host come by channel and by disk, and the disk is refreshed', async () => {
    const said = await log('many');
    assert.match(said, /chanel: .*<name>HostName<\/name><value>[-\w.]+</);
    assert.match(said, /chanel: .*<name>ResourceMemoryLimit<\/name><value>19608</);
    const times = new Set([...(await rawLog('many')).matchAll(/me: (\d+)$/gm)].map(([, time]) => time));
    assert.ok(times.size > 1, [...times].join());
  });

  test('probes ask the guest: agent ping for readiness, a command for liveness', async () => {
    await eventually('the Pod is ready', BOOT_MS, async () => {
      const { items } = await instance.client.list(resources.pods, {
        namespace: 'default',
        labelSelector: 'vm.kubevirt.io/name=many',
      });
      const compute = items[0]?.status?.containerStatuses?.find(({ name }) => name === 'compute');
      assert.equal(compute?.ready, true);
      assert.equal(compute?.restartCount, 0);
      return true;
    });
  });

  test('a backup tool can freeze and thaw the guest by the Pod’s annotations', async () => {
    const pod = await podOf('many');
    const { metadata } =
      (await instance.client.find(resources.pods, { namespace: 'default', name: pod })) ?? {};
    for (const hook of ['pre', 'post']) {
      const words = JSON.parse(
        metadata?.annotations?.[`${hook}.hook.backup.velero.io/command`] ?? '[]',
      ) as string[];
      const { code, stderr } = await instance.kubectl('exec', pod, '-c', 'compute', '--', ...words);
      assert.equal(code, 0, `${hook}: ${stderr}`);
    }
  });

  test('render --diff: nothing changes, then what was edited does', async () => {
    const nothing = await instance.virtctl('render', 'vm/many', '--diff');
    assert.equal(nothing.stdout, 'A restart would change nothing.\n', nothing.stderr);
    const edit = { spec: { template: { spec: { domain: { devices: { rng: {} } } } } } };
    await instance.kubectl('patch', 'vm', 'many', '--type', 'merge', '-p', JSON.stringify(edit));
    const { stdout } = await instance.virtctl('render', 'vm/many', '--diff');
    assert.match(stdout, /^# libvirt domain: running \(-\) and after a restart \(\+\)$/m);
    assert.match(stdout, /^\+ +<rng model='virtio-non-transitional'>$/m);
    assert.doesNotMatch(stdout, /^-/m);
  });

  test('what firmware and TPM remember goes along to other nodes and is in a claim, which goes with the VM', async (t) => {
    if (lacksNodes(t, 2)) return;
    const key = { namespace: 'default', name: 'state' };
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'many' });
    await instance.client.create(resources.virtualMachines, statefulVm as VirtualMachine);
    const starts = (said: string): number => Number(/tpm started (\d+) times/.exec(said)?.[1]);
    const first = await says('state', 'state-script-done');
    assert.match(first, /efi remembers\ntpm remembers$/m);
    const started = starts(first);
    assert.ok(started > 0, first);
    const claims = async () =>
      (await instance.client.list(resources.persistentVolumeClaims, { namespace: 'default' })).items.filter(
        ({ metadata }) => metadata.name?.startsWith('persistent-state-for-state-') === true,
      );
    assert.equal((await claims()).length, 1);
    const claimNames = async () => (await claims()).map(({ metadata }) => metadata.name);
    const inGuest = async (words: string): Promise<string> => {
      const shell = await GuestShell.open(instance, 'state');
      try {
        return await shell.run(`. /run/state.sh; ${words}`);
      } finally {
        await shell.close();
      }
    };
    const move = async (): Promise<void> => {
      const args = ['migrate', 'state', '-w'];
      const { code, stdout, stderr } = await command(`${root}/bin/virtctl`, args, instance.env, 180_000);
      assert.equal(code, 0, stdout + stderr);
    };
    await move();
    assert.equal(await inGuest('tell; keep away'), 'efi remembers boot\ntpm remembers boot');
    await move();
    await eventually('the claims that it left are gone', 60_000, async () =>
      (await claims()).length === 1 ? true : undefined,
    );
    const kept = await claimNames();
    const before = await podOf('state');
    const { code, stderr } = await instance.virtctl('restart', 'state');
    assert.equal(code, 0, stderr);
    await eventually('another Pod', BOOT_MS, async () => {
      const now = await podOf('state');
      return now !== before && now !== '' ? true : undefined;
    });
    const second = await says('state', 'state-script-done');
    assert.match(second, /efi remembers away bot\ntpm remembers away$/m);
    const again = starts(second);
    assert.ok(again > started, `${started} starts of the TPM, then ${again}`);
    assert.deepEqual(await claimNames(), kept, 'the same claim');
    await instance.client.delete(resources.virtualMachines, key);
    await eventually('the claim is gone with the VM', 60_000, async () =>
      (await claims()).length === 0 ? true : undefined,
    );
  });
});
