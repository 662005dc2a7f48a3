/** Registers the node, keeps its Lease, and writes its status when it changes. */
import type { Lease, Node } from '@podvisor/api';
import { deepEqual, isStatus, rfc3339 } from '@podvisor/base';
import { resources, tellTrouble } from '@podvisor/kube';
import type { KubeletClient } from '../client.ts';
import type { KubeletContext } from '../context.ts';
import type { DeviceManager } from '../device-manager/manager.ts';
import type { Machine } from './machine.ts';
import { newNode, nodeLabels, nodeStatus } from './node-object.ts';

const LEASE_NAMESPACE = 'kube-node-lease';
const LEASE_SECONDS = 40;
const RENEW_MS = 10_000;
const RETRY_MS = 1000;

export interface NodeAgentOptions {
  readonly context: KubeletContext;
  readonly client: KubeletClient;
  readonly devices: Pick<DeviceManager, 'quantities'>;
  readonly machine: Machine;
}

export class NodeAgent {
  readonly #options: NodeAgentOptions;
  #cancelLease: (() => void) | undefined;
  #cancelStatus: (() => void) | undefined;
  #turn: Promise<void> = Promise.resolve();
  #queued = false;
  #renewedAt: number | undefined;
  #closed = false;
  #registered = false;

  constructor(options: NodeAgentOptions) {
    this.#options = options;
  }

  /** Makes the Node and its status exist, then renews the Lease until closed. */
  async start(): Promise<void> {
    await this.#register();
    this.#registered = true;
    await this.#writeStatus();
    await this.#renew();
  }

  close(): void {
    this.#closed = true;
    this.#cancelLease?.();
    this.#cancelStatus?.();
  }

  /** Something in the status may have changed; changes while a write is on its way are written together. */
  changed(): void {
    // A device plugin may come before the Node is there: what it brings is in the first status.
    if (this.#queued || this.#closed || !this.#registered) return;
    this.#queued = true;
    this.#turn = this.#turn.then(() => this.#writeAfterChange());
  }

  async #writeAfterChange(): Promise<void> {
    const { clock, log } = this.#options.context;
    this.#queued = false;
    if (this.#closed) return;
    try {
      await this.#writeStatus();
    } catch (error) {
      tellTrouble(log, error, { fields: {}, message: 'node status could not be written, trying again' });
      this.#cancelStatus = clock.after(RETRY_MS, () => this.changed());
    }
  }

  async #register(): Promise<void> {
    const { client, context } = this.#options;
    const found = await client.find(resources.nodes, { name: context.node.name });
    if (found === undefined) {
      try {
        await client.create(resources.nodes, newNode(context.node, context.config.name));
      } catch (error) {
        if (!isStatus(error, 'AlreadyExists')) throw error;
      }
      return;
    }
    const labels = nodeLabels(context.node, context.config.name);
    const missing = Object.entries(labels).filter(([key, value]) => found.metadata.labels?.[key] !== value);
    if (missing.length === 0) return;
    await client.patch(
      resources.nodes,
      { name: context.node.name },
      {
        type: 'merge',
        body: { metadata: { labels: Object.fromEntries(missing) } },
      },
    );
  }

  async #writeStatus(): Promise<void> {
    const { client, context, devices, machine } = this.#options;
    const key = { name: context.node.name };
    const node: Node = await client.get(resources.nodes, key);
    const now = rfc3339(context.clock.now());
    const status = nodeStatus(context.node, machine, devices.quantities(), node.status, now);
    const { images: _, ...before } = node.status ?? {};
    if (deepEqual(before, status)) return;
    // Resources that vanished must be named to vanish.
    const gone = Object.keys(before.capacity ?? {}).filter((name) => status.capacity?.[name] === undefined);
    const nulls = Object.fromEntries(gone.filter((name) => name.includes('/')).map((name) => [name, null]));
    await client.patch(resources.nodes, key, {
      type: 'strategic',
      subresource: 'status',
      body: {
        status: {
          ...status,
          // A node has one address of each family, of one type: merged by type they would become one.
          addresses: [...(status.addresses ?? []), { $patch: 'replace' }],
          capacity: { ...status.capacity, ...nulls },
          allocatable: { ...status.allocatable, ...nulls },
        },
      },
    });
  }

  async #renew(): Promise<void> {
    const { context } = this.#options;
    let delayMs = RENEW_MS;
    try {
      await this.#writeLease();
      this.#heard();
    } catch (error) {
      delayMs = RETRY_MS;
      if (!this.#closed)
        tellTrouble(context.log, error, {
          fields: {},
          message: 'node lease could not be renewed, trying again',
        });
    }
    if (!this.#closed) this.#cancelLease = context.clock.after(delayMs, () => void this.#renew());
  }

  /** After a silence others may have called us Unknown: what the node says of itself is looked at again. */
  #heard(): void {
    const now = this.#options.context.clock.now();
    if (this.#renewedAt !== undefined && now - this.#renewedAt > 2 * RENEW_MS) this.changed();
    this.#renewedAt = now;
  }

  async #writeLease(): Promise<void> {
    const { client, context } = this.#options;
    const name = context.node.name;
    const renewTime = new Date(context.clock.now()).toISOString().replace('Z', '000Z');
    const signal = AbortSignal.timeout(RENEW_MS);
    try {
      await client.patch(
        resources.leases,
        { namespace: LEASE_NAMESPACE, name },
        { type: 'merge', body: { spec: { renewTime } } },
        signal,
      );
    } catch (error) {
      if (!isStatus(error, 'NotFound')) throw error;
      const lease: Lease = {
        metadata: { namespace: LEASE_NAMESPACE, name },
        spec: { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime },
      };
      await client.create(resources.leases, lease, {}, signal);
    }
  }
}
