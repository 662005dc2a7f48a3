/**
 * One scrape of a node's virt-handler: how long it takes, and what it costs this process. The guests are simulated:
 * launchers in a process of their own speak the real protocol on real sockets and answer at once with the numbers of a
 * usual guest, so that what is measured is virt-handler's part, not libvirt's. Bar: 0.5 s with 200 guests, and 2 % of a
 * core at one scrape in 30 s.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exposition, requireUid } from '@podvisor/base';
import { LauncherConnection } from '../packages/virt-handler/src/launcher-client/connection.ts';
import { openLauncherSocket } from '../packages/virt-handler/src/launcher-client/socket.ts';
import { type MeasuredVmi, Metrics } from '../packages/virt-handler/src/metrics/metrics.ts';
import { FakeLauncher } from '../packages/virt-handler/src/testing/fake-launcher.ts';

const GUESTS = 200;
const ROUNDS = 20;
const INTERVAL_SECONDS = 30;
const LAUNCHERS = '--launchers';

export async function benchScrape(args: readonly string[]): Promise<void> {
  const guests = args.includes('--guests') ? Number(args[args.indexOf('--guests') + 1]) : GUESTS;
  const directory = mkdtempSync(join(tmpdir(), 'scrape-'));
  const launchers = fork(import.meta.filename, [LAUNCHERS, directory, String(guests)]);
  try {
    await once(launchers, 'message');
    await measure(directory, guests);
  } finally {
    launchers.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(directory: string, guests: number): Promise<void> {
  const measured: MeasuredVmi[] = [];
  for (let i = 0; i < guests; i += 1) {
    const uid = requireUid(randomUUID(), 'Pod');
    const checks = { uid: process.getuid?.() ?? 0, isInPod: () => true };
    const socket = await openLauncherSocket(join(directory, String(i)), uid, checks);
    measured.push({
      vmi: {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata: { name: `guest-${i}`, namespace: 'default', uid },
        spec: { domain: { devices: {} } },
        status: { phase: 'Running', volumeStatus: [{ name: 'root', target: 'vda' }] },
      },
      taps: { tap0: 'default' },
      connection: new LauncherConnection(socket),
      numbers: { read: async () => undefined },
    });
  }
  const metrics = new Metrics();
  metrics.serve({
    nodeName: 'node-1',
    measured: () => measured,
    emulationAllowed: () => true,
    deprecatedMachineTypes: () => [],
    found: [],
    certificates: () => ({}),
  });
  const rounds: { ms: number; cpuMs: number; bytes: number }[] = [];
  for (let i = 0; i < ROUNDS; i += 1) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    const text = exposition(await metrics.families());
    const cpu = process.cpuUsage(before);
    rounds.push({
      ms: performance.now() - startedAt,
      cpuMs: (cpu.user + cpu.system) / 1000,
      bytes: text.length,
    });
  }
  const [first, ...warm] = rounds;
  const median = (of: 'ms' | 'cpuMs'): number =>
    warm.map((round) => round[of]).toSorted((a, b) => a - b)[Math.floor(warm.length / 2)] ?? 0;
  const share = (median('cpuMs') / (INTERVAL_SECONDS * 1000)) * 100;
  console.log(
    `${guests} guests, simulated launchers, ${((first?.bytes ?? 0) / 1024).toFixed(0)} KiB a scrape`,
  );
  console.log(`first scrape            ${(first?.ms ?? 0).toFixed(0)} ms`);
  console.log(`a scrape, median of ${warm.length}  ${median('ms').toFixed(0)} ms (bar: 500)`);
  console.log(
    `CPU of virt-handler     ${median('cpuMs').toFixed(0)} ms, ${share.toFixed(2)} % of a core at one in ${INTERVAL_SECONDS} s (bar: 2)`,
  );
  for (const { connection } of measured)
    if (connection instanceof LauncherConnection) connection[Symbol.dispose]();
}

/** Numbers of a guest with two virtual CPUs, a disk, a NIC and two file systems. */
function usualStats(): Readonly<Record<string, unknown>> {
  const of = (prefix: string, names: readonly string[]): Record<string, number> =>
    Object.fromEntries(names.map((name, index) => [`${prefix}.${name}`, 1_000_000 + index]));
  const filesystem = (index: number, mount: string): Record<string, unknown> => ({
    [`guest.filesystem.${index}.mount`]: mount,
    [`guest.filesystem.${index}.disk`]: `vda${index + 1}`,
    [`guest.filesystem.${index}.type`]: 'ext4',
    [`guest.filesystem.${index}.total`]: 10_000,
    [`guest.filesystem.${index}.used`]: 4_000,
  });
  return {
    ...of('cpu', ['time', 'user', 'system']),
    ...of('balloon', [
      'current',
      'available',
      'unused',
      'usable',
      'rss',
      'swap_in',
      'swap_out',
      'major_fault',
      'minor_fault',
      'disk_caches',
    ]),
    'net.count': 1,
    'net.0.name': 'tap0',
    ...of('net.0', [
      'rx.bytes',
      'rx.pkts',
      'rx.errs',
      'rx.drop',
      'tx.bytes',
      'tx.pkts',
      'tx.errs',
      'tx.drop',
    ]),
    'block.count': 1,
    'block.0.name': 'vda',
    ...of('block.0', [
      'rd.reqs',
      'rd.bytes',
      'rd.times',
      'wr.reqs',
      'wr.bytes',
      'wr.times',
      'fl.reqs',
      'fl.times',
    ]),
    'vcpu.maximum': 2,
    ...of('vcpu.0', ['state', 'time', 'wait', 'delay']),
    ...of('vcpu.1', ['state', 'time', 'wait', 'delay']),
    'guest.filesystem.count': 2,
    ...filesystem(0, '/'),
    ...filesystem(1, '/boot'),
  };
}

if (process.argv[2] === LAUNCHERS) {
  const [directory = '', count = '0'] = process.argv.slice(3);
  for (let i = 0; i < Number(count); i += 1) {
    const launcher = new FakeLauncher(join(directory, String(i)));
    launcher.answers.set('stats', usualStats());
    await launcher.start();
  }
  process.send?.('ready');
}
