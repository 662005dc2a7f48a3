/**
 * Keeps keys and passwords of the guest as its secrets say, through the guest agent: when the agent connects
 * (a guest that booted anew has forgotten them), when a secret changes, and now and then, because nothing tells
 * when somebody in the guest changed them. Level-triggered: each round reads the secrets and sets what they say.
 */
import type { AccessCredential, AccessCredentialsReport } from '@podvisor/api';
import { backoffMs, type Clock, deepEqual, messageOf } from '@podvisor/base';
import type { Log } from '../log.ts';
import { agentCommand, agentSecrets, type DesiredCredential, planCredentials } from './plan.ts';
import type { Secrets } from './secrets.ts';

const RETRY = { firstMs: 2_000, maxMs: 60_000 };
const SET_AGAIN_MS = 300_000;
/** The kubelet's swap makes several notices: they are one change. */
const SETTLE_MS = 100;

export interface CredentialSynchronizerOptions {
  readonly secrets: Secrets;
  readonly ask: (execute: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly clock: Clock;
  readonly log: Log;
  /** The report is another one. */
  readonly onChange: () => void;
}

export class CredentialSynchronizer {
  readonly #options: CredentialSynchronizerOptions;
  #credentials: readonly AccessCredential[] = [];
  #watches: readonly Disposable[] = [];
  #connected = false;
  #failures = 0;
  #cancel: (() => void) | undefined;
  #working = false;
  #again = false;
  #report: AccessCredentialsReport | undefined;

  constructor(options: CredentialSynchronizerOptions) {
    this.#options = options;
  }

  /** How the last round ended; undefined before the first, or when nothing is to be set. */
  get report(): AccessCredentialsReport | undefined {
    return this.#report;
  }

  /** What the VMI declares. Idempotent. */
  configure(credentials: readonly AccessCredential[]): void {
    if (deepEqual(credentials, this.#credentials)) return;
    this.#credentials = credentials;
    this.#unwatch();
    this.#watches = agentSecrets(credentials).flatMap((secret) => {
      try {
        return [this.#options.secrets.watch(secret, () => this.#soon(SETTLE_MS))];
      } catch (error) {
        this.#options.log.warn({ error, secret }, 'changes of a secret will be seen late');
        return [];
      }
    });
    this.#soon(0);
  }

  /** Follows the agent. Idempotent. */
  setConnected(connected: boolean): void {
    if (connected === this.#connected) return;
    this.#connected = connected;
    this.#failures = 0;
    if (connected) this.#soon(0);
    else this.#cancel?.();
  }

  stop(): void {
    this.setConnected(false);
    this.#unwatch();
  }

  #unwatch(): void {
    for (const watch of this.#watches) watch[Symbol.dispose]();
    this.#watches = [];
  }

  #soon(delayMs: number): void {
    if (this.#working) {
      // The round has read the secrets already, and would take its own next time for this one.
      this.#again = true;
      return;
    }
    this.#cancel?.();
    if (!this.#connected || agentSecrets(this.#credentials).length === 0) return;
    this.#cancel = this.#options.clock.after(delayMs, () => void this.#round());
  }

  async #round(): Promise<void> {
    this.#working = true;
    const failure = await this.#set();
    this.#working = false;
    this.#failures = failure === undefined ? 0 : this.#failures + 1;
    // A guest that went away in the middle says nothing about its credentials.
    if (this.#connected) this.#tell(failure);
    const again = this.#again;
    this.#again = false;
    this.#soon(again ? SETTLE_MS : failure === undefined ? SET_AGAIN_MS : backoffMs(this.#failures, RETRY));
  }

  /** The first failure; one user's does not hold up the others. */
  async #set(): Promise<string | undefined> {
    let credentials: readonly DesiredCredential[];
    try {
      credentials = planCredentials(this.#credentials, (secret) => this.#options.secrets.read(secret));
    } catch (error) {
      return `a secret could not be read: ${messageOf(error)}`;
    }
    let failure: string | undefined;
    for (const desired of credentials) {
      const command = agentCommand(desired);
      try {
        await this.#options.ask(command.execute, command.arguments);
      } catch (error) {
        const what = desired.kind === 'password' ? 'password' : 'SSH keys';
        failure ??= `${what} of user ${desired.user}: ${messageOf(error)}`;
      }
    }
    return failure;
  }

  #tell(failure: string | undefined): void {
    const report = failure === undefined ? { succeeded: true } : { succeeded: false, message: failure };
    if (deepEqual(report, this.#report)) return;
    this.#report = report;
    this.#options.log.info({ report }, 'access credentials set');
    this.#options.onChange();
  }
}
