/** The VMIs of this node whose launchers can be talked to: for consoles, lifecycle requests, numbers and pictures. */
import type { InterfacePicture, VirtualMachineInstance } from '@podvisor/api';
import { takePicture } from '@podvisor/network';
import { isProcessInPod } from '@podvisor/sys';
import type { Journal } from '../ghost-records/journal.ts';
import type { LauncherConnection } from '../launcher-client/connection.ts';
import type { LauncherLink } from '../launcher-client/link.ts';
import type { LauncherLinks } from '../launcher-client/links.ts';
import type { MeasuredVmi } from '../metrics/metrics.ts';
import { PodAccess } from '../network/pod-access.ts';
import { launcherPodUid } from './launcher-pod.ts';
import type { NodeCaches } from './node-caches.ts';

export interface LiveVmisOptions {
  readonly caches: NodeCaches;
  readonly journal: Journal;
  readonly nodeName: string;
  readonly links: LauncherLinks;
}

export interface Live {
  readonly vmi: VirtualMachineInstance;
  readonly connection: LauncherConnection;
  readonly link: LauncherLink;
}

export class LiveVmis {
  readonly #options: LiveVmisOptions;

  constructor(options: LiveVmisOptions) {
    this.#options = options;
  }

  /** The live connection to the launcher of a VMI. */
  connectionOf(namespace: string, name: string): Live | undefined {
    const vmi = this.#options.caches.vmis.get(`${namespace}/${name}`);
    const podUid = vmi === undefined ? undefined : launcherPodUid(vmi, this.#options);
    const link = podUid === undefined ? undefined : this.#options.links.get(podUid);
    const connection = link?.connection;
    return vmi === undefined || link === undefined || connection === undefined
      ? undefined
      : { vmi, connection, link };
  }

  /** Guests that run, and their launchers. */
  running(): readonly Live[] {
    return this.#inPhase('Running');
  }

  /**
   * Those that may have a lease: also guests that are about to run. What is lost of these is not nothing where the guest
   * wakes from a state.
   */
  leased(): readonly Live[] {
    return this.#inPhase('Running', 'Scheduled');
  }

  #inPhase(...phases: readonly string[]): readonly Live[] {
    return this.#options.caches.vmis.list().flatMap(({ metadata, status }) => {
      const { namespace = '', name = '' } = metadata ?? {};
      return (phases.includes(status?.phase ?? '') ? this.connectionOf(namespace, name) : undefined) ?? [];
    });
  }

  /** Those that can be asked for numbers. */
  measured(): readonly MeasuredVmi[] {
    return this.running().map(({ vmi, connection, link: { numbers, view } }) => {
      const { attachments = [] } = this.#options.journal.get(vmi.metadata?.uid ?? '') ?? {};
      const taps = attachments.flatMap(({ tapDevice, name }) =>
        tapDevice === undefined ? [] : [[tapDevice, name]],
      );
      return {
        ...{ vmi, connection, numbers, taps: Object.fromEntries(taps) },
        ...(view.kind === 'present' ? { told: view.domain } : {}),
      };
    });
  }

  /** The path of packets between the Pod's NICs and the guest's. */
  async networkPath(
    vmi: VirtualMachineInstance,
    connection: LauncherConnection,
  ): Promise<readonly InterfacePicture[]> {
    const { podUid, attachments = [] } = this.#options.journal.get(vmi.metadata?.uid ?? '') ?? {};
    if (podUid === undefined) throw new Error('nothing is known of this VMI on this node yet');
    const { pid } = connection.peer;
    using pod = PodAccess.open(pid, () => isProcessInPod(pid, podUid));
    const view = this.#options.links.get(podUid)?.view;
    return await takePicture(
      pod.netnsPath,
      attachments,
      view?.kind === 'present' ? view.domain.interfaces : [],
    );
  }
}
