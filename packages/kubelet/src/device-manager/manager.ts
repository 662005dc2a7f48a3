/**
 * Device plugins of a node: who offers which devices, who holds them. Allocations are on disk before a
 * Pod is told of them, so a restart never gives one device to two Pods.
 */
import { join } from 'node:path';
import type { Container, Pod } from '@podvisor/api';
import { type Clock, messageOf, parseQuantity } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { allContainers, uidOf } from '../pod/types.ts';
import { readJson, writeJsonMakingDirectories } from '@podvisor/sys';
import { DevicePlugin } from './plugin.ts';
import { type Registration, serveRegistrations } from './registration.ts';
import { AdmissionError, type DeviceGrant, NO_DEVICES } from './types.ts';

interface Allocation {
  readonly podUid: string;
  readonly container: string;
  readonly resource: string;
  readonly ids: readonly string[];
  readonly grant: DeviceGrant;
}

interface Resource {
  readonly plugin: DevicePlugin | undefined;
  readonly healthy: readonly string[];
  readonly total: number;
  /** After a restart of the kubelet: how many were healthy before, until the plugin is back or overdue. */
  readonly presumed?: number;
}

/** What is kept on disk of a resource, for the time until its plugin is back. */
interface KnownResource {
  readonly total: number;
  readonly healthy: number;
}

export interface DeviceManagerOptions {
  /** `device-plugins` of the kubelet's directory. */
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The node's capacity changed. */
  onChange(): void;
}

/** How long plugins have after a restart of the kubelet to register again. */
const RETURN_GRACE_MS = 10_000;
/** How long the capacity of a plugin that went away stays in the node's status. */
const GONE_GRACE_MS = 300_000;

export class DeviceManager {
  readonly #options: DeviceManagerOptions;
  readonly #resources = new Map<string, Resource>();
  #allocations: readonly Allocation[];
  #server: { close(): void } | undefined;
  /** Admissions run one after the other: two Pods never pick the same device. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Resolved at every change of devices. */
  #changed = Promise.withResolvers<void>();
  #cancelGrace: (() => void) | undefined;

