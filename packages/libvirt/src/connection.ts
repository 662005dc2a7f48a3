/**
 * A connection to libvirtd. Calls may overlap. It does not reconnect: when it ends, `onClose` is told and
 * the owner opens a new one and looks at what is true now.
 */
import { betweenFailPoints } from '@podvisor/base';
import { BackupCalls } from './calls/backup.ts';
import { call, domainVerb, nothing } from './calls/caller.ts';
import { DeviceCalls } from './calls/devices.ts';
import { GuestCalls } from './calls/guest.ts';
import { InspectCalls } from './calls/inspect.ts';
import { MigrationCalls } from './calls/migration.ts';
import { type DomainEvent, type DomainEventKind, decodeEvent } from './events.ts';
import { isLibvirtError, type LibvirtDisconnected } from './libvirt-error.ts';
import { ERROR_CODE } from './protocol/constants.ts';
import { type DomainRef, readDomain, writeDomain, writeUuid } from './protocol/domain-ref.ts';
import { LIMITS } from './protocol/limits.ts';
import { EVENT, PROCEDURE } from './protocol/procedures.ts';
import { RpcChannel } from './rpc/channel.ts';

export interface ConnectOptions {
  readonly socketPath: string;
  /** Default `qemu:///session`. */
  readonly uri?: string;
  readonly signal?: AbortSignal;
}

/** State and reason in libvirt's numbers; see DOMAIN_STATE. */
export interface LibvirtState {
  readonly state: number;
  readonly reason: number;
}

const AUTH_NONE = 0;
/** virDomainCoreDumpFormat and virDomainCoreDumpFlags. */
const DUMP_FORMAT_RAW = 0;
const DUMP_MEMORY_ONLY = 16;

export class LibvirtConnection implements AsyncDisposable {
  readonly #channel: RpcChannel;
  readonly backup: BackupCalls;
  readonly devices: DeviceCalls;
  readonly guest: GuestCalls;
  readonly inspect: InspectCalls;
  readonly migration: MigrationCalls;

  private constructor(channel: RpcChannel) {
    this.#channel = channel;
    this.backup = new BackupCalls(channel);
    this.devices = new DeviceCalls(channel);
    this.guest = new GuestCalls(channel);
    this.inspect = new InspectCalls(channel);
    this.migration = new MigrationCalls(channel);
  }

  static async open({
    socketPath,
    uri = 'qemu:///session',
    signal,
  }: ConnectOptions): Promise<LibvirtConnection> {
    const channel = await RpcChannel.connect(socketPath, signal);
    try {
      const types = await call(
        channel,
        PROCEDURE.authList,
        nothing,
        (input) => input.list(LIMITS.authTypes, () => input.int()),
        signal,
      );
      if (!types.includes(AUTH_NONE))
        throw new Error('libvirtd asks for authentication, which is not built in');
      await call(
        channel,
        PROCEDURE.connectOpen,
        (out) => void out.optionalString(uri).uint(0),
        nothing,
        signal,
      );
      return new LibvirtConnection(channel);
    } catch (error) {
      await channel.close();
      throw error;
    }
  }

  /** Told once when the connection ends; `expected` after our own `close`. */
  onClose(handler: (error: LibvirtDisconnected, expected: boolean) => void): void {
    this.#channel.onEnd = handler;
  }

