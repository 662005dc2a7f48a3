/** Objects in memory with versions and conflicts: the part of an API server that writers can see. */
import type { KubernetesObject } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import type { ObjectKey, Patch, Resource, WriteOptions } from '../index.ts';

export class MemoryClient {
  readonly objects = new Map<string, KubernetesObject>();
  readonly calls: string[] = [];
  /** While set, every call fails like a server that is away. */
  down = false;
  #version = 0;

  async find<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined> {
    this.#call('find', resource);
    return this.objects.get(pathOf(resource, key)) as T | undefined;
  }

  async create<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T,
    _options?: WriteOptions,
  ): Promise<T> {
    this.#call('create', resource);
    const path = pathOf(resource, {
      namespace: object.metadata?.namespace,
      name: object.metadata?.name ?? '',
    });
    if (this.objects.has(path)) throw new StatusError('AlreadyExists', path);
    return this.#store(path, object);
  }

  async update<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T,
    _options?: WriteOptions,
  ): Promise<T> {
    this.#call('update', resource);
    const path = pathOf(resource, {
      namespace: object.metadata?.namespace,
      name: object.metadata?.name ?? '',
    });
    const old = this.objects.get(path);
    if (old === undefined) throw new StatusError('NotFound', path);
    if (old.metadata?.resourceVersion !== object.metadata?.resourceVersion)
      throw new StatusError('Conflict', path);
    return this.#store(path, object);
  }

  /** Top-level merge only. */
  async patch<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey, patch: Patch): Promise<T> {
    this.#call('patch', resource);
    const path = pathOf(resource, key);
    const old = this.objects.get(path);
    if (old === undefined) throw new StatusError('NotFound', path);
    return this.#store(path, { ...old, ...(patch.body as object) } as T);
  }

  #call(verb: string, resource: Resource): void {
    this.calls.push(`${verb} ${resource.plural}`);
    if (this.down) throw new Error('connect ECONNREFUSED');
  }

  #store<T extends KubernetesObject>(path: string, object: T): T {
    this.#version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#version) } };
    this.objects.set(path, stored);
    return stored;
  }
}

const pathOf = (resource: Resource, { namespace, name }: ObjectKey): string =>
  `${resource.plural}/${namespace ?? ''}/${name}`;
