/**
 * The owners that a launcher is made of, each in a file of this folder. They refer to each other while they run, never
 * while they are made: `launcher.ts` makes them in one place, in this order.
 */
import type { DhcpLease } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import type { CredentialSynchronizer } from '../access-credentials/synchronizer.ts';
import type { Backups } from '../backup/backups.ts';
import type { DomainWatchers } from '../command-server/watch-domain.ts';
import type { DeviceRemovals } from '../domain/device-removals.ts';
import type { DiskLeases } from '../disks/disk-leases.ts';
import type { GuestLease } from '../fence/guest-lease.ts';
import type { DomainFacts } from '../domain/domain-facts.ts';
import type { DhcpStarter, DomainBuilder, DomainContext, RunState } from '../domain-manager/context.ts';
import type { DomainObserver } from '../domain/domain-observer.ts';
import type { DownwardMetrics } from '../downward-metrics/downward-metrics.ts';
import type { LauncherFlags } from '../flags.ts';
import type { GuestAgentPoller } from '../guest-agent/poller.ts';
import type { IoErrors } from '../disks/io-errors.ts';
import type { LibvirtSession } from '../domain/libvirt-session.ts';
import type { Log } from '../log.ts';
import type { OutgoingMigration } from '../migration/outgoing.ts';
import type { Libvirtd } from '../start-up/libvirtd.ts';
import type { LibvirtPaths } from '../start-up/libvirt-paths.ts';
import type { Stages } from '../start-up/stages.ts';
import type { Termination } from '../termination.ts';

export interface LauncherOptions {
  readonly flags: LauncherFlags;
  readonly libvirt: LibvirtPaths;
  readonly libvirtd: Libvirtd;
  readonly builder: DomainBuilder;
  readonly dhcp: DhcpStarter;
  readonly stages: Stages;
  readonly clock: Clock;
  readonly log: Log;
  /** Shown by Info. */
  readonly build: string;
  /** Aborted when the Pod is asked to end. */
  readonly terminate: AbortSignal;
}

export interface LauncherParts {
  readonly options: LauncherOptions;
  readonly domainName: string;
  readonly runState: RunState;
  /** Aborted when the launcher ends. */
  readonly ending: AbortController;
  readonly removals: DeviceRemovals;
  readonly dhcpLeases: Map<string, DhcpLease>;
  /** The connection to libvirtd, and who hears of its events. */
  readonly session: LibvirtSession;
  /** What is known of the domain, from all sources. */
  readonly observer: DomainObserver;
  readonly watchers: DomainWatchers;
  readonly leases: DiskLeases;
  /** By which others can tell the guest's end. */
  readonly guestLease: GuestLease;
  /** The source's side of a migration. */
  readonly migration: OutgoingMigration;
  readonly ioErrors: IoErrors;
  readonly backups: Backups;
  readonly agent: GuestAgentPoller;
  readonly credentials: CredentialSynchronizer;
  readonly metrics: DownwardMetrics;
  /** What the commands work on. */
  readonly context: DomainContext;
  /** Decides when the launcher ends, and with which exit code. */
  readonly termination: Termination;
  readFacts(xml: string): DomainFacts;
  qemuPid(): Promise<number | undefined>;
}
