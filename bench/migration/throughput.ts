/** How many bytes a second pass from a process in the source Pod to one in the target Pod, beside a plain TCP copy. */
import { requireUid } from '@podvisor/base';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MIGRATION_CHANNELS, migrationSocketName } from '@podvisor/api';
import { createCa, issueCertificate } from '@podvisor/kube';
import { CLIENT_NAME, MigrationListeners, SERVER_NAME, SourceSockets } from '@podvisor/virt-handler';

const UID = requireUid('6f1c8a52-0000-4000-8000-000000000001');
const NODE = 'bench';
const BYTES = 512 * 1024 * 1024;
const CHUNK = Buffer.alloc(256 * 1024, 'podvisor');
const log = { info: () => {}, warn: () => {}, error: () => {} };

/** Megabytes (10⁶) a second. Source, target and sink are threads of their own, as they are processes in life. */
export async function proxyThroughput(): Promise<{ readonly plainMBps: number; readonly proxyMBps: number }> {
  const directory = mkdtempSync('/tmp/pvt-');
  try {
    makeTls(directory);
    mkdirSync(join(directory, 'sockets'));
    const sink = await startWorker('sink', directory);
    const target = await startWorker('target', directory);
    const plainMBps = await pour(() => connect({ host: '127.0.0.1', port: Number(sink.said['port']) }));
    const source = await startWorker('source', directory, Number(target.said['port']));
    const path = join(directory, 'sockets', migrationSocketName(UID, MIGRATION_CHANNELS.memory, 'source'));
    const proxyMBps = await pour(() => connect({ path }));
    await Promise.all([sink, target, source].map(({ worker }) => worker.terminate()));
    return { plainMBps, proxyMBps };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Sends all bytes and waits until the sink has closed, which it does when it has them. */
async function pour(dial: () => Socket): Promise<number> {
  const socket = dial();
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {}); // the sink closes when it has enough
  socket.resume();
  const from = performance.now();
  for (let sent = 0; sent < BYTES; sent += CHUNK.length)
    if (!socket.write(CHUNK)) await new Promise<void>((resolve) => socket.once('drain', resolve));
  socket.end();
  await closed;
  return BYTES / 1e6 / ((performance.now() - from) / 1000);
}

async function startWorker(
  role: 'sink' | 'target' | 'source',
  directory: string,
  port = 0,
): Promise<{ readonly worker: Worker; readonly said: Readonly<Record<string, unknown>> }> {
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role, directory, port },
    trackUnmanagedFds: false,
  });
  const said = await new Promise<Record<string, unknown>>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return { worker, said };
}

function makeTls(directory: string): void {
  const now = Date.now();
  const ca = createCa({ commonName: 'bench', now });
  writeFileSync(join(directory, 'ca.crt'), ca.certificate);
  for (const [role, commonName] of [
    ['client', CLIENT_NAME],
    ['server', SERVER_NAME],
  ] as const) {
    const pair = issueCertificate(ca, {
      commonName,
      organizationalUnits: [`node:${NODE}`],
      usages: [role],
      now,
    });
    writeFileSync(join(directory, `migration-${role}.crt`), pair.certificate);
    writeFileSync(join(directory, `migration-${role}.key`), pair.key);
  }
}

async function runSink(directory: string): Promise<void> {
  const take = (socket: Socket): void => {
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes >= BYTES) socket.end();
    });
    socket.on('error', () => socket.destroy());
  };
  const tcp = createServer(take);
  const unix = createServer(take);
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  await new Promise<void>((resolve) => unix.listen(join(directory, 'sink.sock'), resolve));
  parentPort?.postMessage({ port: (tcp.address() as AddressInfo).port });
}

async function runSource(directory: string, port: number): Promise<void> {
  await SourceSockets.open({
    directory: join(directory, 'sockets'),
    uid: process.getuid?.() ?? 0,
    isLauncher: () => true,
    tlsDir: directory,
    migrationUid: UID,
    target: { node: NODE, address: '127.0.0.1', ports: new Map([[MIGRATION_CHANNELS.memory, port]]) },
    log,
  });
  parentPort?.postMessage({});
}

async function runTarget(directory: string): Promise<void> {
  const listeners = await MigrationListeners.open({
    address: '127.0.0.1',
    tlsDir: directory,
    migrationUid: UID,
    sourceNode: NODE,
    dial: async () => connect({ path: join(directory, 'sink.sock'), allowHalfOpen: true }),
    log,
  });
  const memory = Object.entries(listeners.ports).find(([, channel]) => channel === MIGRATION_CHANNELS.memory);
  parentPort?.postMessage({ port: Number(memory?.[0]) });
}

interface Role {
  readonly role: 'sink' | 'target' | 'source';
  readonly directory: string;
  readonly port: number;
}

if (!isMainThread) {
  const { role, directory, port } = workerData as Role;
  if (role === 'sink') await runSink(directory);
  else if (role === 'target') await runTarget(directory);
  else await runSource(directory, port);
}
