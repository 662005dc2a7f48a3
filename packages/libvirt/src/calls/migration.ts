/** Calls of live migration, source side. Peer-to-peer: one call does it all. */
import { type DomainRef, writeDomain } from '../protocol/domain-ref.ts';
import { LIMITS } from '../protocol/limits.ts';
import { PROCEDURE } from '../protocol/procedures.ts';
import {
  type ParamRecord,
  paramRecord,
  readParam,
  type TypedParam,
  writeParam,
} from '../protocol/typed-param.ts';
import type { RpcChannel } from '../rpc/channel.ts';
import { call, domainVerb, nothing } from './caller.ts';

/** State of the job that runs on a domain. */
export interface JobStats {
  /** 0 none, 1 bounded, 2 unbounded, 3 completed, 4 failed, 5 cancelled. */
  readonly type: number;
  readonly stats: ParamRecord;
}

export class MigrationCalls {
  readonly #channel: RpcChannel;

  constructor(channel: RpcChannel) {
    this.#channel = channel;
  }

  /** Migrates to `destinationUri`; resolves when it is done. `flags` is a sum of MIGRATE_FLAG with peerToPeer. */
  perform(
    domain: DomainRef,
    destinationUri: string,
    params: readonly TypedParam[],
    flags: number,
    signal?: AbortSignal,
  ): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainMigratePerform3Params,
      (out) => {
        writeDomain(out, domain);
        out
          .optionalString(destinationUri)
          .list(params, LIMITS.migrateParams, (param) => writeParam(out, param))
          .opaque(Buffer.alloc(0), LIMITS.migrateCookie)
          .uint(flags);
      },
      (input) => void input.opaque(LIMITS.migrateCookie),
      signal,
    );
  }

  jobStats(domain: DomainRef, options: { readonly completed?: boolean } = {}): Promise<JobStats> {
    return call(
      this.#channel,
      PROCEDURE.domainGetJobStats,
      (out) => {
        writeDomain(out, domain);
        out.uint(options.completed === true ? 1 : 0);
      },
      (input) => ({
        type: input.int(),
        stats: paramRecord(input.list(LIMITS.jobStats, () => readParam(input))),
      }),
    );
  }

  abortJob(domain: DomainRef): Promise<void> {
    return domainVerb(this.#channel, PROCEDURE.domainAbortJob, domain, undefined);
  }

  startPostCopy(domain: DomainRef): Promise<void> {
    return domainVerb(this.#channel, PROCEDURE.domainMigrateStartPostCopy, domain, 0);
  }

  setMaxDowntime(domain: DomainRef, milliseconds: number): Promise<void> {
    return this.#withNumber(PROCEDURE.domainMigrateSetMaxDowntime, domain, milliseconds);
  }

  /** Limit in MiB per second. */
  setMaxSpeed(domain: DomainRef, mebibytesPerSecond: number): Promise<void> {
    return this.#withNumber(PROCEDURE.domainMigrateSetMaxSpeed, domain, mebibytesPerSecond);
  }

  #withNumber(procedure: number, domain: DomainRef, value: number): Promise<void> {
    return call(
      this.#channel,
      procedure,
      (out) => {
        writeDomain(out, domain);
        out.uhyper(BigInt(value)).uint(0);
      },
      nothing,
    );
  }
}