  constructor(options: DeviceManagerOptions) {
    this.#options = options;
    const saved = readJson(this.#file('allocations.json')) as
      | { allocations?: readonly Allocation[] }
      | undefined;
    this.#allocations = saved?.allocations ?? [];
    const known = readJson(this.#file('resources.json')) as
      | Readonly<Record<string, KnownResource>>
      | undefined;
    for (const [name, { total, healthy }] of Object.entries(known ?? {})) {
      this.#resources.set(name, { plugin: undefined, healthy: [], total, presumed: healthy });
    }
  }

  async start(): Promise<void> {
    this.#server = await serveRegistrations(this.#options.directory, (registration) =>
      this.#register(registration),
    );
    this.#cancelGrace = this.#options.clock.after(RETURN_GRACE_MS, () => {
      for (const [name, { plugin, total, presumed }] of this.#resources) {
        if (plugin !== undefined || presumed === undefined) continue;
        this.#options.log.warn({ resource: name }, 'device plugin did not come back');
        this.#set(name, { plugin: undefined, healthy: [], total });
      }
    });
  }

  close(): void {
    this.#cancelGrace?.();
    // Nobody may be waiting, so the rejection needs a listener.
    this.#changed.promise.catch(() => undefined);
    this.#changed.reject(new Error('the kubelet is closing'));
    this.#server?.close();
    for (const { plugin } of this.#resources.values()) plugin?.close();
  }

  /** Extended resources for the node's status. */
  quantities(): ReadonlyMap<string, { readonly capacity: number; readonly allocatable: number }> {
    return new Map(
      [...this.#resources].map(([name, r]) => [
        name,
        { capacity: r.total, allocatable: r.presumed ?? r.healthy.length },
      ]),
    );
  }

  /** Gives every container of the Pod its devices; those it has already it keeps. Throws AdmissionError. */
  admit(pod: Pod): Promise<void> {
    const turn = this.#turn.then(() => this.#admit(pod));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** What the container gets of its devices. */
  grantFor(pod: Pod, container: Container): DeviceGrant {
    const own = this.#allocations.filter((a) => a.podUid === uidOf(pod) && a.container === container.name);
    return own.reduce<DeviceGrant>(
      (sum, { grant }) => ({
        env: { ...sum.env, ...grant.env },
        mounts: mountsOnce([...sum.mounts, ...grant.mounts]),
        devices: [...sum.devices, ...grant.devices],
      }),
      NO_DEVICES,
    );
  }

  /** Before each start of the container. */
  async preStart(pod: Pod, container: Container): Promise<void> {
    for (const { podUid, container: name, resource, ids } of this.#allocations) {
      if (podUid !== uidOf(pod) || name !== container.name) continue;
      await this.#resources.get(resource)?.plugin?.preStart(ids);
    }
  }

  /** The Pod's devices are free again. */
  release(podUid: string): void {
    if (!this.#allocations.some((a) => a.podUid === podUid)) return;
    this.#save(this.#allocations.filter((a) => a.podUid !== podUid));
  }

  async #admit(pod: Pod): Promise<void> {
    for (const container of allContainers(pod)) {
      for (const [resource, amount] of Object.entries(container.resources?.limits ?? {})) {
        const count = resource.includes('/') ? parseQuantity(amount).value() : 0;
        if (count > 0) await this.#allocate(pod, container, resource, count);
      }
    }
  }

  async #allocate(pod: Pod, container: Container, resource: string, count: number): Promise<void> {
    const podUid = uidOf(pod);
    const isMine = (a: Allocation): boolean =>
      a.podUid === podUid && a.container === container.name && a.resource === resource;
    if (this.#allocations.some(isMine)) return;
    // Right after a restart the plugin may be on its way back: better late than refused.
    while (this.#resources.get(resource)?.presumed !== undefined) await this.#changed.promise;
    const known = this.#resources.get(resource);
    // An extended resource that nobody serves here is only a number to the scheduler.
    if (known === undefined) return;
    const taken = new Set(this.#allocations.filter((a) => a.resource === resource).flatMap((a) => a.ids));
    const free = known.healthy.filter((id) => !taken.has(id));
    if (known.plugin === undefined || free.length < count) {
      throw new AdmissionError(
        `Allocate failed due to requested number of devices unavailable for ${resource}. Requested: ${count}, Available: ${free.length}, which is unexpected`,
      );
    }
    try {
      const ids = await known.plugin.choose(free, count);
      const { envs, mounts, devices } = await known.plugin.allocate(ids);
      const allocation = {
        podUid,
        container: container.name,
        resource,
        ids,
        grant: { env: envs, mounts, devices },
      };
      this.#save([...this.#allocations, allocation]);
    } catch (error) {
      throw new AdmissionError(`Allocate failed due to rpc error: ${messageOf(error)}, which is unexpected`);
    }
  }

  #register({ resource, socket, options }: Registration): void {
    const { log, clock } = this.#options;
    this.#resources.get(resource)?.plugin?.close();
    log.info({ resource, socket }, 'device plugin registered');
    const plugin = new DevicePlugin(socket, options, {
      onDevices: (devices) => {
        const healthy = devices.filter((d) => d.health === 'Healthy').map((d) => d.ID);
        this.#set(resource, { plugin, healthy, total: devices.length });
      },
      onGone: (reason) => {
        log.warn({ resource, reason }, 'device plugin went away');
        const last = this.#resources.get(resource);
        if (last?.plugin !== plugin) return;
        this.#set(resource, { plugin: undefined, healthy: [], total: last.total });
        // Not for ever: a resource that nobody serves any more leaves the node's status.
        clock.after(GONE_GRACE_MS, () => {
          const now = this.#resources.get(resource);
          if (now?.plugin !== undefined) return;
          this.#set(resource, undefined);
        });
      },
    });
    // Its devices are not known before its first list.
    const { total = 0, healthy = [], presumed } = this.#resources.get(resource) ?? {};
    this.#resources.set(resource, {
      plugin,
      healthy,
      total,
      ...(presumed === undefined ? {} : { presumed }),
    });
  }

  #set(name: string, resource: Resource | undefined): void {
    if (resource === undefined) this.#resources.delete(name);
    else this.#resources.set(name, resource);
    const known = [...this.#resources].map(([key, r]) => [
      key,
      { total: r.total, healthy: r.presumed ?? r.healthy.length },
    ]);
    writeJsonMakingDirectories(this.#file('resources.json'), Object.fromEntries(known));
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    this.#options.onChange();
  }

  #save(allocations: readonly Allocation[]): void {
    writeJsonMakingDirectories(this.#file('allocations.json'), { allocations });
    this.#allocations = allocations;
  }

  #file(name: string): string {
    return join(this.#options.directory, name);
  }
}

/** Two devices may bring the same directory: as with every kubelet, the first one to a path is mounted. */
function mountsOnce(mounts: DeviceGrant['mounts']): DeviceGrant['mounts'] {
  return [...Map.groupBy(mounts, ({ containerPath }) => containerPath).values()].flatMap((of) =>
    of.slice(0, 1),
  );
}
