/**
 * What a launcher Pod takes beyond its guest's memory, piece by piece, and the constants for our table of the
 * overhead formula (`packages/translate/src/pod/resources/overhead-tables.ts`) that follow from it, each with a margin. Counted is
 * memory that only its process has; programs and libraries are shared by all Pods of a node and can be read again,
 * so they are shown, but not asked for again by every Pod.
 */
import { readFileSync } from 'node:fs';
import type { DomainSpec, VirtualMachineInstance, VMISpec } from '@podvisor/api';
import { type KubeClient, resources } from '@podvisor/kube';
import { podvisorOverhead } from '@podvisor/translate';
import { Instance, root } from '../test/support/instance.ts';
import { podProcesses } from '../test/support/pod-processes.ts';
import { untilGone, untilRunning } from './start.ts';

const NAMESPACE = 'default';
const MIB = 1024 * 1024;
/** Half as much again: a busy guest, a long life, another version. */
const MARGIN = 1.5;
/** Guests settle: firmware, kernel, first disk and network requests. */
const SETTLE_MS = 20_000;

/** MiB of anonymous memory, but for `files`. */
interface Taken {
  readonly launcher: number;
  readonly libvirtd: number;
  /** Without guest memory and without translated code. */
  readonly qemu: number;
  /** Code that software emulation has translated; none with KVM. */
  readonly translated: number;
  readonly swtpm: number;
  readonly rest: number;
  /** Resident pages of programs and libraries, of all processes. */
  readonly files: number;
}

const VARIANTS: Readonly<Record<string, { domain?: Partial<DomainSpec>; spec?: Partial<VMISpec> }>> = {
  base: {},
  headless: { domain: { devices: { autoattachGraphicsDevice: false } } },
  'four-cpus': { domain: { cpu: { sockets: 1, cores: 4, threads: 1, maxSockets: 1 } } },
  'large-memory': { domain: { memory: { guest: '1Gi' } } },
  'io-threads': {
    domain: { ioThreadsPolicy: 'supplementalPool', ioThreads: { supplementalPoolThreadCount: 4 } },
  },
  tpm: { domain: { devices: { tpm: {} } } },
};

function variant(name: string): VirtualMachineInstance {
  const { domain = {}, spec = {} } = VARIANTS[name] ?? {};
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      networks: [{ name: 'default', pod: {} }],
      terminationGracePeriodSeconds: 0,
      volumes: [{ name: 'root', containerDisk: { image: 'podvisor.local/hello:1' } }],
      ...spec,
      domain: {
        memory: { guest: '128Mi' },
        ...domain,
        devices: {
          disks: [{ name: 'root', disk: { bus: 'virtio' } }],
          interfaces: [{ name: 'default', masquerade: {} }],
          ...domain.devices,
        },
      },
    },
  };
}

export async function benchOverhead(): Promise<void> {
  const instance = await Instance.prepare();
  try {
    console.log('starting an instance of its own');
    const { code, stdout, stderr } = await instance.up('--no-wait', `${root}/examples/hello.yaml`);
    if (code !== 0) throw new Error(`up failed: ${stdout}${stderr}`);
    const { client } = instance;
    await client.delete(resources.virtualMachines, { namespace: NAMESPACE, name: 'hello' });
    await untilGone(client, 'hello');
    const taken: Record<string, Taken> = {};
    console.log('\nMemory beyond the guest (MiB), one VM at a time:');
    for (const name of Object.keys(VARIANTS)) {
      taken[name] = await measure(client, name);
      console.log(`  ${name.padEnd(14)} ${line(taken[name])}`);
    }
    constants(taken);
  } finally {
    await instance.purge();
  }
}

