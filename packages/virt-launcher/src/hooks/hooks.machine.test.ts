/** Hook sidecars with a real launcher: what they change is what the guest gets. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { VirtualMachineInstance } from '@podvisor/api';
import { bootGuest } from '../testing/boot-guest.ts';
import { startSidecar, type TestSidecar } from '../testing/hook-sidecar.ts';
import { startTestLauncher, until } from '../testing/launcher-process.ts';

describe('hook sidecars', { timeout: 120_000 }, () => {
  test('edit the domain in the order of their priorities, and the cloud-init data', async () => {
    const calls: string[] = [];
    const sidecars: Disposable[] = [];
    try {
      await using guest = await bootGuest(
        {
          kernelBoot: true,
          script: 'echo a script that nobody will see',
        },
        {
          flags: ['--hook-sidecars', '2'],
          prepare: (directory) => mkdirSync(join(directory, 'h')),
          // They come later than the launcher, as containers do.
          ready: async ({ directory }) => {
            const hooks = join(directory, 'h');
            sidecars.push(
              await startSidecar(hooks, {
                container: 'hook-sidecar-0',
                version: 'v1alpha1',
                onDefineDomain: (xml) => {
                  calls.push('define 0');
                  return xml.replace('</system>', "<entry name='product'>by the second</entry></system>");
                },
              }),
              await startSidecar(hooks, {
                container: 'hook-sidecar-1',
                version: 'v1alpha3',
                priority: 10,
                onDefineDomain: (xml, vmi) => {
                  calls.push(`define 1 ${JSON.stringify(Object.keys(vmi as object))}`);
                  return xml;
                },
                preCloudInitIso: (data) => {
                  calls.push(`iso ${String(data['DataSource'])}`);
                  const UserData =
                    '#!/bin/sh\necho product=$(cat /sys/class/dmi/id/product_name)\necho guest-script-done\n';
                  return { ...data, UserData, NoCloudMetaData: { 'local-hostname': 'hooked' } };
                },
                shutdown: () => calls.push('shutdown'),
              }),
            );
          },
        },
      );
      await guest.says('hooked login:');
      assert.match(guest.said(), /product=by the second\n/);
      assert.doesNotMatch(guest.said(), /nobody will see/);
      assert.deepEqual(calls, [
        'iso noCloud',
        'define 1 ["apiVersion","kind","metadata","spec"]',
        'define 0',
      ]);
      await guest.launcher.call('killVirtualMachine', guest.vmi);
      await until(() => calls.includes('shutdown'), 60_000, 'the last call');
    } finally {
      for (const sidecar of sidecars) sidecar[Symbol.dispose]();
    }
  });

  test('a network binding plugin writes its interface into the domain: the guest has a NIC', async () => {
    const sidecars: Disposable[] = [];
    try {
      await using guest = await bootGuest(
        {
          kernelBoot: true,
          script: 'echo nic=$(cat /sys/class/net/eth0/address)',
          devices: { interfaces: [{ name: 'wire', binding: { name: 'userspace' } }] },
          networks: [{ name: 'wire', pod: {} }],
        },
        {
          flags: ['--hook-sidecars', '1'],
          prepare: (directory) => mkdirSync(join(directory, 'h')),
          ready: async ({ directory }) =>
            void sidecars.push(await startSidecar(join(directory, 'h'), userspaceBinding('userspace'))),
        },
      );
      assert.match(guest.said(), /nic=02:00:00:00:77:00/);
      const state = await guest.launcher.state((seen) => (seen?.interfaces.length ?? 0) > 0, 'the interface');
      assert.deepEqual(
        state?.interfaces.map(({ name, mac }) => [name, mac]),
        [['wire', '02:00:00:00:77:00']],
      );
    } finally {
      for (const sidecar of sidecars) sidecar[Symbol.dispose]();
    }
  });

  test('a virtual machine does not start without those it declares, nor with one that fails', async () => {
    const launcher = await startTestLauncher({ flags: ['--hook-sidecars', '1', '--qemu-timeout', '1s'] });
    try {
      const missing = await launcher.sync(launcher.tinyVmi(), launcher.tinyOptions());
      assert.match(missing.message, /only 0 of 1 hook sidecars answered within 1 s/);
      using _sidecar = await startSidecar(join(launcher.directory, 'h'), {
        container: 'hook-sidecar-0',
        version: 'v1alpha2',
        onDefineDomain: () => 'no XML at all',
      });
      const broken = await launcher.sync(launcher.tinyVmi(), launcher.tinyOptions());
      assert.match(broken.message, /libvirt did not accept the definition of the virtual machine/);
      assert.equal(await launcher.state(() => true, 'a state'), undefined);
    } finally {
      await launcher.stop();
    }
  });
});

/** A small plugin: every interface that names it becomes one of QEMU's own user-space network. */
function userspaceBinding(plugin: string): TestSidecar {
  return {
    container: 'hook-sidecar-0',
    version: 'v1alpha3',
    onDefineDomain: (xml, vmi) => {
      const { spec } = vmi as VirtualMachineInstance;
      const mine = (spec.domain.devices.interfaces ?? []).filter(({ binding }) => binding?.name === plugin);
      const devices = mine.map(
        ({ name }, i) =>
          `<interface type='user'><mac address='02:00:00:00:77:0${i}'/><model type='virtio-non-transitional'/><alias name='ua-${name}'/></interface>`,
      );
      return xml.replace('</devices>', `${devices.join('')}</devices>`);
    },
  };
}
