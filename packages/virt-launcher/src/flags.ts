/**
 * The launcher's command line. The names are KubeVirt's, so that a Pod rendered for one launcher suits
 * the other; those that mean nothing here are accepted and ignored.
 */
import {
  LAUNCHER_DIRECTORY_FLAGS,
  type LauncherDirectories,
  type LauncherPaths,
  launcherPaths,
} from '@podvisor/api';

export interface LauncherFlags {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  /** Where everything is in the Pod, by the flags for directories. */
  readonly paths: LauncherPaths;
  readonly gracePeriodSeconds: number;
  readonly hookSidecars: number;
  readonly ovmfPath: string;
  /** After this long without a domain the launcher says that it is still waiting. */
  readonly qemuTimeoutSeconds: number;
  readonly allowEmulation: boolean;
  /** The guest may be of another architecture than the node. */
  readonly allowCrossArchitectures: boolean;
  readonly keepAfterFailure: boolean;
  /** End with an error at once, for tests of crash loops. */
  readonly simulateCrash: boolean;
  /** Directory with a warm libvirt capabilities cache, copied at start when it exists. */
  readonly capabilitiesCacheDir: string;
  /** Names that nobody here knows; they are logged. */
  readonly unknown: readonly string[];
}

const DEFAULTS: Readonly<Record<string, string>> = {
  'grace-period-seconds': '30',
  'hook-sidecars': '0',
  'ovmf-path': '/usr/share/OVMF',
  'qemu-timeout': '300s',
  'capabilities-cache-dir': '/usr/lib/podvisor/cache',
};

const DIRECTORIES: readonly string[] = Object.values(LAUNCHER_DIRECTORY_FLAGS);
/** Accepted without a meaning here. */
const IGNORED_VALUES = ['disk-memory-limit', 'libvirt-log-filters', 'log-level', 'v', 'hypervisor'];
const BOOLEANS = [
  'allow-emulation',
  'allow-cross-arch-emulation',
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
    paths: launcherPaths(directoriesIn(values)),
    gracePeriodSeconds: parseSeconds('grace-period-seconds', text('grace-period-seconds')),
    hookSidecars: parseSeconds('hook-sidecars', text('hook-sidecars')),
    ovmfPath: text('ovmf-path'),
    qemuTimeoutSeconds: parseSeconds('qemu-timeout', text('qemu-timeout')),
    allowEmulation: values.get('allow-emulation') === 'true',
    allowCrossArchitectures: values.get('allow-cross-arch-emulation') === 'true',
    keepAfterFailure: values.get('keep-after-failure') === 'true',
    simulateCrash: values.get('simulate-crash') === 'true',
    capabilitiesCacheDir: text('capabilities-cache-dir'),
    unknown,
  };
}

/** Those that were given; the others are where launchers have them. */
function directoriesIn(values: ReadonlyMap<string, string>): Partial<LauncherDirectories> {
  return Object.fromEntries(
    Object.entries(LAUNCHER_DIRECTORY_FLAGS).flatMap(([directory, flag]) => {
      const given = values.get(flag);
      return given === undefined ? [] : [[directory, given]];
    }),
  );
}

function collect(argv: readonly string[]): { values: Map<string, string>; unknown: string[] } {
  const values = new Map<string, string>();
  const unknown: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const match = /^--?([a-zA-Z][\w-]*)(?:=(.*))?$/s.exec(argv[i] ?? '');
    if (match === null) throw new Error(`virt-launcher does not understand "${argv[i]}"`);
    const [, name = '', inline] = match;
    const takesValue =
      name in DEFAULTS ||
      DIRECTORIES.includes(name) ||
      IGNORED_VALUES.includes(name) ||
      REQUIRED.some((flag) => flag === name);
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