async function measure(client: KubeClient, name: string): Promise<Taken> {
  const vmi = variant(name);
  await client.create(resources.virtualMachineInstances, vmi);
  await untilRunning(client, name);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const { items } = await client.list(resources.pods, {
    namespace: NAMESPACE,
    labelSelector: 'kubevirt.io=virt-launcher',
  });
  const guestBytes = vmi.spec.domain.memory?.guest === '1Gi' ? 1024 * MIB : 128 * MIB;
  const sum = { launcher: 0, libvirtd: 0, qemu: 0, translated: 0, swtpm: 0, rest: 0, files: 0 };
  for (const { pid, command } of podProcesses(items[0]?.metadata.uid ?? '')) {
    if (/virt-tail/.test(command)) continue; // a container of its own
    const { anonymous, translated, files } = takenBy(pid, guestBytes);
    sum.translated += translated;
    sum.files += files;
    if (/qemu-system/.test(command)) sum.qemu += anonymous;
    else if (/virt-launcher\.mjs/.test(command)) sum.launcher += anonymous;
    else if (/libvirtd/.test(command)) sum.libvirtd += anonymous;
    else if (/swtpm/.test(command)) sum.swtpm += anonymous;
    else sum.rest += anonymous;
  }
  await client.delete(resources.virtualMachineInstances, { namespace: NAMESPACE, name });
  await untilGone(client, name);
  return sum;
}

/** MiB of a process, without the guest's memory. */
function takenBy(
  pid: number,
  guestBytes: number,
): { readonly anonymous: number; readonly translated: number; readonly files: number } {
  let [anonymous, translated, files] = [0, 0, 0];
  const text = readFileSync(`/proc/${pid}/smaps`, 'utf8');
  for (const part of text.split(/(?=^[0-9a-f]+-[0-9a-f]+ )/m)) {
    const mib = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(part)?.[1] ?? 0) / 1024;
    const size = Number(/^Size:\s+(\d+)/m.exec(part)?.[1] ?? 0) * 1024;
    if (size === guestBytes) continue;
    if (/^\S+ rwx/.test(part) || /tcg-jit/.test(part)) translated += mib('Rss');
    else {
      anonymous += mib('Anonymous');
      files += mib('Rss') - mib('Anonymous');
    }
  }
  return { anonymous, translated, files };
}

function line({ launcher, libvirtd, qemu, translated, swtpm, rest, files }: Taken): string {
  const parts = {
    launcher,
    libvirtd,
    QEMU: qemu,
    swtpm,
    rest,
    'translated code': translated,
    'programs and libraries': files,
  };
  return Object.entries(parts)
    .map(([name, mib]) => `${name} ${mib.toFixed(1)}`)
    .join(', ');
}

/** What follows, beside what the table has. */
function constants(taken: Readonly<Record<string, Taken>>): void {
  const of = (name: string): Taken => {
    const found = taken[name];
    if (found === undefined) throw new Error(`${name} was not measured`);
    return found;
  };
  const base = of('base');
  const headless = of('headless');
  const all = (t: Taken): number => t.launcher + t.libvirtd + t.qemu + t.rest;
  const measured = {
    processes: all(headless),
    perVcpu: Math.max(0, all(of('four-cpus')) - all(base)) / 3,
    ioThread: Math.max(0, all(of('io-threads')) - all(base)) / 4,
    graphics: Math.max(0, all(base) - all(headless)),
    tpm: of('tpm').swtpm,
    emulation: Math.max(...Object.values(taken).map(({ translated }) => translated)),
  };
  console.log('\nConstants (MiB): measured, with the margin, in the table');
  for (const [name, mib] of Object.entries(measured)) {
    const inTable = podvisorOverhead[name as keyof typeof measured] / MIB;
    console.log(
      `  ${name.padEnd(10)} ${mib.toFixed(1).padStart(6)} ${(mib * MARGIN).toFixed(1).padStart(7)} ${String(inTable).padStart(6)}${inTable < mib * MARGIN ? '  too small' : ''}`,
    );
  }
  const growth = (all(of('large-memory')) - all(base)) / 896;
  console.log(
    `  per MiB of guest memory: ${(growth * 1024).toFixed(2)} KiB (the table: ${1024 / podvisorOverhead.pageTableDivisor})`,
  );
}
