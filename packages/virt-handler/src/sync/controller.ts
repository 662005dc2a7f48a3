/** The sync loop: for each VMI of this node, look, decide, report, act. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Pod, VirtualMachineInstance } from '@podvisor/api';
import { type Clock, isStatus, messageOf, parseUid, requireUid, type Uid } from '@podvisor/base';
import {
  type EventRecorder,
  type KubeClient,
  type Log,
  type ReconcileResult,
  runController,
  type SpanExporter,
  splitKey,
  WorkQueue,
} from '@podvisor/kube';
import { seLinuxContextOf } from '@podvisor/sys';
import { NETWORK_STATUS } from '@podvisor/translate';
import type { GhostRecord } from '../ghost-records/record.ts';
import type { Journal } from '../ghost-records/journal.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { type LinkMaker, LauncherLinks } from '../launcher-client/links.ts';
import type { LauncherLink } from '../launcher-client/link.ts';
import { GuestRouters } from '../network/guest-routers.ts';
import { credentialsEvent } from './conditions/agent-conditions.ts';
import { migrationEvent } from '../migration/events.ts';
import { finalizeOnTarget } from '../migration/finalize.ts';
import { SourceMigrations } from '../migration/source.ts';
import { mayHaveMoved, withReport } from '../migration/status.ts';
import { TargetMigrations } from '../migration/target.ts';
import { containerDisksDirectory, hideImages } from '../container-disks/show.ts';
import { apply } from './apply.ts';
import { HandoffTimes } from './status/handoff-times.ts';
import { DomainStarter } from './domain-starter.ts';
import { EVENTS, type EventText, phaseEvent, syncFailed } from './events.ts';
import { type NodeCaches, ownerUid, vmiKeyOf } from './node-caches.ts';
import { launcherPodUid, speaksFor } from './launcher-pod.ts';
import { askAbout, isTargetOf, remainsOf } from './leftovers.ts';
import { LiveVmis } from './live-vmis.ts';
import { observe } from './observe.ts';
import { reconcile } from './reconcile.ts';
import { podEnd, type ShutdownMemory, type Situation, type VmiKnowledge } from './situation.ts';
import { nextStatus, type SyncOutcome } from './status/status.ts';
import { SyncBackoff } from './sync-backoff.ts';
import type { NodeFacts } from './sync-options.ts';
import { unplugList } from '../volumes/plan.ts';
import { hotplugDirectory, unplug } from '../volumes/plug.ts';
import type { ClaimWorkers } from '../volumes/claim-workers.ts';
import { hideMemory } from '../shared-memory/show.ts';
import type { MemoryStore } from '../shared-memory/store.ts';
import { volumeEvents } from '../volumes/status.ts';
import { VmiWriter } from './status/vmi-writer.ts';

/** Phases in which the VMI's status is ours to write. */
const OURS = new Set(['Scheduled', 'Running', 'Succeeded', 'Failed', 'Unknown']);
const WORKERS = 10;
/** Reason of the launcher's event for a guest that panicked. */
const GUEST_PANICKED = 'GuestPanicked';
const BACKOFF = { firstMs: 100, maxMs: 60_000 };

export interface NodeVmiControllerOptions {
  readonly client: Pick<KubeClient, 'find' | 'list' | 'update' | 'request'>;
  readonly caches: NodeCaches;
  readonly journal: Journal;
  readonly events: Pick<EventRecorder, 'event'>;
  readonly nodeName: string;
  /** Where Podvisor is installed. */
  readonly namespace: string;
  readonly links: LinkMaker;
  readonly nodeFacts: () => NodeFacts;
  readonly hasOtherNodes: (signal: AbortSignal) => Promise<boolean>;
  /** Who touches the files of claims. */
  readonly claims: Pick<ClaimWorkers, 'run'>;
  /** Memory that copies of a snapshot share; absent: they do not. */
  readonly memories?: Pick<MemoryStore, 'want' | 'open'> | undefined;
  readonly metrics?: Metrics;
  /** Absent: nobody wants traces. */
  readonly spans?: Pick<SpanExporter, 'send'> | undefined;
  /** Address that other nodes migrate to, and the directory of the certificates for it. */
  readonly migration: { readonly address: string; readonly tlsDir: string };
  /** A migration has brought this VMI here. */
  readonly onTakenOver?: (vmi: VirtualMachineInstance, signal: AbortSignal) => void;
  readonly clock: Clock;
  readonly log: Log;
}

export class NodeVmiController {
  /** The VMIs that can be talked to. */
  readonly live: LiveVmis;
  readonly #options: NodeVmiControllerOptions;
  readonly #links: LauncherLinks;
  readonly #queue: WorkQueue;
  readonly #writer: VmiWriter;
  readonly #starter: DomainStarter;
  readonly #routers: GuestRouters;
  readonly #sources: SourceMigrations;
  readonly #targets: TargetMigrations;
  readonly #shutdowns = new Map<string, ShutdownMemory>();
  readonly #handoffs = new HandoffTimes();
  readonly #backoff: SyncBackoff;

