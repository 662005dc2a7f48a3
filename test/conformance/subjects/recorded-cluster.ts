/** The API of a recorded cluster: objects that stand in it, and a note of what is written. */
import type { KubernetesObject } from '@podvisor/api';
import type { KubeClient, ObjectKey, ObjectList, Patch, Resource } from '@podvisor/kube';

/** What was asked of the API, beside reads. */
export interface Write {
  readonly kind: string;
  readonly subresource?: string | undefined;
  readonly dryRun: boolean;
  /** A list of operations, or a new object. */
  readonly body: unknown;
  /** The failure that it met with. */
  readonly failure: string | null;
}

export interface RecordedClusterOptions {
  readonly objects?: readonly KubernetesObject[];
  /** Answers before `objects`: an object whatever its name, or the words of a failure to read it. */
  readonly byKind?: Readonly<Record<string, KubernetesObject | Error>>;
  /** Writes that fail: `Kind` or `Kind/subresource`, with the words of the failure. */
  readonly failingWrites?: Readonly<Record<string, string>>;
}

export class RecordedCluster implements Pick<KubeClient, 'find' | 'list' | 'create' | 'patch'> {
  readonly #options: RecordedClusterOptions;
  /** In order. */
  readonly writes: Write[] = [];

  constructor(options: RecordedClusterOptions) {
    this.#options = options;
  }

  async find<T extends KubernetesObject>(resource: Resource<T>, key: ObjectKey): Promise<T | undefined> {
    const told = this.#options.byKind?.[resource.kind];
    if (told instanceof Error) throw told;
    const found =
      told ?? this.#all(resource, key.namespace).find(({ metadata }) => metadata?.name === key.name);
    return found as T | undefined;
  }

  async list<T extends KubernetesObject>(
    resource: Resource<T>,
    { namespace, labelSelector }: { readonly namespace?: string; readonly labelSelector?: string } = {},
  ): Promise<ObjectList<T>> {
    const [label, value] = labelSelector?.split('=') ?? [];
    const items = this.#all(resource, namespace).filter(
      ({ metadata }) => label === undefined || metadata?.labels?.[label] === value,
    );
    return { metadata: {}, items: items as readonly KubernetesObject[] as readonly T[] as T[] };
  }

  async create<T extends KubernetesObject>(
    resource: Resource<T>,
    object: T,
    { dryRun = false }: { readonly dryRun?: boolean } = {},
  ): Promise<T> {
    // Whoever asked was allowed to.
    if (resource.kind === 'SubjectAccessReview') return { ...object, status: { allowed: true } };
    this.#write({ kind: resource.kind, dryRun, body: object });
    return object;
  }

  async patch<T extends KubernetesObject>(resource: Resource<T>, _key: ObjectKey, patch: Patch): Promise<T> {
    const { body, dryRun = false, subresource } = patch;
    this.#write({ kind: resource.kind, subresource, dryRun, body });
    return {} as T;
  }

  #write(write: Omit<Write, 'failure'>): void {
    const about = write.subresource === undefined ? write.kind : `${write.kind}/${write.subresource}`;
    const failure = this.#options.failingWrites?.[about] ?? null;
    this.writes.push({ ...write, failure });
    if (failure !== null) throw new Error(failure);
  }

  #all({ kind }: Resource, namespace: string | undefined): readonly KubernetesObject[] {
    return (this.#options.objects ?? []).filter(
      (object) =>
        object.kind === kind &&
        (namespace === undefined || (object.metadata?.namespace ?? namespace) === namespace),
    );
  }
}
