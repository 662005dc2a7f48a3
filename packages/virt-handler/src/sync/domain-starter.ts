/**
 * Brings a domain in line with its VMI: the record first, then the Pod's network and devices, then the
 * launcher. Every step may be repeated, so an interrupted start is simply started again.
 */
import {
  growsInPlace,
  HIBERNATION_VOLUME,
  hibernatedStateOf,
  type InterfaceAttachment,
  leasePlace,
  type StateKeyAnswer,
  type VirtualMachineInstance,
} from '@podvisor/api';
import { betweenFailPoints, type Clock, messageOf, requireUid, type Uid } from '@podvisor/base';
import { identityFields, type KubeClient, type Log, type SpanExporter } from '@podvisor/kube';
import { isProcessInPod } from '@podvisor/sys';
import { STATE_VOLUME, statePlaces } from '@podvisor/translate';
import { plannedImages } from '../container-disks/plan.ts';
import { containerDisksDirectory, showImage } from '../container-disks/show.ts';
import type { Journal } from '../ghost-records/journal.ts';
import type { GhostRecord } from '../ghost-records/record.ts';
import type { LauncherConnection } from '../launcher-client/connection.ts';
import type { SocketChecks } from '../launcher-client/socket.ts';
import type { GuestRouters } from '../network/guest-routers.ts';
import { type NicMemory, setUpNetwork } from '../network/phase-one.ts';
import { PodAccess } from '../network/pod-access.ts';
import { claimDevices } from './claim-devices.ts';
import { claimMounts, type ClaimPlace, diskPlaces } from './claim-directories.ts';
import { allowLockedMemory } from './locked-memory.ts';
import { EVENTS, type EventText } from './events.ts';
import { specFingerprint } from './fingerprint.ts';
import type { HandoffTimes } from './status/handoff-times.ts';
import type { NodeCaches } from './node-caches.ts';
import { canShareMemory, guestBytes } from '../shared-memory/plan.ts';
import { hideMemory, openStateFile, showMemory, stateStorage } from '../shared-memory/show.ts';
import type { MemoryStore } from '../shared-memory/store.ts';
import { attachedStorage } from '../volumes/attachment.ts';
import { attachmentPodsOf } from '../volumes/attachment-pod.ts';
import type { LauncherProcess } from '../volumes/claim-task.ts';
import { type ClaimWorkers, StorageSilentError } from '../volumes/claim-workers.ts';
import { desiredPlugs } from '../volumes/plan.ts';
import { hotplugDirectory } from '../volumes/plug.ts';
import { stateKeyOf } from './state-key.ts';
import { startSpans, type SyncTimes } from './start-spans.ts';
import { type MigrationRole, type NodeFacts, syncOptions, volumeFacts } from './sync-options.ts';

export interface DomainStarterOptions {
  readonly journal: Journal;
  readonly client: Pick<KubeClient, 'list' | 'request'>;
  readonly nodeName: string;
  readonly caches: Pick<NodeCaches, 'config' | 'podByUid'>;
  readonly kubeletDir: string;
  readonly checks?: SocketChecks | undefined;
  readonly nodeFacts: () => NodeFacts;
  /** Another node could take a guest of this one. */
  readonly hasOtherNodes: (signal: AbortSignal) => Promise<boolean>;
  /** Memory that copies of a snapshot share; absent: they do not. */
  readonly memories?: Pick<MemoryStore, 'want' | 'open'> | undefined;
  /** Who touches the files of claims. */
  readonly claims: Pick<ClaimWorkers, 'run'>;
  /** IPv6 routers of the guests. */
  readonly routers: Pick<GuestRouters, 'ensure'>;
  readonly tell: (vmi: VirtualMachineInstance, event: EventText) => void;
  readonly handoffs: Pick<HandoffTimes, 'note'>;
  /** Absent: nobody wants traces. */
  readonly spans?: Pick<SpanExporter, 'send'> | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

interface PodSetUp {
  readonly interfaces: readonly InterfaceAttachment[];
  /** Interfaces whose network is not in the Pod yet. */
  readonly waiting: readonly string[];
  /** Claims that could not be plugged. */
  readonly unplugged: readonly Unplugged[];
}

interface Unplugged {
  readonly volume: string;
  readonly why: string;
}

export class DomainStarter {
  readonly #options: DomainStarterOptions;

