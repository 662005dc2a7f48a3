/** Calls that measure and look at domains. */
import { type DomainRef, readDomain, writeDomain } from '../protocol/domain-ref.ts';
import { LIMITS } from '../protocol/limits.ts';
import { PROCEDURE, PROGRAM, QEMU_PROCEDURE } from '../protocol/procedures.ts';
import { type ParamRecord, paramRecord, readParam } from '../protocol/typed-param.ts';
import type { RpcChannel } from '../rpc/channel.ts';
import { call } from './caller.ts';

export interface DomainStats {
  readonly domain: DomainRef;
  readonly params: ParamRecord;
}

/** A screen of 4096 × 2160 as PPM, and some more. */
const SCREENSHOT_MAX_BYTES = 32 * 1024 * 1024;

export class InspectCalls {
  readonly #channel: RpcChannel;

  constructor(channel: RpcChannel) {
    this.#channel = channel;
  }

  /** Size and use of a domain, without asking QEMU. */
  info(
    domain: DomainRef,
  ): Promise<{ state: number; maxMemKiB: number; memKiB: number; vcpus: number; cpuTimeNs: number }> {
    return call(
      this.#channel,
      PROCEDURE.domainGetInfo,
      (out) => writeDomain(out, domain),
      (input) => ({
        state: input.uint(),
        maxMemKiB: Number(input.uhyper()),
        memKiB: Number(input.uhyper()),
        vcpus: input.uint(),
        cpuTimeNs: Number(input.uhyper()),
      }),
    );
  }

  /** Statistics of all or of some domains in one call; `stats` is a sum of STATS. */
  allStats(stats: number, flags = 0, domains: readonly DomainRef[] = []): Promise<DomainStats[]> {
    return call(
      this.#channel,
      PROCEDURE.connectGetAllDomainStats,
      (out) =>
        void out
          .list(domains, LIMITS.domainList, (domain) => writeDomain(out, domain))
          .uint(stats)
          .uint(flags),
      (input) =>
        input.list(LIMITS.domainList, () => ({
          domain: readDomain(input),
          params: paramRecord(input.list(LIMITS.domainStats, () => readParam(input))),
        })),
    );
  }

  /** Balloon statistics by their number (virDomainMemoryStatTags), in KiB where they are sizes. */
  memoryStats(domain: DomainRef): Promise<Map<number, number>> {
    return call(
      this.#channel,
      PROCEDURE.domainMemoryStats,
      (out) => {
        writeDomain(out, domain);
        out.uint(LIMITS.memoryStats).uint(0);
      },
      (input) =>
        new Map(input.list(LIMITS.memoryStats, () => [input.int(), Number(input.uhyper())] as const)),
    );
  }

  /** Picture of a screen; libvirt chooses the format (PPM, or PNG from newer QEMU). */
  async screenshot(domain: DomainRef, screen = 0): Promise<{ readonly mime: string; readonly data: Buffer }> {
    const { reply, data } = await this.#channel.callForStream(
      PROCEDURE.domainScreenshot,
      (out) => {
        writeDomain(out, domain);
        out.uint(screen).uint(0);
      },
      (input) => input.optionalString() ?? 'application/octet-stream',
      SCREENSHOT_MAX_BYTES,
    );
    return { mime: reply, data };
  }

  /** A QMP command (JSON) straight to QEMU; marks the domain as tainted. For tests and diagnosis. */
  monitorCommand(domain: DomainRef, command: string): Promise<string> {
    return this.#channel.call(
      PROGRAM.qemu,
      QEMU_PROCEDURE.monitorCommand,
      (out) => {
        writeDomain(out, domain);
        out.string(command).uint(0);
      },
      (input) => input.string(),
    );
  }
}
