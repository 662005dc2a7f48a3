/**
 * Calls of live migration, version 3 of libvirt's protocol, one for each step. The caller drives both daemons,
 * so that it alone decides what follows when the answer of one of them is lost: begin (source), prepare
 * (target), perform (source), finish (target), confirm (source).
 */
import { type DomainRef, readDomain, writeDomain } from '../protocol/domain-ref.ts';
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
import type { XdrReader } from '../xdr/reader.ts';
import type { XdrWriter } from '../xdr/writer.ts';
import { call, domainVerb, nothing } from './caller.ts';

/** State of the job that runs on a domain. */
export interface JobStats {
  /** 0 none, 1 bounded, 2 unbounded, 3 completed, 4 failed, 5 cancelled. */
  readonly type: number;
  readonly stats: ParamRecord;
}

/** What one daemon hands to the other, through us, unread. */
export type MigrationCookie = Buffer;

export interface MigrationStep {
  readonly params: readonly TypedParam[];
  /** The cookie that the other daemon gave in the step before. */
  readonly cookie: MigrationCookie;
  /** A sum of MIGRATE_FLAG, the same in every step. */
  readonly flags: number;
}

export class MigrationCalls {
  readonly #channel: RpcChannel;

  constructor(channel: RpcChannel) {
    this.#channel = channel;
  }

  /** Source: what the target needs to know. With CHANGE_PROTECTION nobody else changes the domain from now on. */
  begin(
    domain: DomainRef,
    { params, flags }: Omit<MigrationStep, 'cookie'>,
    signal?: AbortSignal,
  ): Promise<{ readonly cookie: MigrationCookie; readonly xml: string }> {
    return call(
      this.#channel,
      PROCEDURE.domainMigrateBegin3Params,
      (out) => {
        writeDomain(out, domain);
        writeParams(out, params);
        out.uint(flags);
      },
      (input) => ({ cookie: readCookie(input), xml: input.string() }),
      signal,
    );
  }

  /** Target: starts a QEMU that waits for the guest. */
  prepare(
    { params, cookie, flags }: MigrationStep,
    signal?: AbortSignal,
  ): Promise<{ readonly cookie: MigrationCookie; readonly uri: string | undefined }> {
    return call(
      this.#channel,
      PROCEDURE.domainMigratePrepare3Params,
      (out) => {
        writeParams(out, params);
        out.opaque(cookie, LIMITS.migrateCookie).uint(flags);
      },
      (input) => ({ cookie: readCookie(input), uri: input.optionalString() }),
      signal,
    );
  }

  /** Source: moves the guest. Resolves when it stands still here and all of it is there, or post-copy has begun. */
  perform(
    domain: DomainRef,
    { params, cookie, flags }: MigrationStep,
    signal?: AbortSignal,
  ): Promise<MigrationCookie> {
    return call(
      this.#channel,
      PROCEDURE.domainMigratePerform3Params,
      (out) => {
        writeDomain(out, domain);
        out.optionalString(undefined);
        writeParams(out, params);
        out.opaque(cookie, LIMITS.migrateCookie).uint(flags);
      },
      readCookie,
      signal,
    );
  }

  /** Target: lets the guest run, or, when cancelled, ends its QEMU. */
  finish(
    { params, cookie, flags }: MigrationStep,
    isCancelled: boolean,
    signal?: AbortSignal,
  ): Promise<{ readonly domain: DomainRef; readonly cookie: MigrationCookie }> {
    return call(
      this.#channel,
      PROCEDURE.domainMigrateFinish3Params,
      (out) => {
        writeParams(out, params);
        out
          .opaque(cookie, LIMITS.migrateCookie)
          .uint(flags)
          .int(isCancelled ? 1 : 0);
      },
      (input) => ({ domain: readDomain(input), cookie: readCookie(input) }),
      signal,
    );
  }

  /** Source: ends its QEMU, or, when cancelled, lets the guest run on here. */
  confirm(
    domain: DomainRef,
    { params, cookie, flags }: MigrationStep,
    isCancelled: boolean,
    signal?: AbortSignal,
  ): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainMigrateConfirm3Params,
      (out) => {
        writeDomain(out, domain);
        writeParams(out, params);
        out
          .opaque(cookie, LIMITS.migrateCookie)
          .uint(flags)
          .int(isCancelled ? 1 : 0);
      },
      nothing,
      signal,
    );
  }

  jobStats(
    domain: DomainRef,
    options: { readonly completed?: boolean; readonly keep?: boolean } = {},
  ): Promise<JobStats> {
    const COMPLETED = 1;
    const KEEP_COMPLETED = 2;
    return call(
      this.#channel,
      PROCEDURE.domainGetJobStats,
      (out) => {
        writeDomain(out, domain);
        out.uint((options.completed === true ? COMPLETED : 0) + (options.keep === true ? KEEP_COMPLETED : 0));
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

function writeParams(out: XdrWriter, params: readonly TypedParam[]): void {
  out.list(params, LIMITS.migrateParams, (param) => writeParam(out, param));
}

function readCookie(input: XdrReader): MigrationCookie {
  return Buffer.from(input.opaque(LIMITS.migrateCookie));
}
