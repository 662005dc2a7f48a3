/** Calls that change the devices and the size of a domain. */
import { AFFECT } from '../protocol/constants.ts';
import { type DomainRef, writeDomain } from '../protocol/domain-ref.ts';
import { PROCEDURE } from '../protocol/procedures.ts';
import type { RpcChannel } from '../rpc/channel.ts';
import { call, nothing } from './caller.ts';

const LIVE_AND_CONFIG = AFFECT.live | AFFECT.config;

export class DeviceCalls {
  readonly #channel: RpcChannel;

  constructor(channel: RpcChannel) {
    this.#channel = channel;
  }

  attach(domain: DomainRef, xml: string, flags: number = LIVE_AND_CONFIG): Promise<void> {
    return this.#withText(PROCEDURE.domainAttachDeviceFlags, domain, xml, flags);
  }

  /** Asks for removal; `deviceRemoved` tells when the guest let go. */
  detach(domain: DomainRef, xml: string, flags: number = LIVE_AND_CONFIG): Promise<void> {
    return this.#withText(PROCEDURE.domainDetachDeviceFlags, domain, xml, flags);
  }

  detachAlias(domain: DomainRef, alias: string, flags: number = LIVE_AND_CONFIG): Promise<void> {
    return this.#withText(PROCEDURE.domainDetachDeviceAlias, domain, alias, flags);
  }

  update(domain: DomainRef, xml: string, flags: number = LIVE_AND_CONFIG): Promise<void> {
    return this.#withText(PROCEDURE.domainUpdateDeviceFlags, domain, xml, flags);
  }

  setVcpus(domain: DomainRef, count: number, flags: number = LIVE_AND_CONFIG): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainSetVcpusFlags,
      (out) => {
        writeDomain(out, domain);
        out.uint(count).uint(flags);
      },
      nothing,
    );
  }

  /** Balloon target in KiB. */
  setMemory(domain: DomainRef, kibibytes: number, flags: number = LIVE_AND_CONFIG): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainSetMemoryFlags,
      (out) => {
        writeDomain(out, domain);
        out.uhyper(BigInt(kibibytes)).uint(flags);
      },
      nothing,
    );
  }

  /** New size of a disk, by its target (`vda`) or source path. */
  blockResize(domain: DomainRef, disk: string, sizeBytes: number): Promise<void> {
    const SIZE_IN_BYTES = 1;
    return call(
      this.#channel,
      PROCEDURE.domainBlockResize,
      (out) => {
        writeDomain(out, domain);
        out.string(disk).uhyper(BigInt(sizeBytes)).uint(SIZE_IN_BYTES);
      },
      nothing,
    );
  }

  #withText(procedure: number, domain: DomainRef, text: string, flags: number): Promise<void> {
    return call(
      this.#channel,
      procedure,
      (out) => {
        writeDomain(out, domain);
        out.string(text).uint(flags);
      },
      nothing,
    );
  }
}
