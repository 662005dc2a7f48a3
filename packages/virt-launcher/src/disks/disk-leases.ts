/**
 * One runner for each disk. Image files: QEMU's lock, and a lease with an epoch beside the file. Block devices: the
 * kernel's exclusive claim, which this process holds as long as the guest may use the device (device nodes differ
 * from Pod to Pod, so locks on them do not meet). Disks that are shareable say so and are left alone.
 */
import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { isClaimPath, leasedImageOf, pluggedVolumeOf } from '@podvisor/api';
import { messageOf, rfc3339, type Clock } from '@podvisor/base';
import {
  findLease,
  type Lease,
  type LeaseHolder,
  LeaseTakenError,
  readLease,
  takeLease,
} from '@podvisor/storage';
import type { Domain, DomainDisk } from '@podvisor/translate';
import { LauncherError } from '../launcher-error.ts';
import type { Log } from '../log.ts';

export interface DiskLeasesOptions {
  readonly holder: LeaseHolder;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

export class DiskLeases {
  readonly #options: DiskLeasesOptions;
  /** By image. */
  readonly #leases = new Map<string, Lease>();
  /** Epochs of images as they were before it was proven that nobody uses them: those are followed, and no others. */
  readonly #before = new Map<string, number>();
  /** Open devices, by path. */
  readonly #devices = new Map<string, number>();
  /** Plugged devices and images that the guest has had. */
  readonly #seen = new Set<string>();

  constructor(options: DiskLeasesOptions) {
    this.#options = options;
  }

  /**
   * Before QEMU opens them: throws when another runner of this node has a device. Of images it notes the epoch, because
   * that QEMU can open them proves the end of this epoch's runner and of no later one.
   */
  async claimDevices(disks: readonly DomainDisk[]): Promise<void> {
    for (const [image, leased] of leasedImages(disks))
      this.follow(image, (await leaseOf(leased))?.epoch ?? 0);
    this.#openDevices(disks);
  }

  /** The runner of this epoch of the image (0: none) was proven gone. Only its next epoch may be taken. */
  follow(image: string, epoch: number): void {
    this.#before.set(image, epoch);
  }

  /** The epoch in which the image is ours. */
  epochOf(image: string): number | undefined {
    return this.#leases.get(image)?.epoch;
  }

  #openDevices(disks: readonly DomainDisk[]): void {
    for (const path of writable(disks).flatMap(({ source }) => source?.dev ?? [])) {
      if (this.#devices.has(path)) continue;
      try {
        this.#devices.set(path, openSync(path, constants.O_RDONLY | constants.O_EXCL));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EBUSY') throw error;
        throw new LauncherError(
          `block device ${path} is in use by another virtual machine or is mounted on this node; two writers would destroy it. Stop the other one, or mark the disk as shareable in both`,
          { cause: error },
        );
      }
    }
  }

  /**
   * Disks that a guest is copied to, before the copy: nobody uses them, which was proven when they were made ready.
   * From here on whoever else had them must not go on.
   */
  async takeForCopy(disks: readonly DomainDisk[]): Promise<void> {
    await this.claimDevices(disks);
    this.take({ devices: { disks } });
  }

