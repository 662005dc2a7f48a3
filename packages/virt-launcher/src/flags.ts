/**
 * The launcher's command line. The names are KubeVirt's, so that a Pod rendered for one launcher suits
 * the other; those that mean nothing here are accepted and ignored.
 */
export interface LauncherFlags {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Holds `sockets/`. */
  readonly shareDir: string;
  /** Ours alone: libvirt's directories, serial and VNC sockets. */
  readonly privateDir: string;
  readonly ephemeralDiskDir: string;
  readonly containerDiskDir: string;
  readonly imageVolumeDir: string;
  readonly kernelBootDir: string;
  /** Holds `empty-disks/`. */
  readonly libvirtRuntimeDir: string;
  readonly gracePeriodSeconds: number;
  readonly hookSidecars: number;
  /** Holds a directory for each hook sidecar. */
  readonly hooksDir: string;
  readonly ovmfPath: string;
  /** After this long without a domain the launcher says that it is still waiting. */
  readonly qemuTimeoutSeconds: number;
  readonly allowEmulation: boolean;
  readonly keepAfterFailure: boolean;
  /** End with an error at once, for tests of crash loops. */
  readonly simulateCrash: boolean;
  /** Directory with a warm libvirt capabilities cache, copied at start when it exists. */
  readonly capabilitiesCacheDir: string;
  /** Names that nobody here knows; they are logged. */
  readonly unknown: readonly string[];
}

const DEFAULTS: Readonly<Record<string, string>> = {
  'kubevirt-share-dir': '/var/run/kubevirt',
  'private-dir': '/var/run/kubevirt-private',
  'ephemeral-disk-dir': '/var/run/kubevirt-ephemeral-disks',
  'container-disk-dir': '/var/run/kubevirt/container-disks',
  'image-volume-dir': '/var/run/kubevirt-image-volume',
  'kernel-boot-dir': '/var/run/kubevirt-kernel-boot',
  'libvirt-runtime-dir': '/var/run/libvirt',
  'grace-period-seconds': '30',
  'hook-sidecars': '0',
  'hooks-dir': '/var/run/kubevirt-hooks',
  'ovmf-path': '/usr/share/OVMF',
  'qemu-timeout': '300s',
  'capabilities-cache-dir': '/usr/lib/podvisor/cache',
};

/** Accepted without a meaning here. */
const IGNORED_VALUES = ['disk-memory-limit', 'libvirt-log-filters', 'log-level', 'v', 'hypervisor'];
const BOOLEANS = [
  'allow-emulation',
  'run-as-nonroot',
  'image-volume',
  'keep-after-failure',
  'simulate-crash',
  'no-fork',
  'libvirt-hook-server-and-client',
  'use-emulation',
];
const REQUIRED = ['name', 'namespace', 'uid'] as const;

/** Parses `--name value`, `--name=value` and lone booleans. Throws one sentence when a needed flag is missing. */
export function parseFlags(argv: readonly string[]): LauncherFlags {
  const { values, unknown } = collect(argv);
  for (const name of REQUIRED) if (!values.get(name)) throw new Error(`virt-launcher needs --${name}`);
  const text = (name: string): string => values.get(name) ?? DEFAULTS[name] ?? '';
  return {
    name: text('name'),
    namespace: text('namespace'),
    uid: text('uid'),
    shareDir: text('kubevirt-share-dir'),
    privateDir: text('private-dir'),
    ephemeralDiskDir: text('ephemeral-disk-dir'),
    containerDiskDir: text('container-disk-dir'),
    imageVolumeDir: text('image-volume-dir'),
    kernelBootDir: text('kernel-boot-dir'),
    libvirtRuntimeDir: text('libvirt-runtime-dir'),
    gracePeriodSeconds: parseSeconds('grace-period-seconds', text('grace-period-seconds')),
    hookSidecars: parseSeconds('hook-sidecars', text('hook-sidecars')),
    hooksDir: text('hooks-dir'),
    ovmfPath: text('ovmf-path'),
    qemuTimeoutSeconds: parseSeconds('qemu-timeout', text('qemu-timeout')),
    allowEmulation: values.get('allow-emulation') === 'true',
    keepAfterFailure: values.get('keep-after-failure') === 'true',
    simulateCrash: values.get('simulate-crash') === 'true',
    capabilitiesCacheDir: text('capabilities-cache-dir'),
    unknown,
  };
}

function collect(argv: readonly string[]): { values: Map<string, string>; unknown: string[] } {
  const values = new Map<string, string>();
  const unknown: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const match = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(argv[i] ?? '');
    if (match === null) throw new Error(`virt-launcher does not understand "${argv[i]}"`);
    const [, name = '', inline] = match;
    const takesValue =
      name in DEFAULTS || IGNORED_VALUES.includes(name) || REQUIRED.some((flag) => flag === name);
    if (!takesValue && !BOOLEANS.includes(name)) unknown.push(name);
    if (inline !== undefined) values.set(name, inline);
    else if (takesValue) values.set(name, argv[++i] ?? '');
    // A flag of a newer version may bring a value; without knowing it, the next word tells.
    else if (!BOOLEANS.includes(name) && argv[i + 1] !== undefined && !argv[i + 1]?.startsWith('-')) i++;
    else values.set(name, 'true');
  }
  return { values, unknown };
}

/** `45`, `45s`, `4m`, `5m0s` in seconds. */
function parseSeconds(name: string, text: string): number {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s?)?$/.exec(text);
  if (match === null || text === '') throw new Error(`--${name}: "${text}" is not a number of seconds`);
  const [, hours = '0', minutes = '0', seconds = '0'] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
