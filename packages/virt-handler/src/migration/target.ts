/** The target's side of migrations on this node: prepares, listens, and takes the VMI over when its guest is here. */
import { readFileSync } from 'node:fs';
import {
  isLauncherOf,
  labels,
  type MigrationState,
  type Pod,
  type VirtualMachineInstance,
  vmiConditions,
  type VMIStatus,
} from '@podvisor/api';
import {
  assertNever,
  type Clock,
  deepEqual,
  isUid,
  messageOf,
  parseUid,
  requireUid,
  rfc3339,
  type Uid,
} from '@podvisor/base';
import { identityFields, type KubeClient, type Log, resources } from '@podvisor/kube';
import { allowUserfaultfd } from '@podvisor/sys';
import type { Journal } from '../ghost-records/journal.ts';
import type { LauncherConnection } from '../launcher-client/connection.ts';
import type { LauncherLink } from '../launcher-client/link.ts';
import type { LauncherLinks, LinkMaker } from '../launcher-client/links.ts';
import type { EventText } from '../sync/events.ts';
import type { NodeCaches } from '../sync/node-caches.ts';
import { podEnd } from '../sync/situation.ts';
import { decideTarget, hasArrived, isIncomplete } from './decide-target.ts';
import { MIGRATION_EVENTS, notPreparedEvent } from './events.ts';
import { MigrationListeners } from './proxy/listeners.ts';
import { dialTarget } from './proxy/pod-sockets.ts';

export interface TargetOptions {
  readonly client: Pick<KubeClient, 'find' | 'update'>;
  readonly caches: Pick<NodeCaches, 'targets' | 'pods'>;
  readonly journal: Journal;
  readonly launchers: () => LauncherLinks;
  readonly links: LinkMaker;
  readonly nodeName: string;
  /** Address that other nodes migrate to. */
  readonly migrationAddress: string;
  readonly tlsDir: string;
  /** Network, devices and the launcher's part: the start of a VM up to where the source's guest comes in. */
  readonly prepare: (
    vmi: VirtualMachineInstance,
    podUid: Uid,
    connection: LauncherConnection,
    signal: AbortSignal,
  ) => Promise<void>;
  readonly tell: (vmi: VirtualMachineInstance, event: EventText) => void;
  /** The VMI is ours since a moment. Nothing waits for what is done then. */
  readonly onTakenOver?: (vmi: VirtualMachineInstance, signal: AbortSignal) => void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Incoming {
  readonly migrationUid: Uid;
  listeners?: MigrationListeners;
  arrivedMs?: number;
  orphanedMs?: number;
}

export class TargetMigrations implements AsyncDisposable {
  readonly #options: TargetOptions;
  /** By VMI. */
  readonly #incoming = new Map<string, Incoming>();

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  /** The VMI with this key, while a migration brings it here. */
  expected(key: string): VirtualMachineInstance | undefined {
    const { caches, nodeName } = this.#options;
    const vmi = caches.targets.get(key);
    const state = vmi?.status?.migrationState;
    const isOnItsWay =
      state?.targetNode === nodeName && isUid(state.migrationUid) && vmi?.status?.nodeName !== nodeName;
    return isOnItsWay && vmi?.metadata?.labels?.[labels.migrationTargetNodeName] === nodeName
      ? vmi
      : undefined;
  }

