/**
 * One scrape of a node's virt-handler: how long it takes, and what it costs this process. The guests are simulated: a
 * process of its own answers for all QEMUs, each at a real socket in QEMU's protocol, at once and with the numbers of a
 * usual guest, and is what is looked at in /proc; so what is measured is virt-handler's part, not QEMU's. Bar: 0.5 s
 * with 200 guests, and 2 % of a core at one scrape in 30 s.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type DomainState, QEMU_SOCKET } from '@podvisor/api';
import { exposition, requireUid } from '@podvisor/base';
import { type MeasuredVmi, Metrics } from '../packages/virt-handler/src/metrics/metrics.ts';
import { QemuNumbers } from '../packages/virt-handler/src/qemu-numbers/qemu-numbers.ts';

const GUESTS = 200;
const ROUNDS = 20;
const INTERVAL_SECONDS = 30;
const QEMUS = '--qemus';

export async function benchScrape(args: readonly string[]): Promise<void> {
  const guests = args.includes('--guests') ? Number(args[args.indexOf('--guests') + 1]) : GUESTS;
  const directory = mkdtempSync(join(tmpdir(), 'scrape-'));
  const qemus = fork(import.meta.filename, [QEMUS, directory, String(guests)]);
  try {
    await once(qemus, 'message');
    await measure(directory, guests);
  } finally {
    qemus.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(directory: string, guests: number): Promise<void> {
  const measured: MeasuredVmi[] = [];
  const conversations: QemuNumbers[] = [];
  for (let i = 0; i < guests; i += 1) {
    const uid = requireUid(randomUUID(), 'Pod');
    const checks = { uid: process.getuid?.() ?? 0, isInPod: () => true };
    const numbers = new QemuNumbers({ directory: join(directory, String(i)), podUid: uid, checks });
    conversations.push(numbers);
    measured.push({
      vmi: {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachineInstance',
        metadata: { name: `guest-${i}`, namespace: 'default', uid },
        spec: { domain: { devices: {} } },
        status: { phase: 'Running', volumeStatus: [{ name: 'root', target: 'vda' }] },
      },
      taps: { lo: 'default' },
      connection: { ask: () => Promise.reject(new Error('nobody asks launchers')) },
      numbers,
      told: TOLD,
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
  console.log(`${guests} guests, simulated QEMUs, ${((first?.bytes ?? 0) / 1024).toFixed(0)} KiB a scrape`);
  console.log(`first scrape            ${(first?.ms ?? 0).toFixed(0)} ms`);
  console.log(`a scrape, median of ${warm.length}  ${median('ms').toFixed(0)} ms (bar: 500)`);
  console.log(
    `CPU of virt-handler     ${median('cpuMs').toFixed(0)} ms, ${share.toFixed(2)} % of a core at one in ${INTERVAL_SECONDS} s (bar: 2)`,
  );
  for (const numbers of conversations) numbers[Symbol.dispose]();
}

/** What its launcher said of a guest with two virtual CPUs and two file systems. */
const TOLD: DomainState = {
  name: 'guest',
  state: 'running',
  memoryBytes: { current: 134_217_728, max: 134_217_728 },
  cpu: { sockets: 1, cores: 2, threads: 1 },
  filesystems: ['/', '/boot'].map((mountPoint, i) => ({
    ...{ diskName: `vda${i + 1}`, mountPoint, fileSystemType: 'ext4', totalBytes: 10_000, usedBytes: 4_000 },
  })),
} as unknown as DomainState;

/** What QEMU answers for a guest with one disk whose balloon driver works. */
function answerTo({ execute }: { readonly execute?: string }): unknown {
  if (execute === 'query-balloon') return { actual: 134_217_728 };
  const of = (names: readonly string[]): Record<string, number> =>
    Object.fromEntries(names.map((name, index) => [name, 1_000_000 + index]));
  if (execute === 'qom-get')
    return {
      stats: of([
        ...['stat-swap-in', 'stat-swap-out', 'stat-major-faults', 'stat-minor-faults', 'stat-free-memory'],
        ...['stat-total-memory', 'stat-available-memory', 'stat-disk-caches', 'stat-htlb-pgalloc'],
      ]),
      'last-update': 1_700_000_000,
    };
  if (execute !== 'query-blockstats') return {};
  const stats = of([
    ...['rd_operations', 'rd_bytes', 'rd_total_time_ns', 'wr_operations', 'wr_bytes', 'wr_total_time_ns'],
    ...['flush_operations', 'flush_total_time_ns', 'unmap_operations', 'wr_highest_offset', 'rd_merged'],
  ]);
  // As QEMU does: each layer of the disk below the one that the guest sees.
  const layer = (depth: number): Record<string, unknown> => ({
    'node-name': `libvirt-1-layer-${depth}`,
    stats,
    ...(depth < 3 ? { parent: layer(depth + 1) } : {}),
  });
  return [{ ...layer(0), device: '', qdev: '/machine/peripheral/ua-root/virtio-backend' }];
}

function answer(socket: Socket): void {
  socket.write('{"QMP": {"version": {}, "capabilities": ["oob"]}}\r\n');
  socket.on('error', () => socket.destroy());
  createInterface({ input: socket }).on('line', (line) => {
    const question = JSON.parse(line) as { readonly execute?: string; readonly id?: number };
    socket.write(`${JSON.stringify({ return: answerTo(question), id: question.id })}\r\n`);
  });
}

if (process.argv[2] === QEMUS) {
  const [directory = '', count = '0'] = process.argv.slice(3);
  for (let i = 0; i < Number(count); i += 1) {
    mkdirSync(join(directory, String(i)));
    const server = createServer(answer).listen(join(directory, String(i), QEMU_SOCKET));
    await once(server, 'listening');
  }
  process.send?.('ready');
}
