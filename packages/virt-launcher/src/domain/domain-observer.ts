/**
 * The one place that knows the domain: asks libvirt whenever something may have changed, and tells
 * subscribers when the answer differs. Events only wake it; what counts is what libvirt answers.
 * Three answers exist: present, proven absent, unknown. Unknown is never told as absent.
 */
import type {
  AccessCredentialsReport,
  DhcpLease,
  DiskTrouble,
  DomainBackup,
  DomainHibernation,
  DomainLease,
  DomainMemoryDump,
  DomainMemorySnapshot,
  DomainMigration,
  DomainState,
} from '@podvisor/api';
import { type Clock, deepEqual } from '@podvisor/base';
import {
  type DomainRef,
  ERROR_CODE,
  isLibvirtError,
  type LibvirtConnection,
  LibvirtDisconnected,
  type LibvirtState,
} from '@podvisor/libvirt';
import { type DomainFacts } from './domain-facts.ts';
import { buildDomainState, isActive, stateName, stateReason } from './domain-state.ts';
import type { GuestFacts } from '../guest-agent/guest-facts.ts';
import { LibvirtUnavailable } from './libvirt-session.ts';
import type { Log } from '../log.ts';

export type DomainKnowledge =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'present'; readonly state: DomainState; readonly facts: DomainFacts };

export interface ObserverOptions {
  readonly domainName: string;
  readonly vmiUid: string;
  /** Throws LibvirtUnavailable while libvirtd is away. */
  readonly connection: () => LibvirtConnection;
  readonly readFacts: (xml: string) => DomainFacts;
  readonly guestFacts: () => GuestFacts;
  readonly accessCredentials: () => AccessCredentialsReport | undefined;
  /** What DHCP gave the guest, by interface. */
  readonly leases: ReadonlyMap<string, DhcpLease>;
  readonly memoryDump: () => DomainMemoryDump | undefined;
  readonly hibernation?: () => DomainHibernation | undefined;
  readonly memorySnapshot?: () => DomainMemorySnapshot | undefined;
  readonly backup?: () => DomainBackup | undefined;
  readonly shutdownRequestedAt: () => string | undefined;
  /** Disks that could not be written. */
  readonly diskTroubles?: () => readonly DiskTrouble[];
  /** The lease that others can tell the guest's end by. */
  readonly lease?: () => DomainLease | undefined;
  /** The migration that the domain is part of, or was. */
  readonly migration: (libvirt: LibvirtState) => DomainMigration | undefined;
  readonly qemuPid: () => Promise<number | undefined>;
  readonly qemuLastWords: () => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
}

const RETRY_MS = 1_000;

export class DomainObserver {
  readonly #options: ObserverOptions;
  readonly #listeners = new Set<(known: DomainKnowledge) => void>();
  #known: DomainKnowledge = { kind: 'unknown' };
  #wanted = false;
  #working: Promise<void> | undefined;
  #holds = 0;

  constructor(options: ObserverOptions) {
    this.#options = options;
  }

  get known(): DomainKnowledge {
    return this.#known;
  }

  /** Calls `listener` after each change, with the newest answer. */
  subscribe(listener: (known: DomainKnowledge) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something may have changed: look. Resolves when an answer newer than this call is known. */
  refresh(): Promise<void> {
    this.#wanted = true;
    if (this.#holds > 0) return Promise.resolve(); // the release looks
    this.#working ??= this.#work();
    return this.#working;
  }

  /** libvirtd is gone: what we knew may no longer be so. Subscribers keep the last state they were told. */
  lost(): void {
    this.#known = { kind: 'unknown' };
  }

  /** Tells nobody of the steps in between until released, e.g. a domain that is paused for the blink of its start. */
  async hold<T>(task: () => Promise<T>): Promise<T> {
    this.#holds++;
    try {
      return await task();
    } finally {
      this.#holds--;
      await this.refresh();
    }
  }

  async #work(): Promise<void> {
    try {
      while (this.#wanted && this.#holds === 0) {
        this.#wanted = false;
        this.#tell(await this.#look());
      }
    } catch (error) {
      // Without libvirtd nothing can be known; the next connection looks again.
      if (error instanceof LibvirtUnavailable || error instanceof LibvirtDisconnected) return;
      this.#options.log.warn({ error }, 'could not read the state of the domain');
      this.#options.clock.after(RETRY_MS, () => void this.refresh());
    } finally {
      // In the same turn as the last look at `wanted`, so that no request is lost in between.
      this.#working = undefined;
    }
  }

  async #look(): Promise<DomainKnowledge> {
    const connection = this.#options.connection();
    const domain = await connection.lookupByName(this.#options.domainName);
    if (domain === undefined) return { kind: 'absent' };
    return this.#present(connection, domain).catch((error: unknown) => {
      // Undefined while we looked at it.
      if (isLibvirtError(error, ERROR_CODE.noDomain)) return { kind: 'absent' };
      throw error;
    });
  }

  async #present(connection: LibvirtConnection, domain: DomainRef): Promise<DomainKnowledge> {
    const [libvirt, xml] = await Promise.all([connection.state(domain), connection.getXml(domain)]);
    const facts = this.#options.readFacts(xml);
    const active = isActive(stateName(libvirt));
    const diedOnItsOwn = !active && ['Crashed', 'Failed', 'Unknown'].includes(stateReason(libvirt));
    const state = buildDomainState({
      name: domain.name,
      uuid: domain.uuid,
      vmiUid: this.#options.vmiUid,
      libvirt,
      facts,
      guest: this.#options.guestFacts(),
      leases: this.#options.leases,
      qemuPid: active ? await this.#options.qemuPid() : undefined,
      exitDetail: diedOnItsOwn ? (await this.#options.qemuLastWords()) || undefined : undefined,
      shutdownRequestedAt: this.#options.shutdownRequestedAt(),
      diskTroubles: this.#options.diskTroubles?.(),
      lease: this.#options.lease?.(),
      accessCredentials: this.#options.accessCredentials(),
      memoryDump: this.#options.memoryDump(),
      hibernation: this.#options.hibernation?.(),
      memorySnapshot: this.#options.memorySnapshot?.(),
      backup: this.#options.backup?.(),
      migration: this.#options.migration(libvirt),
    });
    return { kind: 'present', state, facts };
  }

  #tell(next: DomainKnowledge): void {
    if (this.#holds > 0 || deepEqual(next, this.#known)) return;
    this.#known = next;
    for (const listener of this.#listeners) listener(next);
  }
}
