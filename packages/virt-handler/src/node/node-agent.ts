/** Keeps this node's entry in the API right: labels, schedulability, and the Lease that says where we are. */
import { annotations } from '@podvisor/api';
import { backoffMs, type Clock, rfc3339, sleep } from '@podvisor/base';
import { type KubeClient, type Log, resources, tellTrouble } from '@podvisor/kube';
import { planNodePatch } from './plan.ts';

const LEASE_SECONDS = 40;

export interface NodeAgentOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly namespace: string;
  /** `https://IP:PORT` of our REST server. */
  readonly endpoint: string;
  /** Address that other nodes migrate to. */
  readonly migrationAddress: string;
  /** How often the Lease is renewed. */
  readonly renewMs: () => number;
  /** Called before each renewal; what it answers is called when the API server has taken it. */
  readonly onRenewing: () => () => void;
  readonly clock: Clock;
  readonly log: Log;
}

export class NodeAgent {
  readonly #options: NodeAgentOptions;
  #schedulable = false;
  #labels: Readonly<Record<string, string>> | undefined;
  #written = false;
  readonly #firstWrite = Promise.withResolvers<void>();

  constructor(options: NodeAgentOptions) {
    this.#options = options;
  }

  /** Resolves when this node is there and says what it can do, or when the signal ends the wait. */
  written(signal: AbortSignal): Promise<void> {
    const ended = Promise.withResolvers<void>();
    signal.addEventListener('abort', () => ended.resolve(), { once: true });
    return Promise.race([this.#firstWrite.promise, ended.promise]);
  }

  /** Sets what is known now and writes the node if that is news. */
  async update(
    known: { readonly schedulable?: boolean; readonly labels?: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<void> {
    this.#schedulable = known.schedulable ?? this.#schedulable;
    this.#labels = known.labels ?? this.#labels;
    const { client, nodeName, clock } = this.#options;
    const node = await client.get(resources.nodes, { name: nodeName }, signal);
    const wanted = {
      schedulable: this.#schedulable,
      capabilityLabels: this.#labels,
      now: rfc3339(clock.now()),
    };
    const body = planNodePatch(node, wanted, !this.#written);
    if (body === undefined) return;
    await client.patch(resources.nodes, { name: nodeName }, { type: 'merge', body }, signal);
    this.#written = true;
    this.#firstWrite.resolve();
  }

  /** Renews the Lease until the signal ends it; after a failure it is tried again soon. */
  async keepLease(signal: AbortSignal): Promise<void> {
    const { clock, log, renewMs: interval, onRenewing } = this.#options;
    let failures = 0;
    let renewedAt = clock.elapsed();
    while (!signal.aborted) {
      const renewMs = interval();
      try {
        const renewed = onRenewing();
        await this.#renew(AbortSignal.any([signal, AbortSignal.timeout(renewMs)]));
        renewed();
        failures = 0;
        // After a silence others may have taken the node out of scheduling: say again what it can do.
        if (this.#written && clock.elapsed() - renewedAt > 2 * renewMs) await this.update({}, signal);
        renewedAt = clock.elapsed();
      } catch (error) {
        failures += 1;
        if (!signal.aborted)
          tellTrouble(log, error, {
            fields: { failures },
            message: 'lease could not be renewed, trying again',
          });
      }
      const waitMs = failures === 0 ? renewMs : backoffMs(failures, { firstMs: 200, maxMs: renewMs });
      await sleep(clock, waitMs, signal).catch(() => undefined); // Only the signal ends it early.
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { client, namespace, nodeName, endpoint, migrationAddress, clock } = this.#options;
    const key = { namespace, name: `virt-handler-${nodeName}` };
    const now = new Date(clock.now()).toISOString().replace('Z', '000Z');
    const wanted = {
      metadata: {
        ...key,
        annotations: {
          [annotations.handlerEndpoint]: endpoint,
          [annotations.handlerMigrationAddress]: migrationAddress,
        },
      },
      spec: { holderIdentity: nodeName, leaseDurationSeconds: LEASE_SECONDS, renewTime: now },
    };
    const found = await client.find(resources.leases, key, signal);
    if (found === undefined) {
      await client.create(
        resources.leases,
        { ...wanted, spec: { ...wanted.spec, acquireTime: now } },
        {},
        signal,
      );
      return;
    }
    await client.patch(resources.leases, key, { type: 'merge', body: wanted }, signal);
  }
}
