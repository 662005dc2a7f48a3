/**
 * TCP throughput of the bindings' paths beside a bare bridge, with network namespaces joined by veth pairs, so that
 * the path is measured and not an emulated CPU: the last cable stands for the TAP. Needs iperf3.
 */
import type { Interface } from '@podvisor/api';
import { ipBatch, netnsPath, run, runInNetns, startProcess } from '@podvisor/sys';
import { compareInTurn, line } from './compare.ts';
import { bind, POD_ADDRESS, withPod, WORLD_ADDRESS } from './pod.ts';

export async function benchPaths(
  bindings: Readonly<Record<string, Partial<Interface>>>,
  seconds: number,
  rounds: number,
): Promise<void> {
  if ((await run('which', ['iperf3'], { okCodes: [0, 1] })).code !== 0) {
    console.log('throughput of paths: iperf3 is not installed (apt-get install iperf3), left out');
    return;
  }
  const contender = (name: string, nic: Partial<Interface> | undefined) => ({
    name,
    measure: async () => ({ 'to the guest': await throughput(nic, seconds) }),
  });
  const compared = await compareInTurn(
    contender('bare bridge', undefined),
    Object.entries(bindings).map(([name, nic]) => contender(name, nic)),
    rounds,
  );
  console.log(
    `throughput of paths, ${seconds} s each, median of ${rounds} rounds and of their ratios (bar: 0.9):`,
  );
  for (const one of compared) console.log(line(one));
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
      { pipe: true },
    );
    await new Promise((resolve) => server.child.stdout?.once('data', resolve));
    const client = ['-c', POD_ADDRESS, '-t', String(seconds), '-J', '--connect-timeout', '3000'];
    const { stdout } = await runInNetns(world, 'iperf3', client, { timeoutMs: (seconds + 15) * 1000 });
    await server.exited;
    const report = JSON.parse(stdout) as { end: { sum_received: { bits_per_second: number } } };
    return report.end.sum_received.bits_per_second / 1e9;
  });
}
