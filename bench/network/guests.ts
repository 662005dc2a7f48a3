/**
 * TCP throughput between real guests and this machine: each binding beside a QEMU with the same command line, weight
 * and image, whose TAP is a port of a bare bridge. All run at once and are measured in turn. Data comes and goes
 * through the guest's own busybox (wget, httpd's sendfile), without pipes, which would cost an emulated guest more than
 * its network. With several queues the guests have as many vCPUs, and as many connections at once carry the data.
 */
import assert from 'node:assert/strict';
import type { Interface } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../../test/support/eventually.ts';
import { Instance, root } from '../../test/support/instance.ts';
import { networkVm, withQueues } from '../../test/support/guests/network-vm.ts';
import { allowBindings, OutsideServer, POD_NETWORK } from '../../test/support/network-world.ts';
import { startBareGuest } from './bare-guest.ts';
import { compareInTurn, line } from './compare.ts';

const BINDINGS: Readonly<Record<string, Partial<Interface>>> = {
  masquerade: { masquerade: {} },
  bridge: { bridge: {} },
  passt: { passtBinding: {} },
};
const BOOT_MS = 300_000;
const WARM_UP_MEGABYTES = 4;

/** Where a guest is, and where it finds this machine. */
interface Reach {
  readonly guest: string;
  readonly machine: string;
}

export async function benchGuests(megabytes: number, rounds: number, queues: number): Promise<void> {
  const instance = await Instance.prepare();
  try {
    await using server = await OutsideServer.start();
    const { code, stdout, stderr } = await instance.up(`${root}/examples/hello.yaml`);
    assert.equal(code, 0, stdout + stderr);
    const { client } = instance;
    await client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await allowBindings(instance);
    const machine = instance.podCidr.replace(/\.0\.0\/.*$/, '.0.1');
    const nameOf = (binding: string): string => `bench-${process.pid}-${binding}`;
    for (const [binding, nic] of Object.entries(BINDINGS)) {
      const vm = networkVm(nameOf(binding), [{ name: 'default', ...nic }], POD_NETWORK);
      await client.create(resources.virtualMachines, queues > 1 ? withQueues(vm, queues) : vm);
    }
    const reaches = new Map<string, Reach>();
    for (const binding of Object.keys(BINDINGS)) {
      const guest = await eventually(`${binding} answers`, BOOT_MS, async () => {
        const name = nameOf(binding);
        const vmi = await client.get(resources.virtualMachineInstances, { namespace: 'default', name });
        const address = vmi.status?.interfaces?.[0]?.ipAddress;
        return address !== undefined && (await answers(address)) ? address : undefined;
      });
      reaches.set(binding, { guest, machine });
    }
    await using bare = await startBareGuest(instance.name, nameOf('masquerade'), { queues });
    await eventually('the bare guest answers', BOOT_MS, async () => {
      assert.equal(bare.words(), '');
      return (await answers(bare.guest)) || undefined;
    });
    const contender = (name: string, reach: Reach) => ({
      name,
      measure: () => transfer(reach, server.port, megabytes, queues),
    });
    // The first transfer pays for code that QEMU has not translated yet.
    for (const reach of [bare, ...reaches.values()])
      await transfer(reach, server.port, WARM_UP_MEGABYTES, queues);
    const compared = await compareInTurn(
      contender('bare TAP', bare),
      [...reaches].map(([name, reach]) => contender(name, reach)),
      rounds,
    );
    console.log(
      `throughput of guests, ${queues} queue(s), ${megabytes} MiB a direction, median of ${rounds} rounds and of their ratios (bar: 0.9):`,
    );
    for (const one of compared) console.log(line(one));
  } finally {
    await instance.purge();
  }
}

/** Gigabits a second, through `streams` connections at once. */
async function transfer(
  { guest, machine }: Reach,
  port: number,
  megabytes: number,
  streams: number,
): Promise<Readonly<Record<string, number>>> {
  const bytes = Math.round((megabytes * 1024 * 1024) / streams);
  const atOnce = async (one: () => Promise<void>): Promise<number> => {
    const started = performance.now();
    await Promise.all(Array.from({ length: streams }, one));
    return (bytes * streams * 8) / ((performance.now() - started) * 1e6);
  };
  const inward = await atOnce(async () => {
    const counted = await (
      await ask(guest, `cgi-bin/do?take=http://${machine}:${port}/bytes/${bytes}`)
    ).text();
    assert.ok(Number(counted) > bytes, counted);
  });
  const outward = await atOnce(async () => {
    const { body } = await ask(guest, 'zeros', bytes);
    let sent = 0;
    for await (const chunk of body ?? []) sent += chunk.length;
    assert.equal(sent, bytes);
  });
  return { 'to the guest': inward, 'from it': outward };
}

async function answers(address: string): Promise<boolean> {
  return (await (await ask(address, 'cgi-bin/net', undefined, 5_000)).text()).includes('inet');
}

/** `bytes`: only the first ones. */
async function ask(address: string, path: string, bytes?: number, timeoutMs = 300_000): Promise<Response> {
  const response = await fetch(`http://${address}/${path}`, {
    signal: AbortSignal.timeout(timeoutMs),
    headers: bytes === undefined ? {} : { range: `bytes=0-${bytes - 1}` },
  });
  assert.equal(response.status, bytes === undefined ? 200 : 206);
  return response;
}
