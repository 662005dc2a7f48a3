/**
 * Calls of libvirt's backup: a job that copies disks of a running domain, and checkpoints, the points in time from
 * which changed blocks are known. One backup at a time; its end is told by the event `jobCompleted`.
 */
import { isLibvirtError } from '../libvirt-error.ts';
import { ERROR_CODE } from '../protocol/constants.ts';
import { type DomainRef, readDomain, writeDomain } from '../protocol/domain-ref.ts';
import { LIMITS } from '../protocol/limits.ts';
import { PROCEDURE } from '../protocol/procedures.ts';
import type { RpcChannel } from '../rpc/channel.ts';
import type { XdrReader } from '../xdr/reader.ts';
import { call, nothing } from './caller.ts';

/** virDomainCheckpointCreateFlags: the bitmaps exist already, and must be whole. */
const REDEFINE_AND_VALIDATE = 1 | 4;
/** virDomainBlockJobSetSpeedFlags: the number is bytes, not MiB. */
const IN_BYTES = 1;

export class BackupCalls {
  readonly #channel: RpcChannel;

  constructor(channel: RpcChannel) {
    this.#channel = channel;
  }

  /** Starts the job that `xml` (domainbackup) describes, and in the same moment the checkpoint, if one is wanted. */
  begin(domain: DomainRef, xml: string, checkpointXml?: string): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainBackupBegin,
      (out) => {
        writeDomain(out, domain);
        out.string(xml).optionalString(checkpointXml).uint(0);
      },
      nothing,
    );
  }

  /** Limits the copy of one disk (`vda`), from now on. */
  limit(domain: DomainRef, disk: string, bytesPerSecond: number): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainBlockJobSetSpeed,
      (out) => {
        writeDomain(out, domain);
        out.string(disk).uhyper(BigInt(bytesPerSecond)).uint(IN_BYTES);
      },
      nothing,
    );
  }

  /** Names of the checkpoints that libvirt knows. */
  checkpoints(domain: DomainRef): Promise<readonly string[]> {
    return call(
      this.#channel,
      PROCEDURE.domainListAllCheckpoints,
      (out) => {
        writeDomain(out, domain);
        out.int(1).uint(0);
      },
      (input) => {
        const names = input.list(LIMITS.checkpointList, () => readCheckpoint(input));
        input.uint(); // their number once more
        return names;
      },
    );
  }

  /** Makes a checkpoint known again whose bitmaps are in the disks. Fails when one is missing or broken. */
  redefineCheckpoint(domain: DomainRef, xml: string): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainCheckpointCreateXml,
      (out) => {
        writeDomain(out, domain);
        out.string(xml).uint(REDEFINE_AND_VALIDATE);
      },
      (input) => void readCheckpoint(input),
    );
  }

  /** Forgets a checkpoint and removes its bitmaps. One that is not known is forgotten already. */
  async deleteCheckpoint(domain: DomainRef, name: string): Promise<void> {
    try {
      await call(
        this.#channel,
        PROCEDURE.domainCheckpointDelete,
        (out) => {
          out.string(name);
          writeDomain(out, domain);
          out.uint(0);
        },
        nothing,
      );
    } catch (error) {
      if (!isLibvirtError(error, ERROR_CODE.noDomainCheckpoint)) throw error;
    }
  }
}

/** The name; the domain is known. */
function readCheckpoint(input: XdrReader): string {
  const name = input.string();
  readDomain(input);
  return name;
}
