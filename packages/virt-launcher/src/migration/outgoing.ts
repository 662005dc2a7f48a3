/**
 * The source's side: at most one migration at a time, and how it is stopped. What is known of it is its record; one
 * try to move the guest is `move-guest.ts`; the source is made as the outcome says by `outcome/apply-outcome.ts`.
 */
import type {
  MigrationOptions,
  MigrationProgress,
  SourceMigration,
  VirtualMachineInstance,
} from '@podvisor/api';
import { messageOf } from '@podvisor/base';
import { DOMAIN_STATE, ERROR_CODE, isLibvirtError } from '@podvisor/libvirt';
import { type DomainHostDevice, domainFromXml, sriovInterfaces } from '@podvisor/translate';
import type { DiskLeases } from '../disks/disk-leases.ts';
import { LauncherError } from '../launcher-error.ts';
import type { Outcome } from './move.ts';
import { type MoveControl, type MovedGuest, moveGuest, type MoveGuestOptions } from './move-guest.ts';
import { giveDevices, networkDevicesOf, type ReleaseOptions, releaseDevices } from './network-devices.ts';
import { applyOutcome } from './outcome/apply-outcome.ts';
import { MigrationRecord } from './record.ts';

export interface OutgoingOptions extends MoveGuestOptions {
  /** Asked before the guest goes on here. */
  readonly leases: Pick<DiskLeases, 'verify' | 'giveUp'>;
  readonly domainName: string;
  /** The state has changed. */
  readonly onChange: () => void;
  /** Resolves when the domain has lost a device of this alias. */
  readonly deviceRemoved: ReleaseOptions['removed'];
}

/** What clients of KubeVirt look for. */
const ABORTED = 'Live migration has been aborted';

export class OutgoingMigration {
  readonly #options: OutgoingOptions;
  readonly #record: MigrationRecord;
  readonly #control: MoveControl = {
    abortJob: () => this.#abortJob(),
    giveUp: (why) => this.#giveUp(`${ABORTED}: ${why}`),
  };

  constructor(options: OutgoingOptions) {
    this.#options = options;
    this.#record = new MigrationRecord(options);
  }

  get state(): SourceMigration | undefined {
    return this.#record.state;
  }

  /** The domain belongs to the migration now: nobody else changes it. */
  get isActive(): boolean {
    return this.#record.isActive;
  }

  get progress(): MigrationProgress | undefined {
    return this.#record.progress;
  }

  /** Begins; how it goes is in `state`. The same migration again changes nothing. */
  start(vmi: VirtualMachineInstance, options: MigrationOptions): void {
    if (this.state?.uid === options.migrationUid) return;
    if (this.isActive) throw new LauncherError(`migration ${this.state?.uid} is still under way`);
    this.#record.begin(options.migrationUid);
    void this.#run(vmi, options);
  }

  /** Stops it as far as that is possible. Nothing to stop is success. */
  async cancel(why = ABORTED): Promise<void> {
    const { state, stage } = this.#record;
    if (!this.isActive || state?.abortStatus !== undefined || state?.completed === true) return;
    if (stage === 'handing-over' || state?.mode === 'PostCopy') {
      this.#record.change({ abortStatus: 'Failed' });
      return;
    }
    this.#record.cancelled = why;
    this.#record.change({ abortStatus: 'Aborting' });
    if (stage === 'moving') await this.#abortJob();
  }

  /** libvirt says that a new pass over the memory begins. */
  passed(iteration: number): void {
    if (this.#record.stage === 'moving') this.#record.follower?.passed(iteration);
  }

  /** Proof that the Pod of the target has ended. */
  targetIsGone(): void {
    this.#record.targetIsGone();
  }

  async #run(vmi: VirtualMachineInstance, options: MigrationOptions): Promise<void> {
    const { log, leases, deviceRemoved, clock, signal } = this.#options;
    const record = this.#record;
    log.info({ migration: options.migrationUid }, 'migration begins');
    let wasPaused = false;
    let outcome: Outcome;
    let held: readonly DomainHostDevice[] = [];
    try {
      const guest = await this.#guest(vmi);
      wasPaused = guest.isPaused;
      if (sriovInterfaces(vmi).length > 0) {
        const { source, domain } = guest;
        held = networkDevicesOf(domainFromXml(await source.getXml(domain)));
        await releaseDevices(source, domain, { removed: deviceRemoved, clock, signal });
      }
      outcome = await moveGuest(this.#options, record, guest, options, this.#control);
      if (isWithoutPostCopy(outcome, options)) {
        log.warn({}, 'the target cannot do post-copy; the migration does without');
        const { allowWorkloadDisruption = true } = options.configuration;
        const configuration = { ...options.configuration, allowPostCopy: false, allowWorkloadDisruption };
        const again = { ...options, configuration };
        outcome = await moveGuest(this.#options, record, guest, again, this.#control);
      }
    } catch (error) {
      outcome = { kind: 'stayed', error };
    }
    const applied = (): Promise<void> =>
      applyOutcome(this.#options, outcome.kind, wasPaused, signal).finally(() => {
        record.stage = 'idle';
      });
    if (outcome.kind !== 'handed-over') {
      await applied();
      if (outcome.kind === 'stayed') await this.#giveBack(held);
      record.end(outcome);
      return;
    }
    // The guest runs on its new node: that is told before libvirt has ended the QEMU that it left behind.
    record.end(outcome);
    await outcome.confirm();
    await applied();
    leases.giveUp(record.left);
    log.info({ steps: record.steps }, 'what the guest left behind is gone');
  }

  async #guest(vmi: VirtualMachineInstance): Promise<MovedGuest> {
    const { connection: source } = this.#options.session;
    const domain = await source.lookupByName(this.#options.domainName);
    if (domain === undefined) throw new LauncherError('there is no virtual machine to migrate');
    const isPaused = (await source.state(domain)).state === DOMAIN_STATE.paused;
    return { source, domain, vmi, isPaused };
  }

  /** The guest stayed: what it let go of for the move is given to it again. */
  async #giveBack(held: readonly DomainHostDevice[]): Promise<void> {
    if (held.length === 0) return;
    const { session, domainName, log } = this.#options;
    try {
      const domain = await session.connection.lookupByName(domainName);
      if (domain !== undefined) await giveDevices(session.connection, domain, held);
    } catch (error) {
      log.error({ error }, 'the guest did not get its SR-IOV devices back');
    }
  }

  async #giveUp(why: string): Promise<void> {
    this.#record.cancelled = why;
    this.#record.change({ abortStatus: 'Aborting' });
    await this.#abortJob();
  }

  async #abortJob(): Promise<void> {
    const { connection } = this.#options.session;
    const domain = await connection.lookupByName(this.#options.domainName);
    if (domain === undefined) return;
    await connection.migration.abortJob(domain).catch((error: unknown) => {
      // Nothing to abort any more: how it ended is told by the end.
      if (!isLibvirtError(error, ERROR_CODE.operationInvalid)) throw error;
    });
  }
}

/** QEMU on the target refused because its node does not let it handle page faults. */
function isWithoutPostCopy(outcome: Outcome, { configuration }: MigrationOptions): boolean {
  return (
    configuration.allowPostCopy === true &&
    outcome.kind === 'stayed' &&
    /postcopy is not supported/i.test(messageOf(outcome.error))
  );
}
