/**
 * Whether the memory of a snapshot can go on with copies of its disks, perhaps as another VM. What the guest sees must
 * be the same; its name and the identity of its machine may differ, because the guest goes on with those that it has.
 * Each disk must be as it was copied: whoever uses a disk takes its lease. A wake of this state that came no further than
 * that has taken it, too, and changed nothing. Pure.
 */
import type { Domain } from '@podvisor/translate';
import { differingBase, misfits } from './fit.ts';
import type { DiskLease, StateMeta } from './meta.ts';

/** Of the machine, and made of the VM's name where nothing else is said. */
const IDENTITY: readonly RegExp[] = [/^name$/, /^uuid$/, /^sysinfo\b/];

export interface CopyNow {
  readonly domain: Domain;
  readonly hostCpu: string | undefined;
  readonly disks: StateMeta['podDisks'];
  readonly claims: StateMeta['claims'];
  readonly leases: Readonly<Record<string, DiskLease>>;
  /** UIDs of VMIs that have tried to wake from this state, none of which let the guest run. */
  readonly tries: ReadonlySet<string>;
}

/** Sentences on what differs; empty when the memory fits. */
export function reasonsAgainstCopy(meta: StateMeta, now: CopyNow, vmiUid: string): readonly string[] {
  const saved = JSON.parse(JSON.stringify(meta.domain).replaceAll(meta.vmiUid, vmiUid)) as Domain;
  const volumes = new Set([...Object.keys(meta.claims), ...Object.keys(now.claims)]);
  return [
    ...misfits(saved, now.domain, IDENTITY),
    ...[...volumes].flatMap((volume) => {
      if (now.claims[volume] === undefined) return [`volume ${volume} was on a claim and is not`];
      return meta.claims[volume] === undefined ? [`volume ${volume} was not on a claim and is`] : [];
    }),
    ...Object.entries(meta.leases ?? {}).flatMap(([volume, { epoch, uid }]) => {
      const lease = now.leases[volume];
      const isAsCopied = lease?.epoch === epoch && lease.uid === uid;
      const isOfTry = lease !== undefined && lease.epoch > epoch && now.tries.has(lease.uid);
      return isAsCopied || isOfTry
        ? []
        : [`the disk of volume ${volume} is not as it was at the instant of the snapshot`];
    }),
    ...(meta.hostCpu === now.hostCpu ? [] : ['the CPU of this node is not the one that the guest had']),
    ...differingBase(meta.podDisks, now.disks),
  ];
}