  constructor(options: NodeVmiControllerOptions) {
    this.#options = options;
    this.#queue = new WorkQueue({
      clock: options.clock,
      backoff: BACKOFF,
      observer: options.metrics?.queues.observer('virt-handler-vm'),
    });
    this.#backoff = new SyncBackoff(options.clock, BACKOFF);
    this.#writer = new VmiWriter(options.client);
    this.#routers = new GuestRouters(options.clock, options.log);
    this.#starter = new DomainStarter({
      ...options,
      kubeletDir: options.links.kubeletDir,
      checks: options.links.checks,
      routers: this.#routers,
      tell: (vmi, event) => this.#tell(vmi, event),
      handoffs: this.#handoffs,
    });
    const tell = (vmi: VirtualMachineInstance, event: EventText): void => this.#tell(vmi, event);
    const { tlsDir, address: migrationAddress } = options.migration;
    this.#sources = new SourceMigrations({
      ...options,
      tlsDir,
      tell,
      write: (vmi, status, signal) => this.#writer.write(vmi, status, signal),
    });
    this.#targets = new TargetMigrations({
      ...options,
      tlsDir,
      migrationAddress,
      tell,
      launchers: () => this.#links,
      prepare: (vmi, podUid, connection, signal) =>
        this.#starter.prepareTarget(vmi, podUid, connection, signal),
    });
    this.#links = new LauncherLinks(
      options.links,
      (key) => this.#queue.add(key),
      (key, podUid, event) => this.#launcherEvent(key, podUid, event),
    );
    this.live = new LiveVmis({ ...options, links: this.#links });
  }

  /** Runs until the signal ends it. VMs go on without us. */
  async run(signal: AbortSignal): Promise<void> {
    const { caches, journal, log } = this.#options;
    const add = (vmi: VirtualMachineInstance): void =>
      this.#queue.add(`${vmi.metadata?.namespace}/${vmi.metadata?.name}`);
    caches.vmis.on({ add, update: add, delete: add });
    caches.targets.on({ add, update: add, delete: add });
    const onPod = (pod: Pod): void => this.#onPod(pod, false);
    const onChange = (pod: Pod, before: Pod): void => {
      // What a sync waited for may be there now: it is tried at once.
      if (networksChanged(before, pod)) this.#backoff.forget(ownerUid(pod));
      this.#onPod(pod, false);
    };
    caches.pods.on({ add: onPod, update: onChange, delete: (pod) => this.#onPod(pod, true) });
    for (const record of journal.list()) this.#queue.add(`${record.namespace}/${record.name}`);
    const uidOf = (key: string): string | undefined => caches.vmis.get(key)?.metadata?.uid;
    const controller = { name: 'vmi', queue: this.#queue, workers: WORKERS, log, uidOf };
    await runController({ ...controller, reconcile: (key, s) => this.#reconcileKey(key, s) }, signal);
    await this.#sources[Symbol.asyncDispose]();
    await this.#targets[Symbol.asyncDispose]();
    this.#links[Symbol.dispose]();
    this.#routers[Symbol.dispose]();
  }

  #onPod(pod: Pod, isGone: boolean): void {
    const key = vmiKeyOf(pod);
    if (key === undefined) return;
    const uid = parseUid(pod.metadata.uid);
    if (uid === undefined) return;
    const isLive = podEnd(pod) === undefined && pod.metadata.deletionTimestamp === undefined;
    // A socket would keep the Pod's network alive.
    if (podEnd(pod) !== undefined || isGone) this.#routers.close(uid);
    // Contact is made as soon as the Pod is on this node, so that nothing waits for it later.
    if (isLive && !isGone) this.#links.ensure(uid, key).poke();
    // A Pod that ended before anything was done for its VMI needs no goodbye.
    else if (isGone && !this.#options.journal.list().some((r) => r.podUid === uid)) this.#links.close(uid);
    this.#queue.add(key);
  }

  async #reconcileKey(key: string, signal: AbortSignal): Promise<ReconcileResult> {
    const { namespace = '', name } = splitKey(key);
    const cached = this.#options.caches.vmis.get(key);
    const vmi = cached === undefined ? undefined : this.#writer.newest(cached);
    const waits: (number | undefined)[] = [];
    const expected = this.#targets.expected(key);
    for (const record of this.#options.journal.of(namespace, name))
      if (record.uid !== vmi?.metadata?.uid && !isTargetOf(record, expected))
        waits.push(await this.#reconcileLeftover(record, signal));
    if (expected !== undefined) waits.push(await this.#targets.reconcile(expected, key, signal));
    if (
      vmi !== undefined &&
      OURS.has(vmi.status?.phase ?? '') &&
      vmi.status?.nodeName === this.#options.nodeName
    )
      waits.push(await this.#reconcileVmi(vmi, key, signal));
    const soonest = waits.filter((ms) => ms !== undefined).toSorted((a, b) => a - b)[0];
    return soonest === undefined ? undefined : { requeueAfterMs: soonest };
  }

  async #reconcileVmi(
    vmi: VirtualMachineInstance,
    key: string,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const uid = vmi.metadata?.uid ?? '';
    const record = this.#options.journal.get(uid);
    const podUid = record?.podUid ?? launcherPodUid(vmi, this.#options);
    if (podUid === undefined) return undefined;
    const link = this.#links.ensure(podUid, key);
    // Without a connection: it comes back, and wakes us.
    if (record?.migrationUid !== undefined && link.connection !== undefined)
      this.#options.journal.put(await finalizeOnTarget(vmi, record, link.connection, signal));
    if (link.connectedAtMs !== undefined) this.#handoffs.note(uid, 6, link.connectedAtMs);
    if (link.connection !== undefined)
      this.#routers.adopt(podUid, link.connection.peer.pid, record?.attachments ?? []);
    this.#unplug(vmi, link, record);
    const seen = this.#situation({ kind: 'ours', vmi }, uid, link, this.#options.journal.get(uid));
    const mayRunOnTarget = seen.view.kind === 'absent' && (await this.#mayRunOnTarget(vmi, signal));
    const situation = { ...seen, mayRunOnTarget };
    const decision = reconcile(situation);
    this.#options.metrics?.synced(vmi);
    if (link.connection !== undefined) this.#options.metrics?.adopted(vmi);
    // Reported first: after a deletion the launcher is gone, and with it the reason why the guest ended.
    const reported = await this.#report(
      vmi,
      situation,
      { kind: decision.kind === 'nothing' ? 'ok' : 'none' },
      signal,
    );
    try {
      await apply(decision, reported, link.connection, this.#effects(reported, podUid, signal), signal);
    } catch (error) {
      // A write that met another's is repeated with what is there now: nothing has failed.
      if (signal.aborted || isStatus(error, 'Conflict')) throw error;
      await this.#report(reported, situation, { kind: 'failed', message: messageOf(error) }, signal);
      this.#tell(reported, syncFailed(messageOf(error)));
      throw error;
    }
    if (decision.kind === 'kill') this.#tell(vmi, EVENTS.stopping);
    if (decision.kind === 'delete-domain') this.#tell(vmi, EVENTS.deleted);
    const lookMs = await this.#sources.step(reported, link, signal);
    // A claim that only the launcher uses changes nothing of the domain that would tell us.
    if (this.#options.journal.get(uid)?.plugged?.length !== record?.plugged?.length) return 0;
    return lookMs ?? ('requeueAfterMs' in decision ? decision.requeueAfterMs : undefined);
  }

  async #mayRunOnTarget(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<boolean> {
    const state = vmi.status?.migrationState;
    if (state?.sourceNode !== this.#options.nodeName || !mayHaveMoved(state)) return false;
    return !(await this.#sources.hasTargetEnded(vmi, signal));
  }

  /** Takes claims away that nobody wants and the guest has let go of. */
  #unplug(vmi: VirtualMachineInstance, link: LauncherLink, record: GhostRecord | undefined): void {
    const { journal, links } = this.#options;
    if (record?.plugged === undefined || !link.connected || link.view.kind !== 'present') return;
    const gone = unplugList(vmi, record.plugged, link.view.domain);
    if (gone.length === 0) return;
    const directory = hotplugDirectory(links.kubeletDir, record.podUid);
    for (const volume of gone) unplug(directory, link.connection?.peer.pid, volume);
    journal.put({ ...record, plugged: record.plugged.filter((volume) => !gone.includes(volume)) });
  }

  /** The kubelet cannot remove a directory in which something is mounted. */
  #hideImages(record: GhostRecord | undefined): void {
    const { kubeletDir } = this.#options.links;
    if (record?.shownImages !== undefined) hideImages(containerDisksDirectory(kubeletDir, record.podUid));
    if (record?.sharedMemory !== undefined) hideMemory(hotplugDirectory(kubeletDir, record.podUid));
  }

  async #reconcileLeftover(record: GhostRecord, signal: AbortSignal): Promise<number | undefined> {
    const { namespace, name, uid, podUid } = record;
    const link = this.#links.ensure(podUid, `${namespace}/${name}`);
    // Whoever deleted the Pod by force left nobody who would use them, and perhaps no proof of that.
    if (this.#options.caches.podByUid(podUid) === undefined && !link.connected) this.#hideImages(record);
    const knowledge = await askAbout(record, this.#options, signal);
    const decision = reconcile(this.#situation(knowledge, uid, link, record));
    const remains = remainsOf(record);
    await apply(decision, remains, link.connection, this.#effects(remains, podUid, signal), signal);
    if (decision.kind !== 'wait')
      this.#options.log.info({ namespace, name, uid, decision }, 'leftover handled');
    return 'requeueAfterMs' in decision ? decision.requeueAfterMs : undefined;
  }

  #situation(vmi: VmiKnowledge, uid: string, link: LauncherLink, record: GhostRecord | undefined): Situation {
    const { caches, clock, links } = this.#options;
    return observe({
      vmi,
      record,
      launcher: link,
      pod: caches.podByUid(link.podUid),
      hasPodDirectory: existsSync(join(links.kubeletDir, 'pods', link.podUid)),
      mayRunOnTarget: false,
      shutdown: this.#shutdowns.get(uid) ?? {},
      lacksHostModel: this.#options.nodeFacts().lacksHostModel ?? false,
      addressPromise: caches.addressPromise(),
      seLinuxContext: link.connection === undefined ? undefined : seLinuxContextOf(link.connection.peer.pid),
      syncNotBeforeMs: this.#backoff.notBeforeMs(uid),
      nowMs: clock.now(),
    });
  }

  async #report(
    vmi: VirtualMachineInstance,
    situation: Situation,
    outcome: SyncOutcome,
    signal: AbortSignal,
  ): Promise<VirtualMachineInstance> {
    const status = nextStatus(vmi, situation, outcome);
    const starts = status.phase === 'Running' && vmi.status?.phase !== 'Running';
    if (starts) this.#handoffs.note(vmi.metadata?.uid ?? '', 11, this.#options.clock.now());
    const noted = withReport(starts ? this.#handoffs.annotate(vmi) : vmi, status, situation);
    const written = await this.#writer.write(noted, status, signal);
    const event = phaseEvent(vmi.status?.phase, status.phase);
    const credentials = credentialsEvent(vmi.status?.conditions, status.conditions);
    const volumes = volumeEvents(vmi.status?.volumeStatus, status.volumeStatus);
    const migration = migrationEvent(vmi.status?.migrationState, status.migrationState);
    for (const one of [event, credentials, migration, ...volumes])
      if (one !== undefined) this.#tell(written, one);
    return written;
  }

  #effects(vmi: VirtualMachineInstance, podUid: Uid, signal: AbortSignal): Parameters<typeof apply>[3] {
    const uid = requireUid(vmi.metadata?.uid, 'VMI');
    return {
      syncDomain: (object, connection) =>
        this.#backoff.watch(uid, () => this.#starter.sync(object, podUid, connection, signal)),
      noteShutdownAsked: () => {
        const now = this.#options.clock.now();
        const before = this.#shutdowns.get(uid);
        this.#shutdowns.set(uid, { firstAskedMs: before?.firstAskedMs ?? now, lastAskedMs: now });
        if (before === undefined) this.#tell(vmi, EVENTS.shuttingDown);
      },
      forget: () => {
        const directory = hotplugDirectory(this.#options.links.kubeletDir, podUid);
        for (const volume of this.#options.journal.get(uid)?.plugged ?? [])
          unplug(directory, undefined, volume);
        this.#hideImages(this.#options.journal.get(uid));
        void this.#sources.close(uid);
        void this.#targets.close(uid);
        this.#routers.close(podUid);
        this.#links.close(podUid);
        this.#options.journal.remove(uid);
        this.#options.metrics?.adopted(vmi);
        this.#options.metrics?.forget(vmi.metadata?.namespace ?? '', vmi.metadata?.name ?? '');
        this.#shutdowns.delete(uid);
        this.#backoff.forget(uid);
        this.#handoffs.forget(uid);
        this.#writer.forget(uid);
      },
    };
  }

  /** Which VMI a launcher speaks of is known from its Pod, and only that VMI's own launcher speaks of it. */
  #launcherEvent(key: string, podUid: Uid, event: EventText): void {
    const vmi = this.#options.caches.vmis.get(key);
    if (vmi === undefined || !speaksFor(podUid, vmi, this.#options)) return;
    if (event.reason === GUEST_PANICKED) this.#options.metrics?.panicked(vmi);
    this.#tell(vmi, event);
  }

  #tell(vmi: VirtualMachineInstance, { type, reason, message }: EventText): void {
    this.#options.events.event(vmi, type, reason, message);
  }
}

/** Somebody plugged the Pod into a network, or out of one. */
function networksChanged(before: Pod, now: Pod): boolean {
  return before.metadata.annotations?.[NETWORK_STATUS] !== now.metadata.annotations?.[NETWORK_STATUS];
}
