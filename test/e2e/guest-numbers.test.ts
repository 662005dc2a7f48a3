/**
 * Numbers of a guest change because the guest does something: it burns CPU, fills a disk, sends packets, uses memory
 * until it swaps. Read from virt-handler's own page, before and after.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import type { VirtualMachine } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../support/eventually.ts';
import { GuestShell } from '../support/guests/guest-shell.ts';
import { helloVm } from '../support/guests/hello-vm.ts';
import { Instance } from '../support/instance.ts';
import { metricsPage, metricsReaderToken } from '../support/metrics-reader.ts';

const NAME = 'worker';

/** The hello guest with an empty disk of its own. */
function worker(): VirtualMachine {
  const vm = helloVm({
    name: NAME,
    memory: '192Mi',
    interfaces: [{ name: 'default', masquerade: {} }],
    networks: [{ name: 'default', pod: {} }],
    graceSeconds: 0,
    commands: ['true'],
  });
  const spec = vm.spec.template.spec;
  assert.ok(spec !== undefined);
  const { disks = [] } = spec.domain.devices;
  const devices = { ...spec.domain.devices, disks: [...disks, { name: 'spare', disk: { bus: 'virtio' } }] };
  const volumes = [...(spec.volumes ?? []), { name: 'spare', emptyDisk: { capacity: '96Mi' } }];
  return {
    ...vm,
    spec: {
      ...vm.spec,
      template: { ...vm.spec.template, spec: { ...spec, domain: { ...spec.domain, devices }, volumes } },
    },
  };
}

/** By family, the sum over its series; only those of the guest. */
function familiesOf(page: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [, name = '', labels = '', value = ''] of page.matchAll(/^(kubevirt_vmi_\w+)\{(.*)\} (\S+)$/gm))
    if (labels.includes(`name="${NAME}"`)) sums.set(name, (sums.get(name) ?? 0) + Number(value));
  return sums;
}

describe('numbers of a guest', { concurrency: 1 }, () => {
  let instance: Instance;
  let guest: GuestShell;
  let token = '';
  const page = async (): Promise<string> => {
    const { code, body } = await metricsPage(instance.apiPort + 2, token);
    assert.equal(code, 200, body);
    return body;
  };
  const numbers = async (): Promise<ReadonlyMap<string, number>> => familiesOf(await page());
  /** After `work` each of the families says more than before. What a guest tells of its memory comes some seconds late. */
  const grows = async (
    what: string,
    families: readonly string[],
    work: () => Promise<unknown>,
  ): Promise<void> => {
    const first = await numbers();
    await work();
    let still: readonly string[] = families;
    await eventually(what, 90_000, async () => {
      const now = await numbers();
      still = still.filter((family) => !((now.get(family) ?? 0) > (first.get(family) ?? 0)));
      return still.length === 0 ? true : undefined;
    }).catch(() => undefined);
    assert.deepEqual(still, [], `${what}: did not grow`);
  };

  before(async () => {
    instance = await Instance.prepare();
    const { code, stdout, stderr } = await instance.up();
    assert.equal(code, 0, stdout + stderr);
    token = await metricsReaderToken(instance);
    await instance.client.create(resources.virtualMachines, worker());
    guest = await eventually('a console', 180_000, () => GuestShell.open(instance, NAME));
    await eventually('the balloon tells', 120_000, async () =>
      (await numbers()).has('kubevirt_vmi_memory_usable_bytes') ? true : undefined,
    );
  });
  after(async () => {
    await guest?.close();
    await instance?.purge();
  });

  test('promtool finds nothing wrong with the page of a guest that works', async () => {
    // Labels of a VMI are named by whoever made it, as KubeVirt has them: their capitals are not ours.
    const input = (await page()).replaceAll(/kubernetes_vmi_label_\w+="(?:[^"\\]|\\.)*",?/g, '');
    execFileSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8', stdio: 'pipe' });
  });

  test('a guest that burns CPU', () =>
    grows(
      'CPU',
      [
        'kubevirt_vmi_cpu_usage_seconds_total',
        'kubevirt_vmi_cpu_user_usage_seconds_total',
        'kubevirt_vmi_vcpu_seconds_total',
      ],
      () => guest.run('i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'),
    ));

  test('a guest that fills a disk and reads it', () =>
    grows(
      'disk',
      [
        'kubevirt_vmi_storage_flush_requests_total',
        'kubevirt_vmi_storage_flush_times_seconds_total',
        'kubevirt_vmi_storage_iops_read_total',
        'kubevirt_vmi_storage_iops_write_total',
        'kubevirt_vmi_storage_read_times_seconds_total',
        'kubevirt_vmi_storage_read_traffic_bytes_total',
        'kubevirt_vmi_storage_write_times_seconds_total',
        'kubevirt_vmi_storage_write_traffic_bytes_total',
      ],
      async () => {
        await guest.run('dd if=/dev/zero of=/dev/vdc bs=1M count=16 conv=fsync 2>/dev/null');
        await guest.run(
          'echo 3 > /proc/sys/vm/drop_caches; dd if=/dev/vdc of=/dev/null bs=1M count=16 2>/dev/null',
        );
      },
    ));

  test('a guest that sends and receives packets', () =>
    grows(
      'network',
      [
        'kubevirt_vmi_network_receive_bytes_total',
        'kubevirt_vmi_network_receive_packets_total',
        'kubevirt_vmi_network_traffic_bytes_total',
        'kubevirt_vmi_network_transmit_bytes_total',
        'kubevirt_vmi_network_transmit_packets_total',
      ],
      () => guest.run('ping -c 3 $(ip route | sed -n "s/^default via \\([0-9.]*\\).*/\\1/p")'),
    ));

  test('a guest that uses its memory until it swaps, and reads that back', async () => {
    await grows(
      'memory',
      [
        'kubevirt_vmi_memory_cached_bytes',
        'kubevirt_vmi_memory_pgmajfault_total',
        'kubevirt_vmi_memory_pgminfault_total',
        'kubevirt_vmi_memory_resident_bytes',
        'kubevirt_vmi_memory_swap_in_traffic_bytes',
        'kubevirt_vmi_memory_swap_out_traffic_bytes',
      ],
      async () => {
        await guest.run('mkswap /dev/vdc >/dev/null && swapon /dev/vdc');
        await guest.run('mkdir -p /tmp/full && mount -t tmpfs -o size=160m full /tmp/full');
        await guest.run('dd if=/dev/urandom of=/tmp/full/x bs=1M count=110 2>/dev/null', 180_000);
        await guest.run('cat /tmp/full/x >/dev/null', 180_000);
      },
    );
    const full = await numbers();
    await guest.run('umount /tmp/full');
    await eventually('what it gives up is free again', 90_000, async () => {
      const now = await numbers();
      return ['unused', 'usable'].every(
        (one) =>
          (now.get(`kubevirt_vmi_memory_${one}_bytes`) ?? 0) >
          (full.get(`kubevirt_vmi_memory_${one}_bytes`) ?? 0),
      )
        ? true
        : undefined;
    });
  });
});
