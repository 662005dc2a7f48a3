/** The source's side of migrations on this node: carries the data to the target, starts and stops the launcher's part. */
import {
  type DomainState,
  type MigrationState,
  type SourceMigration,
  type VirtualMachineInstance,
  type VMIStatus,
} from '@podvisor/api';
import { type Clock, isUid, rfc3339, type Uid } from '@podvisor/base';
import { type KubeClient, type Log, resources } from '@podvisor/kube';
import { isAlive } from '../launcher-client/domain-view.ts';
import type { LauncherLink } from '../launcher-client/link.ts';
import type { LinkMaker } from '../launcher-client/links.ts';
import { isLauncher, LAUNCHER_UID, socketsDirectory } from '../launcher-client/socket.ts';
import type { EventText } from '../sync/events.ts';
import { podEnd } from '../sync/situation.ts';
import { MIGRATION_EVENTS } from './events.ts';
import { SourceSockets } from './proxy/source-sockets.ts';
import { targetPlace } from './target-place.ts';

export interface SourceOptions {
  readonly client: Pick<KubeClient, 'find'>;
  readonly links: LinkMaker;
  readonly nodeName: string;
  /** Where the Leases of the virt-handlers are. */
  readonly namespace: string;
  readonly tlsDir: string;
  /** Writes the status; answers the VMI as it is then. */
  readonly write: (
    vmi: VirtualMachineInstance,
    status: VMIStatus,
    signal: AbortSignal,
  ) => Promise<VirtualMachineInstance>;
  readonly tell: (vmi: VirtualMachineInstance, event: EventText) => void;
  readonly clock: Clock;
  readonly log: Log;
}

interface Outgoing {
  readonly migrationUid: Uid;
  /** Where the target listens; it says so anew when its virt-handler has started again. */
  readonly place: string;
  readonly sockets: SourceSockets;
  isToldUndecided: boolean;
}

/** While it is not known where the guest runs. */
const LOOK_MS = 1_000;

export class SourceMigrations implements AsyncDisposable {
  readonly #options: SourceOptions;
  /** By VMI. */
  readonly #outgoing = new Map<string, Outgoing>();

  constructor(options: SourceOptions) {
    this.#options = options;
  }

  /** Does the next step for a VMI of this node. Answers when to look again, if not only when something changes. */
  async step(
    vmi: VirtualMachineInstance,
    link: LauncherLink,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const uid = vmi.metadata?.uid ?? '';
    const state = vmi.status?.migrationState;
    const { connection, view } = link;
    const domain = view.kind === 'present' ? view.domain : undefined;
    if (!this.#isOurs(state) || state.completed === true) {
      await this.close(uid);
      return undefined;
    }
    if (connection === undefined || domain === undefined || !isAlive(domain)) return undefined;
    const job = sourceJob(domain, state.migrationUid);
    const isUnwanted = state.abortRequested === true || vmi.metadata?.deletionTimestamp !== undefined;
    if (isUnwanted && job === undefined) return undefined; // nothing was begun, nothing is
    if (isUnwanted && job?.completed !== true && job?.abortStatus === undefined)
      await connection.do('cancelVirtualMachineMigration', vmi, signal);
    if (state.targetNodeAddress === undefined) return undefined;
    const outgoing = await this.#carry(vmi, state, link.podUid, signal);
    if (job?.isUndecided === true) return await this.#helpDecide(vmi, job, link, outgoing, signal);
    if (job !== undefined) return undefined;
    const started = await this.#noteStart(vmi, state, signal);
    const configuration = state.migrationConfiguration ?? {};
    await connection.migrate(
      started,
      {
        migrationUid: outgoing.migrationUid,
        configuration,
        ...(state.targetCPUSet === undefined ? {} : { targetCpuSet: state.targetCPUSet }),
      },
      signal,
    );
    return undefined;
  }

  /** Nothing is carried for this VMI any more. */
  async close(uid: string): Promise<void> {
    const outgoing = this.#outgoing.get(uid);
    this.#outgoing.delete(uid);
    await outgoing?.sockets.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#outgoing.keys()].map((uid) => this.close(uid)));
  }

  /** Whether the Pod of the target has ended, as far as the API server says. */
  async hasTargetEnded(vmi: VirtualMachineInstance, signal: AbortSignal): Promise<boolean> {
    const name = vmi.status?.migrationState?.targetPod;
    if (name === undefined) return true;
    try {
      const key = { namespace: vmi.metadata?.namespace, name };
      const pod = await this.#options.client.find(resources.pods, key, signal);
      return pod === undefined || podEnd(pod) !== undefined;
    } catch {
      return false; // the API server does not say: unknown is not gone
    }
  }

  #isOurs(state: MigrationState | undefined): state is MigrationState & { readonly migrationUid: Uid } {
    return state?.sourceNode === this.#options.nodeName && isUid(state.migrationUid);
  }

  async #carry(
    vmi: VirtualMachineInstance,
    state: MigrationState & { readonly migrationUid: Uid },
    podUid: Uid,
    signal: AbortSignal,
  ): Promise<Outgoing> {
    const { client, namespace, links, tlsDir, log } = this.#options;
    const uid = vmi.metadata?.uid ?? '';
    const known = this.#outgoing.get(uid);
    const place = JSON.stringify([state.targetNodeAddress, state.targetDirectMigrationNodePorts]);
    if (known?.migrationUid === state.migrationUid && known.place === place) return known;
    await this.close(uid);
    const name = `virt-handler-${state.targetNode}`;
    const target = targetPlace(state, await client.find(resources.leases, { namespace, name }, signal));
    const sockets = await SourceSockets.open({
      directory: socketsDirectory(links.kubeletDir, podUid),
      uid: links.checks?.uid ?? LAUNCHER_UID,
      isLauncher: (peer) => isLauncher(peer, podUid, links.checks),
      tlsDir,
      migrationUid: state.migrationUid,
      target: { node: state.targetNode ?? '', ...target },
      log,
    });
    const fresh = {
      migrationUid: state.migrationUid,
      place,
      sockets,
      isToldUndecided: known?.isToldUndecided ?? false,
    };
    this.#outgoing.set(uid, fresh);
    return fresh;
  }

  /** Before the launcher is asked: from here on the end of the migration is ours to tell. */
  async #noteStart(
    vmi: VirtualMachineInstance,
    state: MigrationState,
    signal: AbortSignal,
  ): Promise<VirtualMachineInstance> {
    if (state.startTimestamp !== undefined) return vmi;
    const startTimestamp = rfc3339(this.#options.clock.now());
    const migrationState = { ...state, startTimestamp, mode: 'PreCopy' };
    return await this.#options.write(vmi, { ...vmi.status, migrationState }, signal);
  }

  async #helpDecide(
    vmi: VirtualMachineInstance,
    { mode }: SourceMigration,
    { connection }: LauncherLink,
    outgoing: Outgoing,
    signal: AbortSignal,
  ): Promise<number> {
    const { broken, undecided } = MIGRATION_EVENTS;
    if (!outgoing.isToldUndecided) this.#options.tell(vmi, mode === 'PostCopy' ? broken : undecided);
    outgoing.isToldUndecided = true;
    if (await this.hasTargetEnded(vmi, signal)) await connection?.do('signalTargetPodCleanup', vmi, signal);
    return LOOK_MS;
  }
}

/** The launcher's word on this migration, if it has one. */
export function sourceJob(
  domain: DomainState,
  migrationUid: string | undefined,
): SourceMigration | undefined {
  const { migration } = domain;
  return migration?.role === 'source' && migration.uid === migrationUid ? migration : undefined;
}
