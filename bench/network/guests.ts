/**
 * TCP throughput between real guests and this machine: each binding beside a QEMU with the same command line, weight
 * and image, whose TAP is a port of a bare bridge. All run at once and are measured in turn. Data comes
 * and goes through the guest's own busybox (wget, httpd).
 */
import assert from 'node:assert/strict';
import type { Interface } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../../test/support/eventually.ts';
import { Instance, root } from '../../test/support/instance.ts';
import { networkVm } from '../../test/support/network-vm.ts';
import { allowBindings, OutsideServer, POD_NETWORK } from '../../test/support/network-world.ts';
import { startBareGuest } from './bare-guest.ts';
import { compareInTurn, line } from './compare.ts';

const BINDINGS: Readonly<Record<string, Partial<Interface>>> = {
  masquerade: { masquerade: {} },
  bridge: { bridge: {} },
  passt: { passtBinding: {} },
};
const BOOT_MS = 300_000;
const BLOCK = 65_536;
const WARM_UP_MEGABYTES = 4;

/** Where a guest is, and where it finds this machine. */
interface Reach {
  readonly guest: string;
  readonly machine: string;
}

export async function benchGuests(megabytes: number, rounds: number): Promise<void> {
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
    for (const [binding, nic] of Object.entries(BINDINGS))
      await client.create(
        resources.virtualMachines,
        networkVm(nameOf(binding), [{ name: 'default', ...nic }], POD_NETWORK),
      );
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
    await using bare = await startBareGuest(instance.name, nameOf('masquerade'));
    await eventually('the bare guest answers', BOOT_MS, async () => {
      assert.equal(bare.words(), '');
      return (await answers(bare.guest)) || undefined;
    });
    const contender = (name: string, reach: Reach) => ({
      name,
      measure: () => transfer(reach, server.port, megabytes),
    });
    // The first transfer pays for code that QEMU has not translated yet.
    for (const reach of [bare, ...reaches.values()]) await transfer(reach, server.port, WARM_UP_MEGABYTES);
    const compared = await compareInTurn(
      contender('bare TAP', bare),
      [...reaches].map(([name, reach]) => contender(name, reach)),
      rounds,
    );
    console.log(
      `throughput of guests, ${megabytes} MiB a direction, median of ${rounds} rounds and of their ratios (bar: 0.9):`,
    );
    for (const one of compared) console.log(line(one));
  } finally {
    await instance.purge();
  }
}

/** Gigabits a second. */
async function transfer(
  { guest, machine }: Reach,
  port: number,
  megabytes: number,
): Promise<Readonly<Record<string, number>>> {
  const bytes = megabytes * 1024 * 1024;
  const gigabits = (started: number): number => (bytes * 8) / ((performance.now() - started) * 1e6);
  let started = performance.now();
  const came = await (await ask(guest, `do?size=http://${machine}:${port}/bytes/${bytes}`)).text();
  const inward = gigabits(started);
  assert.equal(Number(came), bytes);
  started = performance.now();
  const { body } = await ask(guest, `do?send=${bytes / BLOCK}`);
  let sent = 0;
  for await (const chunk of body ?? []) sent += chunk.length;
  assert.equal(sent, bytes);
  return { 'to the guest': inward, 'from it': gigabits(started) };
}

async function answers(address: string): Promise<boolean> {
  return (await (await ask(address, 'net', 5_000)).text()).includes('inet');
}

async function ask(address: string, what: string, timeoutMs = 300_000): Promise<Response> {
  const response = await fetch(`http://${address}/cgi-bin/${what}`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  assert.equal(response.status, 200);
  return response;
}
