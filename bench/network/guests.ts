/**
 * TCP throughput between real guests and this machine: each binding beside a QEMU that was started by hand on a bare
 * bridge and TAP, with the same image, CPU, memory and NIC. All run at once and are measured in turn, so that
 * a busy moment hits them alike. Data comes and goes through the guest's own busybox (wget, httpd).
 */
import assert from 'node:assert/strict';
import type { Interface } from '@podvisor/api';
import { resources } from '@podvisor/kube';
import { eventually } from '../../test/support/eventually.ts';
import { Instance, root } from '../../test/support/instance.ts';
import { networkVm } from '../../test/support/network-vm.ts';
import { allowPasst, OutsideServer, POD_NETWORK } from '../../test/support/network-world.ts';
import { startBareGuest } from './bare-guest.ts';

const BINDINGS: Readonly<Record<string, Partial<Interface>>> = {
  masquerade: { masquerade: {} },
  bridge: { bridge: {} },
  passt: { passtBinding: {} },
};
const BARE = 'bare TAP';
const BOOT_MS = 300_000;
const BLOCK = 65_536;

/** Where a guest is, and where it finds this machine. */
interface Reach {
  readonly guest: string;
  readonly machine: string;
}

/** Gigabits a second. */
interface Rates {
  readonly inward: number;
  readonly outward: number;
}

export async function benchGuests(megabytes: number, rounds: number): Promise<void> {
  const instance = await Instance.prepare();
  try {
    await using server = await OutsideServer.start();
    const { code, stdout, stderr } = await instance.up(`${root}/examples/hello.yaml`);
    assert.equal(code, 0, stdout + stderr);
    const { client } = instance;
    await client.delete(resources.virtualMachines, { namespace: 'default', name: 'hello' });
    await allowPasst(instance);
    const gateway = instance.podCidr.replace(/\.0\.0\/.*$/, '.0.1');
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
      reaches.set(binding, { guest, machine: gateway });
      console.log(`${binding}: the guest answers at ${guest}`);
    }
    await using bare = await startBareGuest(instance.home, nameOf('masquerade'));
    await eventually('the bare guest answers', BOOT_MS, async () => (await answers(bare.guest)) || undefined);
    reaches.set(BARE, bare);
    console.log(`${BARE}: the guest answers at ${bare.guest}`);
    await measureInTurn(reaches, server.port, megabytes, rounds);
  } finally {
    await instance.purge();
  }
}

async function measureInTurn(
  reaches: ReadonlyMap<string, Reach>,
  port: number,
  megabytes: number,
  rounds: number,
): Promise<void> {
  const rates = new Map<string, Rates[]>([...reaches.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, reach] of reaches) {
      const taken = await transfer(reach, port, megabytes);
      rates.get(name)?.push(taken);
      console.log(`  ${name}: ${taken.inward.toFixed(3)} in, ${taken.outward.toFixed(3)} out`);
    }
  const medianOf = (name: string, direction: keyof Rates): number => {
    const sorted = (rates.get(name) ?? []).map((one) => one[direction]).toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  console.log(`throughput of guests, ${megabytes} MiB a direction, median of ${rounds} (bar: 0.9 × bare):`);
  for (const name of reaches.keys()) {
    const shown = (['inward', 'outward'] as const).map((direction) => {
      const rate = medianOf(name, direction);
      return `${rate.toFixed(3)} Gbit/s = ${(rate / medianOf(BARE, direction)).toFixed(2)} ×`;
    });
    console.log(`  ${name.padEnd(11)} to the guest ${shown[0]}, from it ${shown[1]}`);
  }
}

async function transfer({ guest, machine }: Reach, port: number, megabytes: number): Promise<Rates> {
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
  return { inward, outward: gigabits(started) };
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