  /** Does the next step. Answers when to look again, if not only when something changes. */
  async reconcile(
    vmi: VirtualMachineInstance,
    key: string,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { caches, journal, launchers, clock, tell } = this.#options;
    const uid = requireUid(vmi.metadata?.uid, 'VMI');
    const state = vmi.status?.migrationState ?? {};
    const migrationUid = requireUid(state.migrationUid, 'migration');
    const pod = caches.pods.get(`${vmi.metadata?.namespace}/${state.targetPod}`);
    const podUid = parseUid(pod?.metadata.uid);
    if (pod === undefined || podUid === undefined || !isLauncherOf(pod, vmi)) return undefined;
    // Named after another migration: it was not made for this one.
    if (pod.metadata.labels?.[labels.migrationJobUID] !== migrationUid) return undefined;
    const record = journal.get(uid);
    // The guest was here before, and what it left behind is not cleaned up yet.
    if (record !== undefined && record.podUid !== podUid) return 500;
    const incoming = await this.#of(uid, migrationUid);
    const link = launchers().ensure(podUid, key);
    if (hasArrived(link.view, state.migrationUid)) incoming.arrivedMs ??= clock.now();
    const mayBeLeft = incoming.arrivedMs !== undefined || isIncomplete(link.view, state.migrationUid);
    const hasSourceEnded = mayBeLeft && (await this.#hasSourceEnded(vmi, state, signal));
    if (hasSourceEnded) incoming.orphanedMs ??= clock.now();
    const decision = decideTarget({
      state,
      view: link.view,
      connected: link.connected,
      isListening: isTold(incoming.listeners, state),
      arrivedMs: incoming.arrivedMs,
      hasSourceEnded,
      orphanedMs: incoming.orphanedMs,
      nowMs: clock.now(),
    });
    switch (decision.kind) {
      case 'wait':
        return decision.requeueAfterMs;
      case 'end':
        await link.connection?.do('killVirtualMachine', vmi, signal);
        return undefined;
      case 'give-up':
        await this.close(uid);
        return undefined;
      case 'prepare':
        await this.#prepare(vmi, podUid, link, incoming, signal).catch((error: unknown) => {
          const event = notPreparedEvent(error);
          if (!signal.aborted && event !== undefined) tell(vmi, event);
          throw error;
        });
        return undefined;
      case 'listen':
        await this.#listen(vmi, podUid, link, incoming, signal);
        return undefined;
      case 'detected':
        await this.#write(vmi, this.#seen(state), signal);
        return decision.requeueAfterMs;
      case 'take-over':
        await this.#takeOver(vmi, pod, decision.alone, signal);
        return undefined;
      default:
        return assertNever(decision);
    }
  }

  /** Nothing listens for this VMI any more. */
  async close(uid: string): Promise<void> {
    const incoming = this.#incoming.get(uid);
    this.#incoming.delete(uid);
    await incoming?.listeners?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#incoming.keys()].map((uid) => this.close(uid)));
  }

