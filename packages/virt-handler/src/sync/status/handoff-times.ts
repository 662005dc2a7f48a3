/**
 * When the handoffs that only the node sees happened (docs/decisions/004): kept in memory and put on the
 * VMI, as one annotation, in the write that says Running.
 */
import { HANDOFFS_ANNOTATION, type VirtualMachineInstance } from '@podvisor/api';

/** 6 launcher reached, 8 network ready, 9 launcher asked, 10 domain running, 11 told. */
export type NodeHandoff = 6 | 8 | 9 | 10 | 11;

export class HandoffTimes {
  readonly #times = new Map<string, Map<NodeHandoff, number>>();

  /** The first time counts: a repeated sync of a running guest is no new handoff. */
  note(uid: string, handoff: NodeHandoff, atMs: number): void {
    const times = this.#times.get(uid) ?? new Map<NodeHandoff, number>();
    if (!times.has(handoff)) times.set(handoff, Math.round(atMs));
    this.#times.set(uid, times);
  }

  /** The VMI with what is known of its start; unchanged when nothing is, as after our own restart. */
  annotate(vmi: VirtualMachineInstance): VirtualMachineInstance {
    const times = this.#times.get(vmi.metadata?.uid ?? '');
    if (times === undefined) return vmi;
    const text = JSON.stringify(Object.fromEntries(times));
    return {
      ...vmi,
      metadata: {
        ...vmi.metadata,
        annotations: { ...vmi.metadata?.annotations, [HANDOFFS_ANNOTATION]: text },
      },
    };
  }

  forget(uid: string): void {
    this.#times.delete(uid);
  }
}
