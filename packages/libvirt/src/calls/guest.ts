/** Calls that go through the guest agent. The guest may answer late, wrongly or never. */
import { type DomainRef, writeDomain } from '../protocol/domain-ref.ts';
import { LIMITS } from '../protocol/limits.ts';
import { PROCEDURE, PROGRAM, QEMU_PROCEDURE } from '../protocol/procedures.ts';
import { type ParamRecord, paramRecord, readParam } from '../protocol/typed-param.ts';
import type { RpcChannel } from '../rpc/channel.ts';
import { call, nothing } from './caller.ts';

export class GuestCalls {
  readonly #channel: RpcChannel;

  constructor(channel: RpcChannel) {
    this.#channel = channel;
  }

  /** Sends one agent command (JSON) and returns the answer's JSON text, at most 4 MiB. */
  agentCommand(
    domain: DomainRef,
    command: string,
    timeoutSeconds: number,
    signal?: AbortSignal,
  ): Promise<string> {
    return this.#channel.call(
      PROGRAM.qemu,
      QEMU_PROCEDURE.agentCommand,
      (out) => {
        writeDomain(out, domain);
        out.string(command).int(timeoutSeconds).uint(0);
      },
      (input) => input.optionalString() ?? '',
      signal,
    );
  }

  /** `types` is a sum of GUEST_INFO; 0 asks for all that the agent can tell. */
  info(domain: DomainRef, types: number, signal?: AbortSignal): Promise<ParamRecord> {
    return call(
      this.#channel,
      PROCEDURE.domainGetGuestInfo,
      (out) => {
        writeDomain(out, domain);
        out.uint(types).uint(0);
      },
      (input) => paramRecord(input.list(LIMITS.guestInfoParams, () => readParam(input))),
      signal,
    );
  }

  setTime(domain: DomainRef, epochMs: number): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainSetTime,
      (out) => {
        writeDomain(out, domain);
        out
          .hyper(BigInt(Math.floor(epochMs / 1000)))
          .uint((epochMs % 1000) * 1_000_000)
          .uint(0);
      },
      nothing,
    );
  }

  setUserPassword(domain: DomainRef, user: string, password: string): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainSetUserPassword,
      (out) => {
        writeDomain(out, domain);
        out.optionalString(user).optionalString(password).uint(0);
      },
      nothing,
    );
  }

  setAuthorizedSshKeys(domain: DomainRef, user: string, keys: readonly string[]): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainAuthorizedSshKeysSet,
      (out) => {
        writeDomain(out, domain);
        out
          .string(user)
          .list(keys, LIMITS.sshKeys, (key) => out.string(key))
          .uint(0);
      },
      nothing,
    );
  }
}
