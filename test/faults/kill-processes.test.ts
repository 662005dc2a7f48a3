/**
 * `kill -9` of every process while a VM runs. Those of the control plane and the node agent come back and
 * the guest never notices; libvirtd comes back and finds its QEMU; a dead launcher or QEMU ends the VMI,
 * and the VM's run strategy starts a new one.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { eventually } from '../support/eventually.ts';
import { Instance, root } from '../support/instance.ts';
import { podProcess } from '../support/pod-processes.ts';

describe('kill -9', { concurrency: 1 }, () => {
  let instance: Instance;
  let bootId = '';
  const key = { namespace: 'default', name: 'survivor' };
  const vmi = (): Promise<VirtualMachineInstance | undefined> =>
    instance.client.find(resources.virtualMachineInstances, key);
  const page = async (): Promise<string | undefined> => {
    const address = (await vmi())?.status?.interfaces?.[0]?.ipAddress;
    if (address === undefined) return undefined;
    return (await fetch(`http://${address}/`, { signal: AbortSignal.timeout(2_000) })).text();
  };
  const launchers = async (): Promise<readonly Pod[]> =>
    (await instance.client.list(resources.pods, { labelSelector: 'kubevirt.io=virt-launcher' })).items;
  const launcherUid = async (): Promise<string> => {
    const owner = (await vmi())?.metadata?.uid;
    const uid = (await launchers()).find((pod) => pod.metadata.labels?.['kubevirt.io/created-by'] === owner)
      ?.metadata.uid;
    assert.ok(uid);
    return uid;
  };

  before(async () => {
    instance = await Instance.prepare();
    // The example brings its image into the store; then it makes room.
    const { code, stdout, stderr } = await instance.up('--no-wait', `${root}/examples/hello.yaml`);
    assert.equal(code, 0, stdout + stderr);
    await instance.client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await eventually('the example is gone', 60_000, async () =>
      (await launchers()).length === 0 ? true : undefined,
    );
    await instance.client.create(resources.virtualMachines, bootIdVm(key.name));
    bootId = await eventually('the guest serves its boot id', 120_000, page);
  });
  after(() => instance?.purge());

  for (const name of ['control-plane', 'node-agent', 'virt-api', 'virt-controller', 'virt-handler-node-1']) {
    test(`${name}: comes back, the guest does not notice`, async () => {
      const before = await vmi();
      const pid = await instance.pidOf(name);
      process.kill(pid, 'SIGKILL');
      await eventually(`${name} is back`, 20_000, async () => {
        const now = await instance.pidOf(name);
        return now !== pid ? now : undefined;
      });
      const status = await eventually('the home is whole again', 30_000, async () => {
        const result = await instance.podvisor(['status'], 20_000);
        return result.code === 0 ? result.stdout : undefined;
      });
      assert.match(status, /default\/survivor +Running/);
      const after = await vmi();
      assert.equal(after?.metadata?.uid, before?.metadata?.uid);
      assert.equal(after?.status?.phase, 'Running');
      assert.equal(await page(), bootId);
      // It does not only exist, it works: a command goes all the way down and back.
      await eventually('pause works', 20_000, async () =>
        (await instance.virtctl('pause', 'vmi', key.name)).code === 0 ? true : undefined,
      );
      await eventually('unpause works', 20_000, async () =>
        (await instance.virtctl('unpause', 'vmi', key.name)).code === 0 ? true : undefined,
      );
    });
  }

  test('control-plane, while clients write: no acknowledged write is lost', async () => {
    const acknowledged: string[] = [];
    const pid = await instance.pidOf('control-plane');
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; ; i += 1) {
        const name = `written-${writer}-${i}`;
        try {
          await instance.client.create(resources.configMaps, {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name, namespace: 'default' },
          });
        } catch {
          return; // the server died: what it had not answered does not count
        }
        acknowledged.push(name);
      }
    });
    setTimeout(() => process.kill(pid, 'SIGKILL'), 500);
    await Promise.all(writers);
    assert.ok(acknowledged.length > 20, `only ${acknowledged.length} writes before the kill`);
    const stored = await eventually('the API server is back', 30_000, async () => {
      const { items } = await instance.client.list(resources.configMaps, { namespace: 'default' });
      return new Set(items.map((item) => item.metadata?.name));
    });
    assert.deepEqual(
      acknowledged.filter((name) => !stored.has(name)),
      [],
    );
  });

  test('libvirtd: comes back and finds its QEMU', async () => {
    const uid = await launcherUid();
    const qemu = podProcess(uid, /qemu-system/).pid;
    const libvirtd = podProcess(uid, /libvirtd/).pid;
    process.kill(libvirtd, 'SIGKILL');
    await eventually('a new libvirtd', 20_000, () =>
      podProcess(uid, /libvirtd/).pid !== libvirtd ? true : undefined,
    );
    assert.equal(podProcess(uid, /qemu-system/).pid, qemu);
    await eventually('pause works', 20_000, async () =>
      (await instance.virtctl('pause', 'vmi', key.name)).code === 0 ? true : undefined,
    );
    await eventually('unpause works', 20_000, async () =>
      (await instance.virtctl('unpause', 'vmi', key.name)).code === 0 ? true : undefined,
    );
    assert.equal(await page(), bootId);
    assert.equal((await vmi())?.status?.phase, 'Running');
  });

  for (const [name, pattern] of [
    ['QEMU', /qemu-system/],
    ['virt-launcher', /virt-launcher\.mjs/],
  ] as const) {
    test(`${name}: the VMI fails, the VM starts a new one`, async () => {
      const old = await vmi();
      process.kill(podProcess(await launcherUid(), pattern).pid, 'SIGKILL');
      await eventually('a new VMI runs', 120_000, async () => {
        const found = await vmi();
        return found?.metadata?.uid !== old?.metadata?.uid && found?.status?.phase === 'Running'
          ? true
          : undefined;
      });
      const next = await eventually('the new guest answers', 60_000, page);
      assert.notEqual(next, bootId);
      bootId = next;
    });
  }
});
