/** Host devices under one resource name, as a device plugin tells of them. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type devicePluginProto, type HostDeviceKind, hostDeviceVariable } from '@podvisor/api';
import { deepEqual } from '@podvisor/base';
import type { Offer } from '../offer.ts';
import type { DeviceRoots, DeviceUnit } from './units.ts';

/** QEMU opens the node, and nothing else is allowed by it; `m` is what KubeVirt's plugins grant. */
const PERMISSIONS = 'mrw';

export class HostOffer implements Offer {
  readonly name: string;
  readonly socketName: string;
  readonly #roots: DeviceRoots;
  readonly #followers = new Set<() => void>();
  readonly #onGiven: (id: string) => void;
  #units: readonly DeviceUnit[] = [];
  #told: readonly devicePluginProto.Device[] = [];

  /** `onGiven` hears of units of USB devices before the kubelet gets them. */
  constructor(name: string, roots: DeviceRoots, onGiven: (id: string) => void = () => {}) {
    this.name = name;
    this.socketName = socketNameOf(name);
    this.#roots = roots;
    this.#onGiven = onGiven;
  }

  /** What is there now. A unit whose device nodes are missing is there, and unhealthy. */
  update(units: readonly DeviceUnit[]): void {
    this.#units = units;
    const now = this.devices();
    if (deepEqual(now, this.#told)) return;
    this.#told = now;
    for (const follower of this.#followers) follower();
  }

  devices(): readonly devicePluginProto.Device[] {
    return this.#units.map(({ id, nodes, numaNode }) => ({
      ID: id,
      health: nodes.every((node) => existsSync(this.#onNode(node))) ? 'Healthy' : 'Unhealthy',
      topology: numaNode === undefined ? undefined : { nodes: [{ ID: numaNode }] },
    }));
  }

  allocate(ids: readonly string[]): devicePluginProto.ContainerAllocateResponse {
    const units = ids.map((id) => {
      const unit = this.#units.find((candidate) => candidate.id === id);
      const missing = unit?.nodes.find((node) => !existsSync(this.#onNode(node)));
      if (unit === undefined) throw new Error(`${this.name}: device ${id} is not on this node any more`);
      if (missing !== undefined) throw new Error(`${this.name}: device ${id} has no ${missing} on this node`);
      return unit;
    });
    for (const { kind, id } of units) if (kind === 'usb') this.#onGiven(id);
    const variables = new Map<HostDeviceKind, readonly string[]>();
    for (const { kind, values } of units) variables.set(kind, [...(variables.get(kind) ?? []), ...values]);
    return {
      envs: Object.fromEntries(
        [...variables].map(([kind, values]) => [hostDeviceVariable(kind, this.name), values.join(',')]),
      ),
      mounts: [],
      devices: [...new Set(units.flatMap(({ nodes }) => nodes))].map((path) => ({
        containerPath: path,
        hostPath: path,
        permissions: PERMISSIONS,
      })),
      annotations: {},
      cdiDevices: [],
    };
  }

  follow(onChange: () => void): Disposable {
    this.#followers.add(onChange);
    return { [Symbol.dispose]: () => void this.#followers.delete(onChange) };
  }

  #onNode(path: string): string {
    return join(this.#roots.dev, path.replace(/^\/dev\//, ''));
  }
}

/** Short, because paths of sockets are at most 107 bytes long, and another one for each name. */
function socketNameOf(resource: string): string {
  const digest = createHash('sha256').update(resource).digest('hex').slice(0, 16);
  return `kubevirt-host-${digest}.sock`;
}
