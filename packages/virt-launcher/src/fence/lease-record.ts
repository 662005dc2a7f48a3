/** What this runner writes beside a disk for others to see, and whether somebody else has the disk by now. */
import type { GuestLeaseOptions } from '@podvisor/api';
import type { Lease, LeaseHolder, LeaseRenewal, RenewalReading } from '@podvisor/storage';

/** The storage, as far as the lease goes. */
export interface LeaseStorage {
  write(image: string, renewal: LeaseRenewal): Promise<void>;
  read(image: string): Promise<RenewalReading>;
  /** Who has the disk, and in which epoch. */
  lease(image: string): Promise<Lease | undefined>;
}

/** A disk that a runner has taken. */
export interface TakenDisk {
  readonly image: string;
  readonly epoch: number;
  readonly holder: LeaseHolder;
  readonly options: GuestLeaseOptions;
}

export class LeaseRecord {
  readonly #storage: LeaseStorage;
  readonly #disk: TakenDisk;
  #count = 0;

  constructor(storage: LeaseStorage, disk: TakenDisk) {
    this.#storage = storage;
    this.#disk = disk;
  }

  /** The last sign of life, whosesoever. */
  read(): Promise<RenewalReading> {
    return this.#storage.read(this.#disk.image);
  }

  /** A sign of life. No two are the same. */
  write(): Promise<void> {
    return this.#storage.write(this.#disk.image, this.#next());
  }

  /** Others need not wait. Nothing is written when somebody else has the disk. */
  async giveBack(): Promise<void> {
    if ((await this.otherHolder()) !== undefined) return;
    await this.#storage.write(this.#disk.image, { ...this.#next(), released: true });
  }

  /** Who has taken the disk since. No lease at all: somebody tidied up, and nobody else has been here. */
  async otherHolder(): Promise<LeaseHolder | undefined> {
    const { image, epoch, holder } = this.#disk;
    const lease = await this.#storage.lease(image);
    if (lease === undefined || lease.epoch < epoch) return undefined;
    const isOurs =
      lease.epoch === epoch && lease.holder.uid === holder.uid && lease.holder.pod === holder.pod;
    return isOurs ? undefined : lease.holder;
  }

  #next(): LeaseRenewal {
    this.#count += 1;
    const { epoch, holder, options } = this.#disk;
    const { leaseMs, silenceMs, nodeName } = options;
    return { epoch, holder: { ...holder, node: nodeName }, leaseMs, silenceMs, count: this.#count };
  }
}
