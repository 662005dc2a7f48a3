/**
 * Offers the permitted host devices of this node to the kubelet, one device plugin for each resource name. Level-based:
 * every look compares what is permitted and what sysfs shows with what is offered. A resource is offered from its
 * first device on; it stays, with an empty list, while it is permitted.
 */
import { join } from 'node:path';
import type { PermittedHostDevices } from '@podvisor/api';
import { type Clock, messageOf } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { PluginServer } from '../plugin-server.ts';
import { Registrar } from '../registrar.ts';
import { DeviceWatch } from './device-watch.ts';
import { discoverUnits, offeredNames } from './discover.ts';
import { GivenUnits } from './given-units.ts';
import { HostOffer } from './host-offer.ts';
import type { DeviceRoots, UnitsByResource } from './units.ts';

export interface HostDevicesOptions {
  readonly roots: DeviceRoots;
  /** The kubelet's `device-plugins` directory. */
  readonly pluginDir: string;
  /** Where it is kept what Pods were given. */
  readonly stateDir: string;
  /** What the cluster permits now. */
  permitted(): PermittedHostDevices | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

interface Offered {
  readonly offer: HostOffer;
  readonly registrar: Registrar;
}

export class HostDevices implements Disposable {
  readonly #options: HostDevicesOptions;
  readonly #offered = new Map<string, Offered>();
  readonly #watch: DeviceWatch;
  readonly #given: GivenUnits;
  #units: UnitsByResource = new Map();
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: HostDevicesOptions) {
    this.#options = options;
    this.#given = new GivenUnits(join(options.stateDir, 'given-devices.json'));
    this.#watch = new DeviceWatch(options.roots.dev, options.clock, () => void this.look());
    void this.look();
  }

  /** Looks again, after the look that is under way; resolves when what it found is offered. */
  look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    if (this.#closed) return;
    const { roots, log, permitted } = this.#options;
    try {
      const allowed = permitted() ?? {};
      this.#units = discoverUnits(roots, allowed, this.#units, this.#given);
      const names = offeredNames(allowed);
      for (const [name, { registrar }] of this.#offered) {
        if (names.has(name)) continue;
        this.#offered.delete(name);
        log.info({ resource: name }, 'host devices are not offered any more');
        await registrar.withdraw();
      }
      for (const name of names) {
        const units = this.#units.get(name) ?? [];
        if (units.length > 0 || this.#offered.has(name)) this.#offer(name).offer.update(units);
      }
    } catch (error) {
      // The next event of a device or of the configuration looks again; guests that run need nothing of this.
      log.error({ error: messageOf(error) }, 'host devices could not be looked through');
    }
  }

  #offer(name: string): Offered {
    const known = this.#offered.get(name);
    if (known !== undefined) return known;
    const { roots, pluginDir, clock, log } = this.#options;
    const offer = new HostOffer(name, roots, (id) => this.#given.add(name, id));
    const server = new PluginServer(offer, pluginDir);
    const made = { offer, registrar: new Registrar({ pluginDir, servers: [server], clock, log }) };
    this.#offered.set(name, made);
    return made;
  }

  [Symbol.dispose](): void {
    this.#closed = true;
    this.#watch[Symbol.dispose]();
    for (const { registrar } of this.#offered.values()) registrar[Symbol.dispose]();
    this.#offered.clear();
  }
}
