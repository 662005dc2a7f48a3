/**
 * What the network costs: phase 1 for one Pod (plan, apply, nothing else), and TCP throughput between a guest
 * and the world outside the Pod for each binding, beside a bare path in the same run. First with network namespaces
 * joined by veth pairs, so that the path is measured and not the emulated CPU (the last cable stands for the TAP);
 * then with real guests (`guests.ts`).
 */
import { parseArgs } from 'node:util';
import type { Interface } from '@podvisor/api';
import { type BindingSpec, describePodNic, observeNetns, planBinding } from '@podvisor/network';
import { applyActions, undoBridge, undoMasquerade } from '@podvisor/network';
import { createNetns, ipBatch, netnsPath, removeNetns, run, runInNetns, startProcess } from '@podvisor/sys';
import { benchGuests } from './guests.ts';

const POD_ADDRESS = '10.99.0.5';
const WORLD_ADDRESS = '10.99.0.1';
const BINDINGS: Readonly<Record<string, Partial<Interface>>> = {
  masquerade: { masquerade: {} },
  bridge: { bridge: {} },
};

export async function benchNetwork(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '3' },
      megabytes: { type: 'string', default: '128' },
      rounds: { type: 'string', default: '3' },
    },
  });
  for (const [name, nic] of Object.entries(BINDINGS)) {
    const times = await phaseOneTimes(nic, Number(values.runs));
    console.log(`phase 1, ${name.padEnd(10)} ${summary(times)} ms a Pod (bar: 50 ms)`);
  }
  await benchPaths(Number(values.seconds));
  await benchGuests(Number(values.megabytes), Number(values.rounds));
}

async function benchPaths(seconds: number): Promise<void> {
  if ((await run('which', ['iperf3'], { okCodes: [0, 1] })).code !== 0) {
    console.log('throughput of paths: iperf3 is not installed (apt-get install iperf3), left out');
    return;
  }
  const bare = await throughput(undefined, seconds);
  console.log(`throughput of paths, bare bridge ${bare.toFixed(2)} Gbit/s`);
  for (const [name, nic] of Object.entries(BINDINGS)) {
    const gigabits = await throughput(nic, seconds);
    const ratio = (gigabits / bare).toFixed(2);
    console.log(
      `throughput of paths, ${name.padEnd(11)} ${gigabits.toFixed(2)} Gbit/s, ${ratio} × bare (bar: 0.9)`,
    );
  }
}

/** A Pod as a network plugin leaves it, and the world at the other end of its cable. */
async function withPod<T>(body: (pod: string, world: string, name: string) => Promise<T>): Promise<T> {
  const name = `pvb${process.pid}`;
  const spaces = ['pod', 'world', 'guest'].map((part) => `${name}-${part}`);
  try {
    for (const space of spaces) await createNetns(space);
    const [pod = '', world = ''] = spaces.map(netnsPath);
    await ipBatch(world, [
      `link add w0 type veth peer name eth0 netns ${spaces[0]}`,
      `addr add ${WORLD_ADDRESS}/24 dev w0`,
      'link set w0 up',
    ]);
    await ipBatch(pod, [
      `addr add ${POD_ADDRESS}/24 dev eth0`,
      'link set eth0 up',
      `route add default via ${WORLD_ADDRESS} dev eth0`,
    ]);
    return await body(pod, world, name);
  } finally {
    for (const space of spaces) await removeNetns(space);
  }
}

async function bind(pod: string, nicSpec: Partial<Interface>): Promise<() => Promise<void>> {
  const observed = await observeNetns(pod);
  const nic = describePodNic('eth0', observed.links, observed.routes, observed.routes6);
  if (nic === undefined) throw new Error('the Pod has no eth0');
  const spec: BindingSpec = {
    interface: { name: 'default', ...nicSpec },
    network: { name: 'default', pod: {} },
    index: 0,
    queueCount: 1,
    guest: { hostname: 'bench', dnsServers: [], searchDomains: [] },
  };
  await applyActions(pod, planBinding(spec, nic, observed).actions);
  return async () => {
    const now = await observeNetns(pod);
    await applyActions(
      pod,
      nicSpec.bridge === undefined ? undoMasquerade('eth0', now) : undoBridge(nic, now),
    );
  };
}

async function phaseOneTimes(nic: Partial<Interface>, runs: number): Promise<readonly number[]> {
  return await withPod(async (pod) => {
    const times: number[] = [];
    for (let i = 0; i < runs; i += 1) {
      const start = performance.now();
      const undo = await bind(pod, nic);
      times.push(performance.now() - start);
      await undo();
    }
    return times;
  });
}

/** Gigabits a second from the world to the guest. Without a binding: one bridge, nothing else. */
async function throughput(nic: Partial<Interface> | undefined, seconds: number): Promise<number> {
  return await withPod(async (pod, world, name) => {
    if (nic === undefined)
      await ipBatch(pod, [
        'addr flush dev eth0',
        'link add k6t-eth0 type bridge',
        'link set eth0 master k6t-eth0',
        'link set k6t-eth0 up',
      ]);
    else await bind(pod, nic);
    await ipBatch(pod, [
      `link add guestport type veth peer name nic0 netns ${name}-guest`,
      'link set guestport master k6t-eth0 up',
    ]);
    const isNat = nic?.masquerade !== undefined;
    const guest = netnsPath(`${name}-guest`);
    await ipBatch(guest, [
      `addr add ${isNat ? '10.0.2.2' : POD_ADDRESS}/24 dev nic0`,
      'link set nic0 up',
      `route add default via ${isNat ? '10.0.2.1' : WORLD_ADDRESS}`,
    ]);
    const server = await startProcess(
      'nsenter',
      [`--net=${guest}`, '--', 'iperf3', '-s', '-1', '--forceflush'],
      {
        pipe: true,
      },
    );
    await new Promise((resolve) => server.child.stdout?.once('data', resolve));
    const client = ['-c', POD_ADDRESS, '-t', String(seconds), '-J', '--connect-timeout', '3000'];
    const { stdout } = await runInNetns(world, 'iperf3', client, { timeoutMs: (seconds + 15) * 1000 });
    await server.exited;
    const report = JSON.parse(stdout) as { end: { sum_received: { bits_per_second: number } } };
    return report.end.sum_received.bits_per_second / 1e9;
  });
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(0);
  return `p50 ${at(0.5)}, max ${at(1)}`;
}
