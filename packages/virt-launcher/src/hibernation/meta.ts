/** What the state file says about the guest besides its memory. */
import { claimName, type VirtualMachineInstance } from '@podvisor/api';
import { type Domain, numbersSocket } from '@podvisor/translate';
import type { PodDisk } from './pod-disks.ts';
import { StateDamaged } from '@podvisor/storage';

export interface StateMeta {
  readonly version: 1;
  /** UID of the VMI whose memory it is. */
  readonly vmiUid: string;
  /** The domain as libvirt ran it. */
  readonly xml: string;
  /** What libvirt's source tells its target, base64. */
  readonly cookie: string;
  /** The domain as it was built from the VMI, which is what a later one is compared with. */
  readonly domain: Domain;
  /** The CPU of the node, where the guest has it as it is. */
  readonly hostCpu?: string;
  /** Who had the lease of each disk, by volume: copies of the disks show the same. Only in snapshots. */
  readonly leases?: Readonly<Record<string, DiskLease>>;
  /** A user had paused the guest: it is woken, and stays paused. */
  readonly isPaused: boolean;
  readonly podDisks: readonly PodDisk[];
  /** The claim of each volume that has one: on other claims the guest would find other disks. */
  readonly claims: Readonly<Record<string, string>>;
}

export interface DiskLease {
  readonly epoch: number;
  readonly uid: string;
}

const VERSION = 1;

/** The file is authenticated: what is checked is that this launcher understands it. */
export function parseMeta(value: unknown): StateMeta {
  const meta = value as StateMeta;
  if (typeof meta !== 'object' || meta === null || meta.version !== VERSION)
    throw new StateDamaged('it was written by a version that this one does not understand');
  return meta;
}

/**
 * The domain for another VMI: paths and metadata have the UID of the VMI in them. `now`: as it was built for that VMI,
 * whose files that are named after the VM are elsewhere if it is another VM.
 */
export function xmlFor({ xml, vmiUid, domain }: StateMeta, uid: string, now: Domain): string {
  const places: (readonly [before: string, after: string])[] = (domain.devices?.disks ?? []).flatMap(
    ({ alias, source }) => {
      const other = now.devices?.disks?.find((disk) => disk.alias?.name === alias?.name)?.source?.file;
      const before = source?.file?.replaceAll(vmiUid, uid);
      return before === undefined || other === undefined ? [] : [[before, other] as const];
    },
  );
  const [listened, listens] = [numbersSocket(domain), numbersSocket(now)];
  if (listened !== undefined && listens !== undefined) places.push([listened, listens]);
  return places.reduce(
    (text, [before, after]) => text.replaceAll(`'${before}'`, () => `'${after}'`),
    xml.replaceAll(vmiUid, uid),
  );
}

/** What decides whether a guest with the node's own CPU can go on: the `<cpu>` of libvirt's capabilities. */
export function hostCpuOf(domain: Domain, capabilities: string): string | undefined {
  if (domain.cpu?.mode !== 'host-passthrough') return undefined;
  return /<cpu>.*?<\/cpu>/s.exec(capabilities)?.[0];
}

export function claimsOf({ spec }: VirtualMachineInstance): StateMeta['claims'] {
  return Object.fromEntries(
    (spec.volumes ?? []).flatMap((volume) => {
      const claim = claimName(volume);
      return claim === undefined ? [] : [[volume.name, claim]];
    }),
  );
}
