/** Load of VMs on an API server with KubeVirt's API: VMs that stay off, and VMIs that no node takes. */
import { join } from 'node:path';
import type { KubernetesObject, VirtualMachine, VirtualMachineInstance } from '@podvisor/api';
import { Informer, type KubeClient, type Resource, resources } from '@podvisor/kube';
import { readManifest } from '../packages/virtctl/src/podvisor/up/manifests.ts';
import type { Transport } from './server-transport.ts';

const EXAMPLE = join(import.meta.dirname, '../examples/hello.yaml');
/** A label that no node has: Pods come to be, and wait. */
const NOWHERE = { 'bench.podvisor.io/nowhere': 'true' };
/** Only nodes that answer without running anything: bench/scale. */
export const HOLLOW = { 'bench.podvisor.io/hollow': 'true' };
const VMS = 'virtualmachines';
const VMIS = 'virtualmachineinstances';

export class VmLoad {
  readonly #transport: Transport;
  readonly #client: KubeClient;
  readonly #namespace: string;
  readonly #example = readManifest(EXAMPLE)[0]?.object as VirtualMachine;
  #made = 0;

  constructor(transport: Transport, client: KubeClient, namespace: string) {
    this.#transport = transport;
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Milliseconds of each POST of a VM that stays off, by `clients` at once. */
  createVms(count: number, clients: number): Promise<readonly number[]> {
    return this.#timed(count, clients, () => this.#post(VMS, this.#vm()));
  }

  /** Milliseconds of each merge patch of one VM. */
  async patchVms(count: number, clients: number): Promise<readonly number[]> {
    const vm = this.#vm();
    await this.#post(VMS, vm);
    const path = `${this.#path(VMS)}/${vm.metadata?.name}`;
    return await this.#timed(count, clients, (i) =>
      this.#call('PATCH', path, { metadata: { annotations: { turn: String(i) } } }),
    );
  }

  /** A VM that stays off, with this name. */
  async createNamed(name: string): Promise<undefined> {
    await this.#post(VMS, { ...this.#vm(), metadata: { name } });
  }

  /** Milliseconds of each POST of a VMI that no node takes, or that a hollow one does. */
  createVmis(
    count: number,
    clients: number,
    where: 'nowhere' | 'hollow' = 'nowhere',
  ): Promise<readonly number[]> {
    const nodeSelector = where === 'nowhere' ? NOWHERE : HOLLOW;
    return this.#timed(count, clients, () => this.#post(VMIS, this.#vmi(nodeSelector)));
  }

  /** Milliseconds from the first of `count` VMIs until all have a launcher Pod, and until all say Scheduling. */
  async burst(count: number): Promise<{ readonly podsMs: number; readonly schedulingMs: number }> {
    await using pods = await this.#follow(resources.pods, () => true);
    await using scheduling = await this.#follow(
      resources.virtualMachineInstances,
      ({ status }) => status?.phase === 'Scheduling',
    );
    const began = performance.now();
    const since = (): number => performance.now() - began;
    const [podsMs, schedulingMs] = await Promise.all([
      pods.reached(count).then(since),
      scheduling.reached(count).then(since),
      this.createVmis(count, 8),
    ]);
    return { podsMs, schedulingMs };
  }

  /** Deletes all VMIs; milliseconds until none and no Pod is left. */
  async clearVmis(): Promise<number> {
    await using pods = await this.#follow(resources.pods, () => true);
    await using vmis = await this.#follow(resources.virtualMachineInstances, () => true);
    const began = performance.now();
    await this.#call('DELETE', this.#path(VMIS));
    await Promise.all([pods.reached(0), vmis.reached(0)]);
    return performance.now() - began;
  }

  async clearVms(): Promise<void> {
    await this.#call('DELETE', this.#path(VMS));
  }

  #vm(): VirtualMachine {
    this.#made += 1;
    const { spec, ...rest } = this.#example;
    return {
      ...rest,
      metadata: { name: `vm-${this.#made.toString(36)}` },
      spec: { ...spec, runStrategy: 'Halted' },
    } as VirtualMachine;
  }

  #vmi(nodeSelector: Readonly<Record<string, string>>): VirtualMachineInstance {
    const { apiVersion, metadata, spec } = this.#vm();
    return {
      apiVersion,
      kind: 'VirtualMachineInstance',
      metadata,
      spec: { ...spec?.template?.spec, nodeSelector, terminationGracePeriodSeconds: 0 },
    } as VirtualMachineInstance;
  }

  #path(plural: string): string {
    return `/apis/kubevirt.io/v1/namespaces/${this.#namespace}/${plural}`;
  }

  #post(plural: string, body: object): Promise<void> {
    return this.#call('POST', this.#path(plural), body);
  }

  async #call(method: string, path: string, body?: object): Promise<void> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const { code } = await this.#transport.call(method, path, text);
    if (code >= 300) throw new Error(`${method} ${path} answered ${code}`);
  }

  async #timed(
    count: number,
    clients: number,
    once: (i: number) => Promise<void>,
  ): Promise<readonly number[]> {
    const times: number[] = [];
    let next = 0;
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (next < count) {
          next += 1;
          const began = performance.now();
          await once(next);
          times.push(performance.now() - began);
        }
      }),
    );
    return times;
  }

  /** Counts the objects of the namespace that `counts` is true of. */
  async #follow<T extends KubernetesObject>(
    resource: Resource<T>,
    counts: (object: T) => boolean,
  ): Promise<AsyncDisposable & { reached(count: number): Promise<void> }> {
    const stop = new AbortController();
    const counted = new Set<string>();
    let check = (): void => {};
    const see = (object: T): void => {
      if (counts(object)) counted.add(object.metadata?.name ?? '');
      check();
    };
    const informer = new Informer<T>({ client: this.#client, resource, namespace: this.#namespace });
    informer.on({
      add: see,
      update: see,
      delete: (object) => {
        counted.delete(object.metadata?.name ?? '');
        check();
      },
    });
    informer.start(stop.signal);
    await informer.synced();
    return {
      reached: (count) =>
        new Promise((resolve) => {
          check = () => (count === 0 ? counted.size === 0 : counted.size >= count) && resolve();
          check();
        }),
      [Symbol.asyncDispose]: () => {
        stop.abort();
        return Promise.resolve();
      },
    };
  }
}
