/**
 * How many guests the limits of the kernel leave room for, and which of them gives in first. Threads of a guest were
 * counted on a running home; the rest is reckoned, with room to spare. A limit that is not there limits nothing.
 */
import { readFileSync } from 'node:fs';
import { cgroupVersion } from '@podvisor/sys';
import type { Check } from './doctor.ts';

/** What is read from the machine; a test has its own. */
export interface LimitFacts {
  /** Value of a setting of the kernel (sysctl); undefined: it has none. */
  readonly setting: (name: string) => number | undefined;
  readonly cgroupVersion: 1 | 2;
}

interface Limit {
  readonly setting: string;
  readonly of: string;
  /** What one guest takes. */
  readonly perGuest: number;
  /** What the home and the rest of the machine take. */
  readonly others: number;
  /** Enough for thousands. */
  readonly fix: number;
}

/** A node of this size is what we promise numbers for. */
const GUESTS = 200;

const LIMITS: readonly Limit[] = [
  // tini, the launcher, libvirtd, QEMU and who watches the container: 26 to 28.
  { setting: 'kernel.pid_max', of: 'processes and threads', perGuest: 30, others: 2_000, fix: 4_194_304 },
  { setting: 'kernel.threads-max', of: 'threads', perGuest: 30, others: 2_000, fix: 4_194_304 },
  { setting: 'fs.file-max', of: 'open files', perGuest: 150, others: 20_000, fix: 2_000_000 },
  // The node's own entry for the Pod, and in the Pod those for the guest and the node.
  {
    setting: 'net.ipv4.neigh.default.gc_thresh3',
    of: 'neighbours (ARP)',
    perGuest: 4,
    others: 100,
    fix: 16_384,
  },
  { setting: 'net.netfilter.nf_conntrack_max', of: 'connections', perGuest: 50, others: 5_000, fix: 262_144 },
  { setting: 'fs.inotify.max_user_watches', of: 'watched files', perGuest: 4, others: 1_000, fix: 524_288 },
];
/** With cgroups v2, who watches a container (conmon) follows its group's events by an instance of its own. */
const INSTANCES: Limit = {
  ...{
    setting: 'fs.inotify.max_user_instances',
    of: 'inotify instances',
    perGuest: 1,
    others: 20,
    fix: 8_192,
  },
};

export function limitsCheck(facts: LimitFacts = thisMachine()): Check {
  const rooms = [...LIMITS, ...(facts.cgroupVersion === 2 ? [INSTANCES] : [])]
    .flatMap((limit) => {
      const value = facts.setting(limit.setting);
      if (value === undefined) return [];
      const guests = Math.max(0, Math.floor((value - limit.others) / limit.perGuest));
      return [{ ...limit, value, guests }];
    })
    .toSorted((a, b) => a.guests - b.guests);
  const [first] = rooms;
  if (first === undefined) return { level: 'PASS', what: 'limits', found: 'none that a guest would meet' };
  const found = `the kernel's limits have room for about ${first.guests} guests; the first to give in is ${first.setting} = ${first.value} (${first.of})`;
  const short = rooms.filter(({ guests }) => guests < GUESTS);
  if (short.length === 0) return { level: 'PASS', what: 'limits', found };
  const settings = short.map(({ setting, fix }) => `${setting}=${fix}`).join(' ');
  return {
    level: 'WARN',
    what: 'limits',
    found,
    fix: `sysctl -w ${settings}; to keep it, the same in a file of /etc/sysctl.d`,
  };
}

function thisMachine(): LimitFacts {
  return {
    cgroupVersion: cgroupVersion(),
    setting: (name) => {
      // In names of settings a dot parts directories.
      const text = attempt(() => readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8'));
      const value = Number.parseInt(text ?? '', 10);
      return Number.isNaN(value) ? undefined : value;
    },
  };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined; // this kernel does not have it
  }
}
