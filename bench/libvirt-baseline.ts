/**
 * What a VM start costs by hand: libvirtd started with a warm capabilities cache, then `virsh create` of
 * the domain that our own translation makes of a VMI. The yardstick for `podvisor bench start`; NICs are
 * left out, because by hand there is no Pod network to join.
 *
 *   node bench/libvirt-baseline.ts [runs]
 */
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { launcherPaths, type VirtualMachineInstance } from '@podvisor/api';
import { prepareDisks } from '@podvisor/storage';
import { run, type StartedProcess, startProcess } from '@podvisor/sys';
import { convertVmiToDomain, domainToXml } from '@podvisor/translate';

export interface BaselineOptions {
  readonly vmi: VirtualMachineInstance;
  /** Measured runs; one more goes before them and warms the cache. Default 5. */
  readonly runs?: number;
  /** Holds `disk_<i>` with the content of the container disk of volume i. */
  readonly imageVolumes?: string;
  /** An unprivileged user with a passwd entry. Default `nobody`. */
  readonly uid?: number;
}

/** Milliseconds. */
export interface BaselineRun {
  /** libvirtd executed → its socket is there. */
  readonly libvirtdMs: number;
  /** `virsh create` → domain running. */
  readonly createMs: number;
  readonly totalMs: number;
  readonly destroyMs: number;
}

export interface Baseline {
  readonly runs: readonly BaselineRun[];
  readonly median: BaselineRun;
}

const NOBODY = 65534;

export async function measureLibvirtBaseline(options: BaselineOptions): Promise<Baseline> {
  const uid = options.uid ?? NOBODY;
  const cache = mkdtempSync('/tmp/pvb-cache-');
  try {
    await measureOnce(options, uid, cache);
    const runs: BaselineRun[] = [];
    for (let i = 0; i < (options.runs ?? 5); i++) runs.push(await measureOnce(options, uid, cache));
    const median = (of: (run: BaselineRun) => number): number =>
      runs.map(of).toSorted((a, b) => a - b)[Math.floor(runs.length / 2)] ?? Number.NaN;
    return {
      runs,
      median: {
        libvirtdMs: median((one) => one.libvirtdMs),
        createMs: median((one) => one.createMs),
        totalMs: median((one) => one.totalMs),
        destroyMs: median((one) => one.destroyMs),
      },
    };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

async function measureOnce(options: BaselineOptions, uid: number, cache: string): Promise<BaselineRun> {
  const directory = mkdtempSync('/tmp/pvb-');
  const capabilities = 'k/libvirt/qemu/cache/capabilities';
  for (const name of ['r', 'c/libvirt', 'k', 'd', 'p', `p/${options.vmi.metadata?.uid ?? ''}`])
    mkdirSync(join(directory, name), { recursive: true });
  writeFileSync(join(directory, 'c/libvirt/qemu.conf'), 'stdio_handler = "file"\n');
  writeFileSync(join(directory, 'domain.xml'), await domainXml(options, directory));
  if (existsSync(join(cache, 'capabilities')))
    cpSync(join(cache, 'capabilities'), join(directory, capabilities), { recursive: true });
  chownAll(directory, uid);

  const user = ['--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
  const socket = join(directory, 'r/libvirt/libvirt-sock');
  const virsh = async (...args: string[]): Promise<number> => {
    const from = performance.now();
    await run('setpriv', [...user, 'virsh', '-q', '-c', `qemu+unix:///session?socket=${socket}`, ...args]);
    return performance.now() - from;
  };
  const started = performance.now();
  const libvirtd = await startLibvirtd(directory, user);
  try {
    // Looked at closely: a yardstick should not be slower than it must.
    while (!existsSync(socket)) await new Promise((resolve) => setTimeout(resolve, 1));
    const libvirtdMs = performance.now() - started;
    const createMs = await virsh('create', join(directory, 'domain.xml'));
    const totalMs = performance.now() - started;
    const name = `${options.vmi.metadata?.namespace}_${options.vmi.metadata?.name}`;
    const destroyMs = await virsh('destroy', name);
    cpSync(join(directory, capabilities), join(cache, 'capabilities'), { recursive: true });
    return { libvirtdMs, createMs, totalMs, destroyMs };
  } finally {
    libvirtd.kill('SIGTERM');
    await libvirtd.exited;
    rmSync(directory, { recursive: true, force: true });
  }
}

function startLibvirtd(directory: string, user: readonly string[]): Promise<StartedProcess> {
  // Under tini, as in a Pod: an ended QEMU that nobody reaps would make `destroy` look slow.
  return startProcess('setpriv', [...user, 'tini', '-s', '--', '/usr/sbin/libvirtd'], {
    env: {
      HOME: directory,
      XDG_RUNTIME_DIR: join(directory, 'r'),
      XDG_CONFIG_HOME: join(directory, 'c'),
      XDG_CACHE_HOME: join(directory, 'k'),
      XDG_DATA_HOME: join(directory, 'd'),
    },
  });
}

async function domainXml({ vmi, imageVolumes }: BaselineOptions, directory: string): Promise<string> {
  const at = (name: string): string => join(directory, name);
  const roots = {
    ephemeralDir: at('e'),
    privateDir: at('p'),
    libvirtRuntime: at('l'),
    containerDisks: at('i'),
  };
  const paths = launcherPaths({ ...roots, ...(imageVolumes === undefined ? {} : { imageVolumes }) });
  const volumes = await prepareDisks(vmi, { paths });
  const withoutNics: VirtualMachineInstance = {
    ...vmi,
    spec: {
      ...vmi.spec,
      networks: [],
      domain: {
        ...vmi.spec.domain,
        devices: { ...vmi.spec.domain.devices, interfaces: [], autoattachPodInterface: false },
      },
    },
  };
  const domain = convertVmiToDomain(withoutNics, {
    allowEmulation: true,
    kvmAvailable: false,
    interfaces: [],
    volumes,
    paths,
  });
  return domainToXml(domain);
}

function chownAll(directory: string, uid: number): void {
  chownSync(directory, uid, uid);
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true }))
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), uid, uid);
}

/** The smallest guest worth measuring: 128 MiB and one empty disk. */
const SMALL: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'baseline', namespace: 'bench', uid: '7d0c1a52-1c9f-4c5e-9a5e-0f3b8f6d2a11' },
  spec: {
    domain: {
      machine: { type: 'q35' },
      memory: { guest: '128Mi' },
      resources: { requests: { memory: '128Mi' } },
      firmware: { uuid: '3a1f4c52-55f5-4d55-9a55-b3f5f7a1c111' },
      features: { acpi: {} },
      devices: { disks: [{ name: 'data', disk: { bus: 'virtio' } }] },
    },
    volumes: [{ name: 'data', emptyDisk: { capacity: '64Mi' } }],
  },
};

if (process.argv[1] === import.meta.filename) {
  const { median, runs } = await measureLibvirtBaseline({ vmi: SMALL, runs: Number(process.argv[2] ?? 5) });
  for (const one of runs) console.log(line(one));
  console.log(`median: ${line(median)}`);
}

function line(one: BaselineRun): string {
  const ms = (value: number): string => `${value.toFixed(0)} ms`;
  return `libvirtd ${ms(one.libvirtdMs)} + create ${ms(one.createMs)} = ${ms(one.totalMs)}; destroy ${ms(one.destroyMs)}`;
}