  /** Registers for the kinds and calls `handler` for each event of any domain. Call it once. */
  async subscribe(kinds: readonly DomainEventKind[], handler: (event: DomainEvent) => void): Promise<void> {
    this.#channel.onNotice = (procedure, input) => {
      const event = decodeEvent(procedure, input);
      if (event !== undefined) handler(event);
    };
    await Promise.all(
      kinds.map((kind) =>
        call(
          this.#channel,
          PROCEDURE.eventRegisterAny,
          (out) => void out.int(EVENT[kind].id).bool(false),
          (input) => input.int(),
        ),
      ),
    );
  }

  async close(): Promise<void> {
    await call(this.#channel, PROCEDURE.connectClose, nothing, nothing).catch(nothing); // the socket closes either way
    await this.#channel.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Version of QEMU, as major × 1,000,000 + minor × 1,000 + release. */
  hypervisorVersion(): Promise<number> {
    return call(this.#channel, PROCEDURE.connectGetVersion, nothing, (input) => Number(input.uhyper()));
  }

  libvirtVersion(): Promise<number> {
    return call(this.#channel, PROCEDURE.connectGetLibVersion, nothing, (input) => Number(input.uhyper()));
  }

  /** Host capabilities, XML. */
  capabilities(): Promise<string> {
    return call(this.#channel, PROCEDURE.connectGetCapabilities, nothing, (input) => input.string());
  }

  /** What a domain of this kind may have, XML. */
  domainCapabilities(
    want: {
      readonly emulator?: string;
      readonly arch?: string;
      readonly machine?: string;
      readonly virtType?: string;
    } = {},
  ): Promise<string> {
    return call(
      this.#channel,
      PROCEDURE.connectGetDomainCapabilities,
      (out) =>
        void out
          .optionalString(want.emulator)
          .optionalString(want.arch)
          .optionalString(want.machine)
          .optionalString(want.virtType)
          .uint(0),
      (input) => input.string(),
    );
  }

  /** The domain, or nothing when libvirt says that there is none. Any other failure is thrown. */
  async lookupByName(name: string): Promise<DomainRef | undefined> {
    return absentIsUndefined(
      call(this.#channel, PROCEDURE.domainLookupByName, (out) => void out.string(name), readDomain),
    );
  }

  async lookupByUuid(uuid: string): Promise<DomainRef | undefined> {
    return absentIsUndefined(
      call(this.#channel, PROCEDURE.domainLookupByUuid, (out) => writeUuid(out, uuid), readDomain),
    );
  }

  /** All domains; `flags` is a sum of LIST_FLAG, 0 for every one. */
  listDomains(flags = 0): Promise<DomainRef[]> {
    return call(
      this.#channel,
      PROCEDURE.connectListAllDomains,
      (out) => void out.int(1).uint(flags),
      (input) => {
        const domains = input.list(LIMITS.domainList, () => readDomain(input));
        input.uint();
        return domains;
      },
    );
  }

  defineXml(xml: string, flags = 0): Promise<DomainRef> {
    return betweenFailPoints('libvirt-define', () =>
      call(
        this.#channel,
        PROCEDURE.domainDefineXmlFlags,
        (out) => void out.string(xml).uint(flags),
        readDomain,
      ),
    );
  }

  /** Starts a domain that is not defined persistently. */
  createXml(xml: string, flags = 0): Promise<DomainRef> {
    return call(
      this.#channel,
      PROCEDURE.domainCreateXml,
      (out) => void out.string(xml).uint(flags),
      readDomain,
    );
  }

  /** Starts a defined domain; `flags` is a sum of CREATE_FLAG. */
  create(domain: DomainRef, flags = 0): Promise<DomainRef> {
    return betweenFailPoints('libvirt-create', () =>
      call(
        this.#channel,
        PROCEDURE.domainCreateWithFlags,
        (out) => {
          writeDomain(out, domain);
          out.uint(flags);
        },
        readDomain,
      ),
    );
  }

  shutdown(domain: DomainRef, flags = 0): Promise<void> {
    return betweenFailPoints('libvirt-shutdown', () =>
      domainVerb(this.#channel, PROCEDURE.domainShutdownFlags, domain, flags),
    );
  }

  reboot(domain: DomainRef, flags = 0): Promise<void> {
    return domainVerb(this.#channel, PROCEDURE.domainReboot, domain, flags);
  }

  /** Ends QEMU. Resolves when the process is gone. */
  destroy(domain: DomainRef, flags = 0): Promise<void> {
    return betweenFailPoints('libvirt-destroy', () =>
      domainVerb(this.#channel, PROCEDURE.domainDestroyFlags, domain, flags),
    );
  }

  undefine(domain: DomainRef, flags = 0): Promise<void> {
    return betweenFailPoints('libvirt-undefine', () =>
      domainVerb(this.#channel, PROCEDURE.domainUndefineFlags, domain, flags),
    );
  }

  suspend(domain: DomainRef): Promise<void> {
    return domainVerb(this.#channel, PROCEDURE.domainSuspend, domain, undefined);
  }

  resume(domain: DomainRef): Promise<void> {
    return betweenFailPoints('libvirt-resume', () =>
      domainVerb(this.#channel, PROCEDURE.domainResume, domain, undefined),
    );
  }

  reset(domain: DomainRef): Promise<void> {
    return domainVerb(this.#channel, PROCEDURE.domainReset, domain, 0);
  }

  /** Writes the guest's memory to a file, as ELF; the guest stands still meanwhile. Resolves when it is written. */
  coreDump(domain: DomainRef, path: string): Promise<void> {
    return call(
      this.#channel,
      PROCEDURE.domainCoreDumpWithFormat,
      (out) => {
        writeDomain(out, domain);
        out.string(path).uint(DUMP_FORMAT_RAW).uint(DUMP_MEMORY_ONLY);
      },
      nothing,
    );
  }

  /** The domain's XML; `flags` is a sum of XML_FLAG. */
  getXml(domain: DomainRef, flags = 0): Promise<string> {
    return call(
      this.#channel,
      PROCEDURE.domainGetXmlDesc,
      (out) => {
        writeDomain(out, domain);
        out.uint(flags);
      },
      (input) => input.string(),
    );
  }

  state(domain: DomainRef): Promise<LibvirtState> {
    return call(
      this.#channel,
      PROCEDURE.domainGetState,
      (out) => {
        writeDomain(out, domain);
        out.uint(0);
      },
      (input) => ({ state: input.int(), reason: input.int() }),
    );
  }

  /** Sets, or with `xml` undefined removes, an element of the domain's metadata. */
  setMetadata(
    domain: DomainRef,
    xml: string | undefined,
    key: string,
    uri: string,
    flags: number,
  ): Promise<void> {
    const ELEMENT = 2;
    return call(
      this.#channel,
      PROCEDURE.domainSetMetadata,
      (out) => {
        writeDomain(out, domain);
        out.int(ELEMENT).optionalString(xml).optionalString(key).optionalString(uri).uint(flags);
      },
      nothing,
    );
  }
}

async function absentIsUndefined(found: Promise<DomainRef>): Promise<DomainRef | undefined> {
  try {
    return await found;
  } catch (error) {
    if (isLibvirtError(error, ERROR_CODE.noDomain)) return undefined;
    throw error;
  }
}
