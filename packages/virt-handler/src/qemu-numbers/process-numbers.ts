/**
 * What the kernel knows of a QEMU: CPU time as a whole and by virtual CPU, memory, and the packets of its TAP devices,
 * under libvirt's names. Nothing is asked of the process. The directory in /proc is held open: it never shows another
 * process that got the same number. Reading from /proc does not wait, so it is done in place.
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { firstNames, type OwnedFd } from '@podvisor/sys';

/** Linux tells user space a hundredth of a second, whatever the kernel counts in. */
const TICK_NS = 10_000_000;
/** QEMU's name of the thread of a virtual CPU. */
const VCPU_THREAD = /^CPU (\d{1,4})\//;
const VCPU_RUNNING = 1;
/** More than any QEMU has. One that was taken over starts as many as its Pod may, and each costs three files here. */
const MAX_THREADS = 2048;
/** Without it the kernel does not count how long threads wait. */
const COUNTS_WAITING = existsSync('/proc/sys/kernel/sched_schedstats');

export class ProcessNumbers {
  readonly #directory: OwnedFd;
  /** Number of the virtual CPU by thread; undefined: the thread is something else. Threads keep their names. */
  #threads: ReadonlyMap<string, number | undefined> = new Map();

  /** `directory`: the process' own in /proc. */
  constructor(directory: OwnedFd) {
    this.#directory = directory;
  }

  /** Throws when the process has ended. `taps`: devices that are the guest's. */
  read(taps: readonly string[]): Record<string, unknown> {
    const path = this.#directory.procPath;
    const text = (file: string): string => textOf(`${path}/${file}`);
    return {
      ...cpuTimes(text('stat')),
      ...this.#vcpus(path, text),
      ...statusNumbers(text('status')),
      ...(taps.length === 0 ? {} : deviceNumbers(text('net/dev'), taps)),
    };
  }

  #vcpus(path: string, text: (file: string) => string): Record<string, unknown> {
    const known = this.#threads;
    this.#threads = new Map(
      firstNames(`${path}/task`, MAX_THREADS).map((thread) => [
        thread,
        known.has(thread) ? known.get(thread) : vcpuOf(attempt(() => text(`task/${thread}/comm`)) ?? ''),
      ]),
    );
    const numbers: Record<string, unknown> = {};
    let count = 0;
    for (const [thread, vcpu] of this.#threads) {
      if (vcpu === undefined) continue;
      const times = attempt(() => text(`task/${thread}/schedstat`));
      if (times === undefined) continue; // unplugged while we looked
      const [time, delay] = times.split(' ').map(Number);
      numbers[`vcpu.${vcpu}.state`] = VCPU_RUNNING;
      numbers[`vcpu.${vcpu}.time`] = time;
      numbers[`vcpu.${vcpu}.delay`] = delay;
      numbers[`vcpu.${vcpu}.wait`] = COUNTS_WAITING
        ? waitNs(attempt(() => text(`task/${thread}/sched`)) ?? '')
        : 0;
      count = Math.max(count, vcpu + 1);
    }
    return { 'vcpu.maximum': count, ...numbers };
  }
}

/** Everything is read in place, so one buffer serves all. It is more than any of these files has. */
const BUFFER = Buffer.allocUnsafe(256 * 1024);

/**
 * A file of /proc, in four system calls; `readFileSync` needs one more, and memory of its own, because these files say
 * that they are empty. The kernel gives lists in pieces: the end is where nothing more comes.
 */
function textOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < BUFFER.length; length += read)
      read = readSync(file, BUFFER, length, BUFFER.length - length, null);
    return BUFFER.toString('latin1', 0, length);
  } finally {
    closeSync(file);
  }
}

/** Undefined for a thread that is none. */
function vcpuOf(name: string): number | undefined {
  const number = VCPU_THREAD.exec(name)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Fields 14 and 15 of proc(5) stat, of all threads. Pure. */
export function cpuTimes(stat: string): Record<string, number> {
  // The name, in parentheses, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 13);
  const [user, system] = [Number(fields[11]) * TICK_NS, Number(fields[12]) * TICK_NS];
  return Number.isNaN(user + system)
    ? {}
    : { 'cpu.time': user + system, 'cpu.user': user, 'cpu.system': system };
}

/** Resident memory, and on how many CPUs of the node the process may run. Pure. */
export function statusNumbers(status: string): Record<string, number> {
  const kib = /^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1];
  const mask = /^Cpus_allowed:\s*([0-9a-f,]+)$/m.exec(status)?.[1];
  return {
    ...(kib === undefined ? {} : { 'balloon.rss': Number(kib) }),
    ...(mask === undefined ? {} : { 'host.cpus': bitsOf(mask) }),
  };
}

function bitsOf(mask: string): number {
  let bits = 0;
  for (const digit of mask)
    for (let left = Number.parseInt(digit, 16); left > 0; left >>= 1) bits += left & 1;
  return bits;
}

/** proc(5) net/dev of the Pod's network. The device is the node's end of the wire: what it received the guest sent. Pure. */
export function deviceNumbers(text: string, taps: readonly string[]): Record<string, unknown> {
  const numbers: Record<string, unknown> = {};
  let count = 0;
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).trim();
    if (!taps.includes(name)) continue;
    const fields = line
      .slice(colon + 1)
      .trim()
      .split(/ +/)
      .map(Number);
    numbers[`net.${count}.name`] = name;
    for (const [i, field] of ['bytes', 'pkts', 'errs', 'drop'].entries()) {
      numbers[`net.${count}.tx.${field}`] = fields[i];
      numbers[`net.${count}.rx.${field}`] = fields[i + 8];
    }
    count += 1;
  }
  return { 'net.count': count, ...numbers };
}

/** How long a thread waited, by proc(5) sched, in milliseconds there. The name changed with Linux 5.16. Pure. */
export function waitNs(sched: string): number {
  const ms = /^(?:se\.statistics\.)?wait_sum\s*:\s*([0-9.]+)$/m.exec(sched)?.[1];
  return ms === undefined ? 0 : Math.round(Number(ms) * 1_000_000);
}

/** Undefined for what is gone. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