  constructor(options: DomainStarterOptions) {
    this.#options = options;
  }

  async sync(
    vmi: VirtualMachineInstance,
    podUid: Uid,
    connection: LauncherConnection,
    signal: AbortSignal,
  ): Promise<void> {
    const { journal, caches, clock, log, nodeFacts, tell, handoffs } = this.#options;
    const startedMs = clock.now();
    const { namespace = '', name = '' } = vmi.metadata ?? {};
    const uid = requireUid(vmi.metadata?.uid, 'VMI');
    const record = (): GhostRecord => journal.get(uid) ?? { namespace, name, uid, podUid };
    const isFirst = record().syncedSpec === undefined;
    const { interfaces, waiting, unplugged } = await betweenFailPoints('network', () =>
      this.#setUpPod(vmi, podUid, connection, !isFirst),
    );
    // The guest may boot from one of them. In a running guest they hold nothing up.
    if (unplugged.length > 0 && vmi.status?.phase === 'Scheduled') throw new Error(inWords(unplugged));
    const askedMs = clock.now();
    const networkMs = askedMs - startedMs;
    handoffs.note(uid, 9, askedMs);
    const facts = { ...nodeFacts(), hasOthers: await this.#hasOthers(vmi, signal) };
    const options = syncOptions(vmi, caches.config, facts, interfaces);
    const key = await stateKeyOf(this.#options.client, vmi, signal);
    const isShown = isFirst && (await this.#showMemory(vmi, record, connection, key));
    await connection
      .sync(vmi, { ...options, ...key, ...(isShown ? { hasSharedMemory: true } : {}) }, signal)
      .catch((error: unknown) => {
        // No migration will bring it: that it did not come is told.
        if (growsInPlace(vmi)) journal.put({ ...record(), changeFailure: messageOf(error) });
        throw error;
      })
      .finally(() => {
        // QEMU has it mapped by now, or never will.
        if (isShown) hideMemory(hotplugDirectory(this.#options.kubeletDir, podUid));
      });
    const answeredMs = clock.now();
    handoffs.note(uid, 10, answeredMs);
    if (isFirst) this.#trace(vmi, { beganMs: startedMs, askedMs, answeredMs }, connection);
    if (waiting.length > 0)
      throw new Error(`interface ${waiting.join(', ')} waits for its network to be plugged into the Pod`);
    if (unplugged.length > 0) throw new Error(inWords(unplugged));
    journal.put({ ...record(), syncedSpec: specFingerprint(vmi) });
    const syncMs = clock.now() - startedMs - networkMs;
    log.info({ namespace, name, uid, pod: podUid, networkMs, syncMs }, 'launcher made the domain match');
    if (isFirst) tell(vmi, EVENTS.created);
  }

  /** True: memory is shown that other copies of the snapshot have too. False: there is none, or it is the guest's own. */
  async #showMemory(
    vmi: VirtualMachineInstance,
    record: () => GhostRecord,
    { peer: { pid } }: LauncherConnection,
    { stateKey }: StateKeyAnswer,
  ): Promise<boolean> {
    const { memories, kubeletDir, journal, log } = this.#options;
    const state = hibernatedStateOf(vmi);
    if (memories === undefined || state?.isOfSnapshot !== true || !canShareMemory(vmi)) return false;
    const { namespace, podUid } = record();
    try {
      // Asked first by one who may wait: from here on the storage is one that answers.
      const isThere = await this.#options.claims.run(
        { storage: stateStorage(pid) ?? podUid, volume: HIBERNATION_VOLUME },
        { kind: 'find-state', launcher: { pid, podUid }, id: state.id },
      );
      if (!isThere) return false;
      using pod = PodAccess.open(pid, () => isProcessInPod(pid, podUid));
      using file = openStateFile(pod.root, state.id);
      if (file === undefined) return false;
      const wanted = { namespace, statePath: file.procPath, key: stateKey, guestBytes: guestBytes(vmi) };
      const memory = await memories.want(wanted);
      if (memory === undefined) return false;
      using handle = memories.open(memory);
      // First: whatever happens, it is known that there is something to take away.
      journal.put({ ...record(), sharedMemory: memory });
      showMemory(hotplugDirectory(kubeletDir, podUid), handle);
      return true;
    } catch (error) {
      log.warn(
        { ...identityFields(vmi), error: messageOf(error) },
        'memory is not shared; the guest loads its own',
      );
      return false;
    }
  }

  /** Nobody waits for it, and a launcher that does not tell is not asked again. */
  #trace(vmi: VirtualMachineInstance, times: SyncTimes, connection: LauncherConnection): void {
    const { spans } = this.#options;
    if (spans === undefined) return;
    void connection
      .stages()
      .catch(() => ({}))
      .then((stages) => spans.send(startSpans(vmi, times, stages)));
  }

  /** Plugs what is on the node. One claim that cannot be plugged does not hold up the others: it is told. */
  async #plug(
    vmi: VirtualMachineInstance,
    record: () => GhostRecord,
    launcher: LauncherProcess,
    end: MigrationRole,
  ): Promise<readonly Unplugged[]> {
    const { journal, kubeletDir, caches, claims } = this.#options;
    const { podUid: uid, plugged = [] } = record();
    const missing = desiredPlugs(vmi, end).filter((w) => !plugged.some(({ volume }) => volume === w.volume));
    if (missing.length === 0) return [];
    const name = caches.podByUid(uid)?.metadata.name ?? '';
    const own = await attachmentPodsOf(vmi, { name, uid }, this.#options);
    const directory = hotplugDirectory(kubeletDir, uid);
    const unplugged: Unplugged[] = [];
    for (const desired of missing) {
      const { volume, attachPodUid } = desired;
      try {
        if (!own.has(attachPodUid))
          throw new Error(`Pod ${attachPodUid} on this node does not hold claims for this launcher`);
        const storage = attachedStorage(attachPodUid, volume) ?? `${attachPodUid}/${volume}`;
        const done = await claims.run({ storage, volume }, { kind: 'plug', launcher, directory, desired });
        journal.put({ ...record(), plugged: [...(record().plugged ?? []), done] });
      } catch (error) {
        unplugged.push({ volume, why: messageOf(error) });
      }
    }
    return unplugged;
  }

  async #hasOthers(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<boolean> {
    return leasePlace(vmi).kind === 'volume' && (await this.#options.hasOtherNodes(signal));
  }

  /** Everything up to the domain itself, which comes from another node. */
  async prepareTarget(
    vmi: VirtualMachineInstance,
    podUid: Uid,
    connection: LauncherConnection,
    signal: AbortSignal,
  ): Promise<void> {
    const { caches, nodeFacts } = this.#options;
    const { interfaces, unplugged } = await this.#setUpPod(
      onTarget(vmi),
      podUid,
      connection,
      false,
      'target',
    );
    const needed = unplugged.filter(({ volume }) => isInGuest(vmi, volume));
    if (needed.length > 0) throw new Error(inWords(needed));
    const facts = { ...nodeFacts(), hasOthers: true };
    const options = syncOptions(vmi, caches.config, facts, interfaces, 'target');
    await connection.prepareTarget(vmi, options, signal);
  }

  /** Container disks and kernels that containers of the Pod hold; each is shown once. */
  async #showImages(vmi: VirtualMachineInstance, record: () => GhostRecord): Promise<void> {
    const { journal, kubeletDir, caches, checks } = this.#options;
    const { podUid, shownImages } = record();
    const pod = caches.podByUid(podUid);
    if (shownImages === 'all' || pod === undefined) return;
    const images = plannedImages(vmi, pod);
    if (images.length === 0) return;
    const directory = containerDisksDirectory(kubeletDir, podUid);
    journal.put({ ...record(), shownImages: 'some' });
    for (const image of images) await showImage(directory, podUid, image, checks);
    journal.put({ ...record(), shownImages: 'all' });
  }

