/**
 * Writes VMI status: only when it differs, never over somebody else's change, and never twice because our
 * cache has not seen our own write yet.
 */
import type { VirtualMachineInstance, VMIStatus } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import { type KubeClient, resources } from '@podvisor/kube';

export class VmiWriter {
  readonly #client: Pick<KubeClient, 'update'>;
  readonly #written = new Map<
    string,
    { readonly from: string | undefined; readonly vmi: VirtualMachineInstance }
  >();

  constructor(client: Pick<KubeClient, 'update'>) {
    this.#client = client;
  }

  /** The newest version that we know: the cached one, or our own write on top of it. */
  newest(cached: VirtualMachineInstance): VirtualMachineInstance {
    const uid = cached.metadata?.uid ?? '';
    const own = this.#written.get(uid);
    if (own === undefined) return cached;
    if (own.from === cached.metadata?.resourceVersion) return own.vmi;
    this.#written.delete(uid);
    return cached;
  }

  /** Writes `status` when it is new; the VMI has no status subresource, so the object itself is updated. */
  async write(
    vmi: VirtualMachineInstance,
    status: VMIStatus,
    signal?: AbortSignal,
  ): Promise<VirtualMachineInstance> {
    if (deepEqual(status, vmi.status ?? {})) return vmi;
    const updated = await this.#client.update(
      resources.virtualMachineInstances,
      { ...vmi, status },
      {},
      signal,
    );
    const uid = vmi.metadata?.uid ?? '';
    // The cache may be several of our writes behind: it is compared with where the first of them began.
    const from = this.#written.get(uid)?.from ?? vmi.metadata?.resourceVersion;
    this.#written.set(uid, { from, vmi: updated });
    return updated;
  }

  forget(uid: string): void {
    this.#written.delete(uid);
  }
}