  /**
   * While QEMU holds the images, and before the guest runs. Those that are ours already stay as they are. Throws when
   * another runner has taken one since nobody was seen to use it.
   */
  take({ devices }: Pick<Domain, 'devices'>): void {
    const { holder, clock, log } = this.#options;
    for (const [image, leased] of leasedImages(devices?.disks ?? [], (one) => !this.#leases.has(one))) {
      try {
        const before = readLease(leased);
        const lease = takeLease(leased, holder, rfc3339(clock.now()), { after: this.#before.get(image) });
        this.#leases.set(image, lease);
        log.info({ image, epoch: lease.epoch, before: before?.holder.vmi }, 'disk is ours');
      } catch (error) {
        if (error instanceof LeaseTakenError) throw notOurs(image, error);
        if (!mayNotWrite(error)) throw error;
        // Such a claim worked before there were leases. QEMU's lock keeps out whoever has the image open.
        log.warn({ image, error: messageOf(error) }, 'no lease beside the disk: only its lock protects it');
      }
    }
  }

  /**
   * Before a guest that stood still goes on: throws when another runner has had one of its disks since. A storage that
   * does not answer holds up this and nothing else: the lease of the guest is renewed meanwhile.
   */
  async verify(): Promise<void> {
    for (const [image, mine] of this.#leases) {
      const now = await leaseOf(leasedImageOf(image) ?? image);
      // Somebody tidied up: QEMU's lock still stands, nobody else has been here.
      if (now === undefined || (now.epoch === mine.epoch && now.holder.uid === mine.holder.uid)) continue;
      throw new LauncherError(
        `the guest must not go on: ${now.holder.vmi} (Pod ${now.holder.pod}) has used its disk ${image} since ${now.takenAt}, while this one stood still; two writers would destroy it. Stop both and start one`,
      );
    }
  }

  /**
   * The guest runs elsewhere, on copies of these images and devices. The epoch moves on, so that nothing that is left
   * of it here can go on with them; devices are free for others.
   */
  giveUp(paths: readonly string[]): void {
    const { holder, clock, log } = this.#options;
    for (const path of paths) {
      const fd = this.#devices.get(path);
      if (fd !== undefined) closeSync(fd);
      this.#devices.delete(path);
      if (!this.#leases.has(path)) continue;
      try {
        const { epoch } = takeLease(leasedImageOf(path) ?? path, holder, rfc3339(clock.now()));
        log.info({ image: path, epoch }, 'disk is left');
      } catch (error) {
        log.warn({ image: path, error: messageOf(error) }, 'the lease of a disk that was left stays');
      }
    }
  }

  /** Gives back plugged disks that the guest has let go of. `plugged`: volumes that the domain has now. */
  observed(plugged: readonly string[]): void {
    for (const path of [...this.#devices.keys(), ...this.#leases.keys()]) {
      const volume = pluggedVolumeOf(path);
      if (volume === undefined) continue;
      if (plugged.includes(volume)) this.#seen.add(path);
      else if (this.#seen.delete(path)) {
        const fd = this.#devices.get(path);
        if (fd !== undefined) closeSync(fd);
        this.#devices.delete(path);
        this.#leases.delete(path);
      }
    }
  }

  /** After a migration: the guest runs here already, so what cannot be noted is told and does no harm. */
  takeOver(domain: Domain): void {
    try {
      this.take(domain);
      this.#openDevices(domain.devices?.disks ?? []);
    } catch (error) {
      this.#options.log.warn({ error: messageOf(error) }, 'a disk could not be marked as ours');
    }
  }
}

/** Images that have a lease, and the path beside which it is. Of those that do not count no storage is asked. */
function leasedImages(
  disks: readonly DomainDisk[],
  counts: (image: string) => boolean = () => true,
): readonly (readonly [image: string, leased: string])[] {
  return writable(disks)
    .flatMap(({ source }) => source?.file ?? [])
    .filter(counts)
    .flatMap((image) => {
      const leased = leasedImageOf(image);
      // A virt-handler of a version before this one shows a plugged image without the directory that it is in.
      const isShown = leased !== undefined && (isClaimPath(image) || existsSync(dirname(leased)));
      return isShown ? [[image, leased] as const] : [];
    });
}

/** Undefined: none, or no directory for one. */
async function leaseOf(leased: string): Promise<Lease | undefined> {
  return await findLease(leased).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
}

function notOurs(image: string, error: LeaseTakenError): LauncherError {
  const { vmi, pod } = error.lease?.holder ?? { vmi: 'another virtual machine', pod: 'unknown' };
  return new LauncherError(
    `the guest must not start: ${vmi} (Pod ${pod}) has taken its disk ${image} while it was being started; two writers would destroy it`,
    { cause: error },
  );
}

/** The directory of the image belongs to somebody else, nothing can be written there at all, or files have one name. */
function mayNotWrite(error: unknown): boolean {
  const codes = ['EACCES', 'EPERM', 'EROFS', 'EOPNOTSUPP', 'ENOTSUP', 'ENOSYS'];
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

function writable(disks: readonly DomainDisk[]): readonly DomainDisk[] {
  return disks.filter(({ readonly, shareable, device }) => !readonly && !shareable && device !== 'cdrom');
}
