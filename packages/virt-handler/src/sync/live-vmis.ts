/** The VMIs of this node whose launchers can be talked to: for consoles, lifecycle requests, numbers and pictures. */
import type { InterfacePicture, VirtualMachineInstance } from '@podvisor/api';
import { takePicture } from '@podvisor/network';
import { isProcessInPod } from '@podvisor/sys';
import type { Journal } from '../ghost-records/journal.ts';
import type { LauncherConnection } from '../launcher-client/connection.ts';
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

export class LiveVmis {
  readonly #options: LiveVmisOptions;

  constructor(options: LiveVmisOptions) {
    this.#options = options;
  }

  /** The live connection to the launcher of a VMI. */
  connectionOf(
    namespace: string,
    name: string,
  ): { vmi: VirtualMachineInstance; connection: LauncherConnection } | undefined {
    const vmi = this.#options.caches.vmis.get(`${namespace}/${name}`);
    const podUid = vmi === undefined ? undefined : launcherPodUid(vmi, this.#options);
    const connection = podUid === undefined ? undefined : this.#options.links.get(podUid)?.connection;
    return vmi === undefined || connection === undefined ? undefined : { vmi, connection };
  }

  /** Guests that run, and their launchers. */
  running(): readonly { vmi: VirtualMachineInstance; connection: LauncherConnection }[] {
    return this.#options.caches.vmis.list().flatMap(({ metadata, status }) => {
      const { namespace = '', name = '' } = metadata ?? {};
      return (status?.phase === 'Running' ? this.connectionOf(namespace, name) : undefined) ?? [];
    });
  }

  /** Those that can be asked for numbers. */
  measured(): readonly MeasuredVmi[] {
    return this.running().map((found) => {
      const { attachments = [] } = this.#options.journal.get(found.vmi.metadata?.uid ?? '') ?? {};
      return { ...found, taps: Object.fromEntries(attachments.map((a) => [a.tapDevice ?? '', a.name])) };
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
