/**
 * Import of an image over http on loopback beside `qemu-img convert` of the same file, which is on the disk
 * already: what streaming, checking and confinement cost. And a snapshot beside `cp`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { importStream } from '../packages/importer/src/import.ts';
import { Progress } from '../packages/importer/src/progress.ts';
import { openHttp } from '../packages/importer/src/source/http.ts';
import { takeSnapshot, makeLocalData } from '../packages/cluster/src/local-volumes/local-data.ts';

const MIB = 1024 * 1024;
const DATA_MIB = 256;
const SIZE_MIB = 256;
const UID = '00000000-0000-4000-8000-000000000000';

export async function benchImport(args: readonly string[]): Promise<void> {
  const runs = Number(args[args.indexOf('--runs') + 1] ?? 3) || 3;
  const root = mkdtempSync('/var/tmp/podvisor-bench-import-');
  try {
    const raw = join(root, 'disk.raw');
    makeDisk(raw);
    const qcow2 = join(root, 'disk.qcow2');
    execFileSync('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', raw, qcow2]);
    const packed = join(root, 'packed.qcow2');
    execFileSync('qemu-img', ['convert', '-c', '-f', 'raw', '-O', 'qcow2', raw, packed]);
    for (const [name, format, file] of [
      ['raw', 'raw', raw],
      ['qcow2', 'qcow2', qcow2],
      ['compressed qcow2', 'qcow2', packed],
    ] as const) {
      const ours: number[] = [];
      const theirs: number[] = [];
      // In turn, so that both meet the same machine.
      for (let i = 0; i < runs; i += 1) {
        theirs.push(await timed(() => byHand(format, file, join(root, 'by-hand'))));
        ours.push(await imported(file, join(root, `claim-${format}-${i}`)));
      }
      report(`import of ${name}, ${DATA_MIB} MiB of data`, ours, 'qemu-img convert', theirs);
    }
    await benchSnapshot(root, raw, runs);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function benchSnapshot(root: string, raw: string, runs: number): Promise<void> {
  const directories = { volumes: join(root, 'volumes'), snapshots: join(root, 'snapshots') };
  const volume = await makeLocalData(directories, `pvc-${UID}`, { mode: 'Filesystem', bytes: 1 });
  execFileSync('cp', ['--sparse=always', raw, join(volume, 'disk.img')]);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let i = 0; i < runs; i += 1) {
    const uid = `${UID.slice(0, -1)}${i}`;
    const target = join(root, `copy-${i}`);
    theirs.push(await timed(() => execFileSync('cp', ['--sparse=auto', join(volume, 'disk.img'), target])));
    execFileSync('sync', ['-f', root]);
    ours.push(await timed(() => takeSnapshot(directories, `snapshot-${uid}`, `pvc-${UID}`)));
  }
  report(`snapshot (on disk), ${DATA_MIB} MiB of data`, ours, 'cp (not synced)', theirs);
}

function makeDisk(path: string): void {
  const fd = openSync(path, 'w');
  const block = Buffer.alloc(MIB);
  // Every second page repeats, as files do: something to compress.
  for (let i = 0; i < DATA_MIB; i += 1) {
    randomFillSync(block);
    for (let at = 0; at < MIB; at += 8192) block.copyWithin(at + 4096, at, at + 4096);
    writeSync(fd, block, 0, MIB, i * MIB);
  }
  ftruncateSync(fd, SIZE_MIB * MIB);
  closeSync(fd);
}

function byHand(format: string, file: string, target: string): void {
  execFileSync('qemu-img', [
    'convert',
    '-f',
    format,
    '-O',
    'raw',
    '-W',
    '-m',
    '8',
    '-S',
    '64k',
    file,
    target,
  ]);
  execFileSync('sync', [target]);
  rmSync(target);
}

/** Milliseconds. */
async function imported(file: string, directory: string): Promise<number> {
  mkdirSync(directory);
  // A process of its own, as web servers are.
  const server = spawn(process.execPath, [join(import.meta.dirname, 'import-server.ts'), file]);
  const [line] = await once(server.stdout, 'data');
  const url = String(line).trim();
  const startedAt = performance.now();
  const { signal } = new AbortController();
  const source = await openHttp({ url, headers: {} }, signal);
  const progress = new Progress(
    () => undefined,
    () => performance.now(),
  );
  const job = { volumeMode: 'Filesystem', capacityBytes: SIZE_MIB * MIB } as const;
  await importStream(source, { job, directory, device: '', progress, name: url }, signal);
  const took = performance.now() - startedAt;
  server.kill();
  rmSync(directory, { recursive: true });
  return took;
}

async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function report(what: string, ours: readonly number[], other: string, theirs: readonly number[]): void {
  const median = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const [a, b] = [median(ours), median(theirs)];
  console.log(`${what}: ${a.toFixed(0)} ms; ${other}: ${b.toFixed(0)} ms; ratio ${(a / b).toFixed(2)}`);
}
