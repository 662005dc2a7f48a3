/** The Pods of each node with what they refer to, followed in the store. */
import type { Store, Stored } from '../object-store.ts';
import { keyOf } from '@podvisor/store';
import { stringAt } from '../wire/json.ts';
import { podReferences } from './pod-references.ts';

interface NodePod {
  readonly stored: Stored;
  /** Made when somebody asks. */
  references: ReadonlySet<string> | undefined;
}

export class NodePods {
  readonly #store: Store;
  #byNode: Map<string, Map<string, NodePod>> | undefined;

  constructor(store: Store) {
    this.#store = store;
    store.subscribe('/pods', (events) => {
      if (this.#byNode === undefined) return;
      for (const { type, stored } of events) this.#put(this.#byNode, stored, type === 'DELETED');
    });
  }

  /** Whether a Pod of the node is this one. */
  has(node: string, namespace: string, name: string): boolean {
    return this.#of(node).has(keyOf('', 'pods', namespace, name));
  }

  /** Whether a Pod of the node refers to the object of its namespace, such as `secrets/name`. */
  refers(node: string, namespace: string, reference: string): boolean {
    for (const pod of this.#of(node).values()) {
      if (pod.stored.object.metadata.namespace !== namespace) continue;
      pod.references ??= podReferences(pod.stored.object);
      if (pod.references.has(reference)) return true;
    }
    return false;
  }

  /** Whether a Pod of the node in this namespace has the label. */
  hasLabelled(node: string, namespace: string, label: string, value: string): boolean {
    return [...this.#of(node).values()].some(
      ({ stored: { object } }) =>
        object.metadata.namespace === namespace && object.metadata.labels?.[label] === value,
    );
  }

  /** Whether a claim of a Pod of the node is bound to the volume. */
  usesVolume(node: string, volume: string): boolean {
    const object = this.#store.get(keyOf('', 'persistentvolumes', '', volume))?.object;
    const claim = stringAt(object, 'spec', 'claimRef', 'name');
    const namespace = stringAt(object, 'spec', 'claimRef', 'namespace');
    return claim !== '' && this.refers(node, namespace, `persistentvolumeclaims/${claim}`);
  }

  #of(node: string): ReadonlyMap<string, NodePod> {
    if (this.#byNode === undefined) {
      this.#byNode = new Map();
      for (const stored of this.#store.list('/pods')) this.#put(this.#byNode, stored, false);
    }
    return this.#byNode.get(node) ?? new Map<string, NodePod>();
  }

  #put(byNode: Map<string, Map<string, NodePod>>, stored: Stored, isGone: boolean): void {
    const node = stringAt(stored.object, 'spec', 'nodeName');
    if (node === '') return;
    const pods = byNode.get(node) ?? new Map<string, NodePod>();
    byNode.set(node, pods);
    if (isGone) pods.delete(stored.key);
    else pods.set(stored.key, { stored, references: undefined });
  }
}
