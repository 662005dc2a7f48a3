/**
 * Whether another node could ever take a guest of this one. Where there is none, a lease would only add a way to lose
 * the guest. Asked when a guest starts; once there is another node, that is not asked again.
 */
import { type KubeClient, resources } from '@podvisor/kube';

/** More Leases than the components of one node have. */
const LIMIT = 50;

export class OtherNodes {
  readonly #client: Pick<KubeClient, 'list'>;
  readonly #namespace: string;
  readonly #own: string;
  #found = false;

  constructor(client: Pick<KubeClient, 'list'>, namespace: string, nodeName: string) {
    this.#client = client;
    this.#namespace = namespace;
    this.#own = `virt-handler-${nodeName}`;
  }

  /** True also when nobody can be asked: a lease never harms who is told apart. */
  async exist(signal: AbortSignal): Promise<boolean> {
    if (this.#found) return true;
    try {
      const where = { namespace: this.#namespace, limit: LIMIT };
      const { items } = await this.#client.list(resources.leases, where, signal);
      const isOther = (name = ''): boolean => name.startsWith('virt-handler-') && name !== this.#own;
      this.#found = items.length >= LIMIT || items.some(({ metadata }) => isOther(metadata?.name));
      return this.#found;
    } catch {
      return true;
    }
  }
}
