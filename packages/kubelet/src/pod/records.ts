/**
 * What the kubelet keeps on disk: one record per Pod and one per run of a container. A record only says
 * what we did; whether it still runs is always asked of the machine.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { type CniResult, readJson, writeJson } from '@podvisor/sys';
import { isAlive, startTicks } from '@podvisor/sys';
import { type KubeletContext, podContainersDirectory } from '../context.ts';
import type { ContainerHistory, ContainerRecord, ContainerRun, RunState } from './types.ts';

export interface PodRecord {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly hostNetwork: boolean;
  /** Result of the network plugins, once they ran. */
  readonly network?: CniResult;
  /** The boot in which network and volumes were set up. */
  readonly bootId?: string;
  /** First id on the machine of the Pod's user namespace; absent: it has none. */
  readonly userRange?: number;
  /** Why a launcher has none although it should. */
  readonly userFault?: string;
  /** The Pod was refused by the node. */
  readonly rejected?: { readonly reason: string; readonly message: string };
  /** Network, mounts, devices and control groups were removed from the machine. */
  readonly tornDown?: boolean;
}

export const bootId: string = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

export function readPodRecord(context: KubeletContext, uid: string): PodRecord | undefined {
  return readJson(join(podContainersDirectory(context, uid), 'pod.json')) as PodRecord | undefined;
}

export function writePodRecord(context: KubeletContext, record: PodRecord): void {
  const dir = podContainersDirectory(context, record.uid);
  mkdirSync(dir, { recursive: true, mode: 0o711 });
  writeJson(join(dir, 'pod.json'), record);
}

/** UIDs of all Pods that have something on disk. */
export function recordedPods(context: KubeletContext): readonly string[] {
  if (!existsSync(context.containersDir)) return [];
  return readdirSync(context.containersDir).filter((name) => name !== 'exits');
}

/** Directory (and OCI bundle) of one run. */
export function bundleDirectory(context: KubeletContext, uid: string, name: string, attempt: number): string {
  return join(podContainersDirectory(context, uid), name, String(attempt));
}

export function bundleOf(context: KubeletContext, record: ContainerRecord): string {
  return bundleDirectory(context, record.podUid, record.name, record.attempt);
}

export function writeContainerRecord(context: KubeletContext, record: ContainerRecord): void {
  writeJson(join(bundleOf(context, record), 'record.json'), record);
}

/** All runs of all containers of a Pod that are still on disk. */
export function readContainers(context: KubeletContext, uid: string): Map<string, ContainerHistory> {
  const dir = podContainersDirectory(context, uid);
  const found = new Map<string, ContainerHistory>();
  if (!existsSync(dir)) return found;
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const history = readdirSync(join(dir, entry.name))
      .map(
        (attempt) => readJson(join(dir, entry.name, attempt, 'record.json')) as ContainerRecord | undefined,
      )
      .filter((record) => record !== undefined)
      .toSorted((a, b) => b.attempt - a.attempt)
      .map((record): ContainerRun => ({ record, state: runState(context, record) }));
    if (history.length > 0) found.set(entry.name, history);
  }
  return found;
}

/** Asks the machine: an exit file or a process that is provably gone means exited, nothing else does. */
export function runState(context: KubeletContext, record: ContainerRecord): RunState {
  const told = toldExit(context, record);
  if (told !== undefined) return told;
  const { pid, startTicks: ticks, startedAt, monitor } = record;
  if (pid === undefined) return { kind: 'creating' };
  // A process that ended while its monitor lives counts as running: the monitor is about to tell its exit code.
  const lives = (p: number, t: string | undefined): boolean =>
    record.bootId === bootId && isAlive(p) && startTicks(p) === t;
  if (lives(pid, ticks) || (monitor !== undefined && lives(monitor.pid, monitor.startTicks))) {
    if (startedAt !== undefined) return { kind: 'running', pid, startedAtMs: startedAt };
    // runc removes this pipe when the container starts; we may have been killed before we noted it.
    const waits = existsSync(join(context.runcRoot, record.id, 'exec.fifo'));
    return waits ? { kind: 'creating' } : { kind: 'running', pid, startedAtMs: context.clock.now() };
  }
  // Both are gone now; the monitor may have told and ended between our two looks.
  const late = toldExit(context, record);
  if (late !== undefined) return late;
  if (startedAt === undefined) return { kind: 'creating' };
  return {
    kind: 'exited',
    exitCode: 137,
    startedAtMs: startedAt,
    finishedAtMs: statSync(join(bundleOf(context, record), 'record.json')).mtimeMs,
    reason: 'ContainerStatusUnknown',
    message: 'The container ended while nobody watched it (restart of the machine or loss of its monitor).',
  };
}

function toldExit(context: KubeletContext, record: ContainerRecord): RunState | undefined {
  const exitFile = join(context.exitDir, record.id);
  try {
    const exitCode = Number(readFileSync(exitFile, 'utf8').trim());
    return exited(context, record, exitCode, statSync(exitFile).mtimeMs);
  } catch {
    return undefined;
  }
}

function exited(context: KubeletContext, record: ContainerRecord, exitCode: number, atMs: number): RunState {
  const bundle = bundleOf(context, record);
  const oom = existsSync(join(bundle, 'oom'));
  return {
    kind: 'exited',
    exitCode,
    startedAtMs: record.startedAt,
    finishedAtMs: atMs,
    reason: oom ? 'OOMKilled' : exitCode === 0 ? 'Completed' : 'Error',
    message: terminationMessage(bundle, record, exitCode),
  };
}

const MESSAGE_LIMIT = 4096;

/** What the container left in its termination message file, or the end of its log when it asked for that. */
function terminationMessage(bundle: string, record: ContainerRecord, exitCode: number): string {
  const message = readTail(join(bundle, 'termination-log'), MESSAGE_LIMIT);
  if (message !== '' || record.terminationMessagePolicy !== 'FallbackToLogsOnError' || exitCode === 0)
    return message;
  return readTail(join(bundle, 'log'), 2048)
    .split('\n')
    .map((line) => line.replace(/^\S+ (?:stdout|stderr) [FP] /, ''))
    .slice(-80)
    .join('\n');
}

/** The container wrote the file: never more of it than `limit` bytes is read. */
function readTail(path: string, limit: number): string {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return '';
  }
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, limit));
    const count = readSync(fd, bytes, 0, bytes.length, Math.max(0, size - limit));
    return bytes.toString('utf8', 0, count);
  } finally {
    closeSync(fd);
  }
}
