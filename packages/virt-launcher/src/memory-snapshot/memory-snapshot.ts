/**
 * One snapshot of the guest's memory, from the moment that its claim is there to its end. What is told of it is `state`.
 * A sync says by the claim that the VMI names whether the guest may go on (its disks are taken), or that nobody wants
 * the snapshot any more.
 */
import {
  type DomainMemorySnapshot,
  memorySnapshotTypes,
  memorySnapshotVolume,
  type VirtualMachineInstance,
} from '@podvisor/api';

export class MemorySnapshot {
  state: DomainMemorySnapshot;
  readonly #goOn = Promise.withResolvers<void>();
  readonly #unwanted = new AbortController();

  constructor(state: DomainMemorySnapshot) {
    this.state = state;
  }

  /** Nothing else is done to the guest. */
  get isUnderWay(): boolean {
    return this.state.phase === 'Saving' || this.state.phase === 'Saved';
  }

  /** Resolves when the disks are taken. */
  get disksTaken(): Promise<void> {
    return this.#goOn.promise;
  }

  /** Aborted when the claim is taken away before the snapshot is whole. */
  get unwanted(): AbortSignal {
    return this.#unwanted.signal;
  }

  /** What the VMI says now. Level-triggered. */
  follow({ spec }: VirtualMachineInstance): void {
    const volume = memorySnapshotVolume(spec);
    if (volume?.claimName !== this.state.claimName) this.giveUp();
    else if (volume.type === memorySnapshotTypes.goOn && this.state.phase === 'Saved') this.#goOn.resolve();
  }

  /** The guest goes on at once; what was written is void. Nothing happens when the snapshot is over. */
  giveUp(): void {
    this.#unwanted.abort();
  }

  change(part: Partial<DomainMemorySnapshot>): void {
    this.state = { ...this.state, ...part };
  }
}
