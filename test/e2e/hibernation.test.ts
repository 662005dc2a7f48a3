/**
 * Hibernation where it matters: a node is drained under a guest that cannot leave it, several people start a guest at
 * once, a VM was changed while it slept, a state is given up. The guest's page is its boot id, so a guest that booted
 * instead of going on is noticed. The tests build on each other.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { VirtualMachine } from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { KubeClient, resources } from '@podvisor/kube';
import { instancePaths } from '@podvisor/sys';
import { bootIdVm } from '../support/guests/boot-id-vm.ts';
import { eventually } from '../support/eventually.ts';
import { GuestPage } from '../support/guests/guest-page.ts';
import { lacksNodes, needsEmbedded, openHome } from '../support/home.ts';
import type { Instance } from '../support/instance.ts';

const key = { namespace: 'default', name: 'sleeper' };
const SLEEPS_MS = 120_000;

describe('hibernation', { concurrency: 1 }, () => {
  let instance: Instance;
  let guest: GuestPage;
  let bootId: string;

  before(async () => {
    instance = await openHome();
    const { code, stdout, stderr } = await instance.up('--nodes', '2');
    assert.equal(code, 0, stdout + stderr);
    await instance.client.create(resources.persistentVolumeClaims, {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: key,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '16Mi' } } },
    });
    guest = await GuestPage.create(instance, stayingVm());
    await guest.ready();
    bootId = await guest.page();
  });
  after(() => instance?.purge());

  const vm = (): Promise<VirtualMachine> => instance.client.get(resources.virtualMachines, key);
  const virtctl = async (...words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await instance.virtctl(...words);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const isHibernated = (): Promise<VirtualMachine> =>
    eventually('the VM is hibernated', SLEEPS_MS, async () => {
      const found = await vm();
      return found.status?.printableStatus === 'Hibernated' ? found : undefined;
    });
  const refusal = async (): Promise<string | undefined> => {
    const { conditions = [] } = (await vm()).status ?? {};
    const found = conditions.find(({ type }) => type === 'HibernatedStateRefused');
    return found?.status === 'True' ? `${found.reason}: ${found.message}` : undefined;
  };
  const change = async (domain: Readonly<Record<string, unknown>>): Promise<void> => {
    const body = { spec: { template: { spec: { domain } } } };
    await instance.client.patch(resources.virtualMachines, key, { type: 'merge', body });
  };

  test('a drain hibernates what cannot leave, and ends', async (t) => {
    if (lacksNodes(t, 2)) return;
    const node = (await guest.vmi()).status?.nodeName ?? '';
    const flags = ['--ignore-daemonsets', '--delete-emptydir-data', '--force', '--timeout', '50s'];
    // A client gives up after a while and asks again, as people do.
    const drained = await eventually('the node is drained', SLEEPS_MS, async () => {
      const { code, stdout, stderr } = await instance.kubectl('drain', node, ...flags);
      return code === 0 ? stdout + stderr : Promise.reject(new Error(stdout + stderr));
    });
    assert.match(drained, /drained/);
    const { status } = await isHibernated();
    assert.equal(status?.hibernation?.isWhole, true);
    assert.equal(await instance.client.find(resources.virtualMachineInstances, key), undefined);
    await instance.kubectl('uncordon', node);
    await virtctl('start', 'sleeper', '--wait');
    assert.equal(await guest.page(), bootId);
  });

  test('several starts at once wake it once', async () => {
    await virtctl('hibernate', 'sleeper', '--wait');
    const starts = await Promise.all(
      Array.from({ length: 4 }, () => instance.virtctl('start', 'sleeper', '--wait')),
    );
    assert.ok(starts.some(({ code }) => code === 0));
    // Too late, or in the same moment: then the VM was changed between the look and the write (409, in KubeVirt's words).
    for (const { code, stderr } of starts)
      if (code !== 0) assert.match(stderr, /already|underway|Operation cannot be fulfilled/);
    await guest.ready();
    assert.equal(await guest.page(), bootId);
    assert.equal((await guest.vmi()).status?.hibernation?.phase, 'Woken');
  });

  test('the key of the state is for the virt-handler of the node that the guest is on, and for nobody else', async (t) => {
    if (needsEmbedded(t, 'it asks with the identities of its components')) return;
    const { status } = await guest.vmi();
    const { pki } = instancePaths(instance.home);
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/default/virtualmachineinstances/sleeper/statekey`;
    const ask = async (kubeconfig: string): Promise<string> => {
      const client = KubeClient.fromKubeconfig(kubeconfig, 'test');
      try {
        const { stateKey = '' } = await client.request<{ stateKey?: string }>({ method: 'GET', path });
        return `${Buffer.from(stateKey, 'base64').length} bytes`;
      } catch (error) {
        return messageOf(error);
      } finally {
        await client.close();
      }
    };
    for (const node of ['node-1', 'node-2']) {
      const answer = await ask(join(pki, `virt-handler-${node}.kubeconfig`));
      if (node === status?.nodeName) assert.equal(answer, '32 bytes');
      else assert.match(answer, /for the virt-handler of its node only/);
    }
    assert.match(await ask(join(instance.home, 'kubeconfig')), /for the virt-handler of its node only/);
    assert.match(await ask(join(pki, 'virt-controller.kubeconfig')), /cannot get|forbidden/i);
  });

  test('a VM that was changed while it slept is refused by name, and goes on when it is as it was', async () => {
    await virtctl('hibernate', 'sleeper', '--wait');
    const machine = (await vm()).spec.template.spec?.domain.machine?.type;
    for (const [domain, told] of [
      [{ memory: { guest: '224Mi' } }, /^StateDoesNotFit: .*memory/i],
      [{ memory: { guest: '192Mi' }, machine: { type: 'pc-q35-6.2' } }, /^StateDoesNotFit: .*pc-q35-6\.2/],
    ] as const) {
      await change(domain);
      await virtctl('start', 'sleeper');
      await eventually('it is refused', SLEEPS_MS, async () =>
        told.test((await refusal()) ?? '') ? true : undefined,
      );
      await isHibernated();
    }
    assert.match(await virtctl('why', 'vm/sleeper'), /its memory does not fit any more/);
    await change({ machine: { type: machine } });
    await virtctl('start', 'sleeper', '--wait');
    await guest.ready();
    assert.equal(await guest.page(), bootId);
    assert.equal(await refusal(), undefined);
  });

  test('a state that is given up is deleted, and the guest boots', async () => {
    await virtctl('hibernate', 'sleeper', '--wait');
    const claim = (await isHibernated()).status?.hibernation?.claimName ?? '';
    assert.ok(await instance.client.find(resources.persistentVolumeClaims, { ...key, name: claim }));
    await virtctl('start', 'sleeper', '--discard-state', '--wait');
    await guest.ready();
    assert.notEqual(await guest.page(), bootId);
    await eventually('its claim is gone', 60_000, async () => {
      const found = await instance.client.find(resources.persistentVolumeClaims, { ...key, name: claim });
      return found === undefined ? true : undefined;
    });
  });
});

/** One node at a time may have its claim, so it cannot migrate. */
function stayingVm(): VirtualMachine {
  const vm = bootIdVm(key.name);
  const { template } = vm.spec;
  const { spec } = template;
  const { devices } = spec?.domain ?? {};
  return {
    ...vm,
    spec: {
      ...vm.spec,
      template: {
        ...template,
        spec: {
          ...spec,
          evictionStrategy: 'HibernateIfNotMigratable',
          domain: {
            ...spec?.domain,
            devices: {
              ...devices,
              disks: [...(devices?.disks ?? []), { name: 'data', disk: { bus: 'virtio' } }],
            },
          },
          volumes: [
            ...(spec?.volumes ?? []),
            { name: 'data', persistentVolumeClaim: { claimName: key.name } },
          ],
        },
      },
    },
  };
}