  /** The Pod's network and devices, with a record of what was there before. */
  async #setUpPod(
    vmi: VirtualMachineInstance,
    podUid: Uid,
    { peer: { pid } }: LauncherConnection,
    isRunning: boolean,
    end: MigrationRole = 'source',
  ): Promise<PodSetUp> {
    const { journal, caches, clock, log, handoffs } = this.#options;
    const { namespace = '', name = '' } = vmi.metadata ?? {};
    const uid = requireUid(vmi.metadata?.uid, 'VMI');
    const record = (): GhostRecord => journal.get(uid) ?? { namespace, name, uid, podUid };
    journal.put(record());
    const memory: NicMemory = {
      get: (nic) => record().nics?.[nic],
      put: (nic) => journal.put({ ...record(), nics: { ...record().nics, [nic.name]: nic } }),
      list: () => Object.values(record().nics ?? {}),
      forget: (nic) => {
        const { [nic]: _, ...nics } = record().nics ?? {};
        journal.put({ ...record(), nics });
      },
    };
    await this.#showImages(vmi, record);
    using pod = PodAccess.open(pid, () => isProcessInPod(pid, podUid));
    const { attachments: interfaces, waiting } = await setUpNetwork(vmi, pod, memory, {
      isRunning,
      previous: record().attachments,
      plugins: caches.config.networkBindings,
    });
    journal.put({ ...record(), attachments: interfaces });
    this.#options.routers.ensure(podUid, pod, interfaces);
    handoffs.note(uid, 8, clock.now());
    const volumes = Object.entries(volumeFacts(vmi, end));
    const named = (block: boolean): string[] =>
      volumes.flatMap(([volume, facts]) => (facts.block === block ? [volume] : []));
    if (!isRunning) allowLockedMemory(vmi, { pid, podUid }, log);
    claimDevices(pod, named(true), log);
    // What is shared with the guest as a file system is the user's own matter.
    const disks = new Set(vmi.spec.domain.devices?.disks?.map(({ name: disk }) => disk));
    const claims = named(false).filter((volume) => disks.has(volume));
    const state = statePlaces(vmi).map(({ path }) => ({ volume: STATE_VOLUME, path }));
    await this.#giveClaims({ pid, podUid }, [...diskPlaces(claims), ...state]);
    return { interfaces, waiting, unplugged: await this.#plug(vmi, record, { pid, podUid }, end) };
  }

  /** Best effort: the launcher says clearly what it cannot open. A storage that does not answer it cannot ask. */
  async #giveClaims(launcher: LauncherProcess, places: readonly ClaimPlace[]): Promise<void> {
    const { claims, log } = this.#options;
    for (const { volume, path, device } of claimMounts(launcher.pid, places))
      await claims
        .run({ storage: device, volume }, { kind: 'give', launcher, path })
        .catch((error: unknown) => {
          if (error instanceof StorageSilentError) throw error;
          log.warn(
            { volume, error: messageOf(error) },
            'the directory of a claim could not be given to QEMU',
          );
        });
  }
}

function inWords(unplugged: readonly Unplugged[]): string {
  return unplugged.map(({ volume, why }) => `volume ${volume} cannot be plugged: ${why}`).join('; ');
}

/** The guest uses it. What is only on its way there is plugged when the guest has moved. */
function isInGuest({ status }: VirtualMachineInstance, volume: string): boolean {
  return status?.volumeStatus?.find(({ name }) => name === volume)?.phase === 'Ready';
}

/** Plugged claims come from the attachment Pod of this node, not from the one that the guest leaves. */
function onTarget(vmi: VirtualMachineInstance): VirtualMachineInstance {
  const attachPodUID = vmi.status?.migrationState?.targetAttachmentPodUID;
  if (attachPodUID === undefined) return vmi;
  const volumeStatus = vmi.status?.volumeStatus?.map((status) =>
    status.hotplugVolume === undefined
      ? status
      : { ...status, hotplugVolume: { ...status.hotplugVolume, attachPodUID } },
  );
  return { ...vmi, status: { ...vmi.status, volumeStatus } };
}