  async #of(uid: Uid, migrationUid: Uid): Promise<Incoming> {
    const known = this.#incoming.get(uid);
    if (known?.migrationUid === migrationUid) return known;
    await this.close(uid);
    const fresh: Incoming = { migrationUid };
    this.#incoming.set(uid, fresh);
    return fresh;
  }

  async #prepare(
    vmi: VirtualMachineInstance,
    podUid: Uid,
    link: LauncherLink,
    incoming: Incoming,
    signal: AbortSignal,
  ): Promise<void> {
    const { journal, prepare, log, tell } = this.#options;
    const { migrationUid } = incoming;
    const { namespace = '', name = '' } = vmi.metadata ?? {};
    const uid = requireUid(vmi.metadata?.uid, 'VMI');
    if (link.connection === undefined) return;
    journal.put({ ...(journal.get(uid) ?? { namespace, name, uid, podUid }), migrationUid });
    if (vmi.status?.migrationState?.migrationConfiguration?.allowPostCopy === true) this.#allowPostCopy();
    await prepare(vmi, podUid, link.connection, signal);
    tell(vmi, MIGRATION_EVENTS.prepared);
    await this.#listen(vmi, podUid, link, incoming, signal);
    tell(vmi, MIGRATION_EVENTS.listening);
    log.info({ namespace, name, uid, migration: migrationUid, pod: podUid }, 'target is ready');
  }

  /** Opens the listeners and tells where they are. */
  async #listen(
    vmi: VirtualMachineInstance,
    podUid: Uid,
    link: LauncherLink,
    incoming: Incoming,
    signal: AbortSignal,
  ): Promise<void> {
    const { migrationAddress, tlsDir, links, log } = this.#options;
    const { migrationUid } = incoming;
    if (link.connection === undefined) return;
    incoming.listeners ??= await MigrationListeners.open({
      address: migrationAddress,
      tlsDir,
      migrationUid,
      sourceNode: vmi.status?.migrationState?.sourceNode ?? '',
      dial: (channel) => dialTarget(links.kubeletDir, podUid, migrationUid, channel, links.checks),
      log,
    });
    await this.#write(
      vmi,
      {
        targetNodeAddress: migrationAddress,
        targetDirectMigrationNodePorts: incoming.listeners.ports,
        ...(vmi.spec.domain.cpu?.dedicatedCpuPlacement === true
          ? { targetCPUSet: allowedCpus(link.connection.peer.pid) }
          : {}),
      },
      signal,
    );
  }

  /** Where the node forbids it the migration does without: the source finds out when it asks. */
  #allowPostCopy(): void {
    try {
      allowUserfaultfd();
    } catch (error) {
      this.#options.log.warn({ error: messageOf(error) }, 'this node does not allow post-copy');
    }
  }

  async #takeOver(vmi: VirtualMachineInstance, pod: Pod, alone: boolean, signal: AbortSignal): Promise<void> {
    const { client, nodeName, tell, onTakenOver, clock, log } = this.#options;
    const {
      [labels.migrationTargetNodeName]: _target,
      [labels.outdatedLauncherImage]: _old,
      ...kept
    } = vmi.metadata?.labels ?? {};
    // The guest is on its new claims: in the same write in which it is ours, nothing says otherwise any more.
    const { evacuationNodeName: _node, migratedVolumes, ...status } = vmi.status ?? {};
    const conditions = status.conditions?.filter(
      ({ type }) => migratedVolumes === undefined || type !== vmiConditions.volumesChange,
    );
    const state = { ...status.migrationState, ...this.#seen(status.migrationState ?? {}) };
    const image = pod.spec.containers.find(({ name }) => name === 'compute')?.image;
    const taken: VMIStatus = {
      ...status,
      ...(conditions === undefined ? {} : { conditions }),
      nodeName,
      ...(image === undefined ? {} : { launcherContainerImageVersion: image }),
      migrationState: alone ? { ...state, completed: true, endTimestamp: rfc3339(clock.now()) } : state,
    };
    await client.update(
      resources.virtualMachineInstances,
      {
        ...vmi,
        metadata: { ...vmi.metadata, labels: { ...kept, [labels.nodeName]: nodeName } },
        status: taken,
      },
      {},
      signal,
    );
    log.info({ ...identityFields(vmi), alone }, 'the VMI is ours now');
    tell(vmi, MIGRATION_EVENTS.migrated(nodeName));
    onTakenOver?.(vmi, signal);
    await this.close(vmi.metadata?.uid ?? '');
  }

  #seen(state: MigrationState): Partial<MigrationState> {
    return {
      targetNodeDomainDetected: true,
      targetNodeDomainReadyTimestamp:
        state.targetNodeDomainReadyTimestamp ?? rfc3339(this.#options.clock.now()),
    };
  }

  /** The object's version is the test: whoever else wrote meanwhile wins, and we read again. */
  async #write(
    vmi: VirtualMachineInstance,
    part: Partial<MigrationState>,
    signal: AbortSignal,
  ): Promise<void> {
    const status = { ...vmi.status, migrationState: { ...vmi.status?.migrationState, ...part } };
    await this.#options.client.update(resources.virtualMachineInstances, { ...vmi, status }, {}, signal);
  }

  async #hasSourceEnded(
    { metadata }: VirtualMachineInstance,
    state: MigrationState,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (state.completed === true || state.sourcePod === undefined) return false;
    const key = { namespace: metadata?.namespace, name: state.sourcePod };
    try {
      const pod = await this.#options.client.find(resources.pods, key, signal);
      return pod === undefined || podEnd(pod) !== undefined;
    } catch {
      return false; // the API server does not say: unknown is not gone
    }
  }
}

/** The listeners are open, and the VMI says where. */
function isTold(listeners: MigrationListeners | undefined, state: MigrationState): boolean {
  return listeners !== undefined && deepEqual(listeners.ports, state.targetDirectMigrationNodePorts);
}

/** CPUs that the kubelet gave to the Pod of this process. */
function allowedCpus(pid: number): readonly number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  });
}
