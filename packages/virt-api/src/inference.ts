/**
 * Which instancetype and preference suit a VM, read from the labels of the volume that it boots from: of its
 * claim, its DataVolume, or the DataSource, claim or snapshot that the DataVolume is filled from.
 */
import type {
  DataVolumeTemplate,
  InstancetypeMatcher,
  KubernetesObject,
  VirtualMachine,
} from '@podvisor/api';
import { type KubeClient, type Resource, resources } from '@podvisor/kube';

type Reader = Pick<KubeClient, 'find'>;
type Field = 'instancetype' | 'preference';
type DataVolumeSpec = NonNullable<DataVolumeTemplate['spec']>;

interface Reference {
  readonly name?: string;
  readonly namespace?: string;
}

const { dataSources, dataVolumes, volumeSnapshots } = resources;

const ARCHITECTURE_LABEL = 'template.kubevirt.io/architecture';

/** Nothing can be inferred. `ignorable` when the volume is there and just says nothing. */
export class InferenceError extends Error {
  readonly field: Field;
  readonly ignorable: boolean;

  constructor(field: Field, message: string, ignorable: boolean) {
    super(message);
    this.name = 'InferenceError';
    this.field = field;
    this.ignorable = ignorable;
  }
}

/** The VM with names in place of `inferFromVolume`. Throws InferenceError, unless its policy is to ignore that. */
export async function inferMatchers(
  vm: VirtualMachine,
  namespace: string,
  client: Reader,
): Promise<VirtualMachine> {
  const withInstancetype = await inferMatcher(vm, 'instancetype', namespace, client);
  return inferMatcher(withInstancetype, 'preference', namespace, client);
}

async function inferMatcher(
  vm: VirtualMachine,
  field: Field,
  namespace: string,
  client: Reader,
): Promise<VirtualMachine> {
  const { inferFromVolume, inferFromVolumeFailurePolicy } = vm.spec[field] ?? {};
  if (!inferFromVolume) return vm;
  const isIgnored = inferFromVolumeFailurePolicy === 'Ignore';
  try {
    const matcher = await new Inference(vm, field, namespace, client).fromVolume(inferFromVolume);
    return withMatcher(vm, field, matcher, isIgnored && field === 'instancetype');
  } catch (error) {
    if (isIgnored && error instanceof InferenceError && error.ignorable)
      return withMatcher(vm, field, undefined, false);
    throw error;
  }
}

/** `ownsMemory`: the VM's memory was a stopgap for the case that there is no instancetype. */
function withMatcher(
  vm: VirtualMachine,
  field: Field,
  matcher: InstancetypeMatcher | undefined,
  ownsMemory: boolean,
): VirtualMachine {
  const { [field]: _inferred, ...rest } = vm.spec;
  const spec = matcher === undefined ? rest : { ...rest, [field]: matcher };
  const template = spec.template;
  if (!ownsMemory || template?.spec === undefined) return { ...vm, spec };
  const { memory: _memory, ...domain } = template.spec.domain;
  return { ...vm, spec: { ...spec, template: { ...template, spec: { ...template.spec, domain } } } };
}

/** One search along the chain from a volume to what it was made from. */
class Inference {
  readonly #vm: VirtualMachine;
  readonly #field: Field;
  readonly #namespace: string;
  readonly #client: Reader;

  constructor(vm: VirtualMachine, field: Field, namespace: string, client: Reader) {
    this.#vm = vm;
    this.#field = field;
    this.#namespace = namespace;
    this.#client = client;
  }

  async fromVolume(name: string): Promise<InstancetypeMatcher> {
    const volume = this.#vm.spec.template?.spec?.volumes?.find((candidate) => candidate.name === name);
    if (volume === undefined) throw this.#failure(`unable to find volume ${name} to infer defaults`, false);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined) return this.#fromClaim({ name: claim });
    if (volume.dataVolume !== undefined) return this.#fromDataVolume(volume.dataVolume.name);
    throw this.#failure(`unable to infer defaults from volume ${name} as type is not supported`, true);
  }

  async #fromDataVolume(name: string): Promise<InstancetypeMatcher> {
    const template = this.#vm.spec.dataVolumeTemplates?.find(({ metadata }) => metadata?.name === name);
    // The labels of a template are what the VM's author wrote; what the disk holds, its source knows.
    if (template !== undefined) return this.#fromDataVolumeSpec(template.spec);
    const stored = await this.#client.find(dataVolumes, { namespace: this.#namespace, name });
    // A DataVolume may be gone once its claim is filled; the claim has its labels.
    if (stored === undefined) return this.#fromClaim({ name });
    return this.#labelled(stored.metadata?.labels) ?? this.#fromDataVolumeSpec(stored.spec);
  }

  async #fromDataVolumeSpec(spec: DataVolumeSpec | undefined): Promise<InstancetypeMatcher> {
    const { pvc: claim, snapshot: taken }: { pvc?: Reference; snapshot?: Reference } = spec?.source ?? {};
    if (claim) return this.#fromClaim(claim);
    if (taken) return this.#fromLabels(await this.#find(volumeSnapshots, taken));
    const reference = spec?.sourceRef;
    if (!reference) {
      throw this.#failure(
        'unable to infer defaults from DataVolumeSpec as DataVolumeSource is not supported',
        true,
      );
    }
    if (reference.kind !== 'DataSource') {
      const message = `unable to infer defaults from DataVolumeSourceRef as Kind ${reference.kind} is not supported`;
      throw this.#failure(message, true);
    }
    const source = await this.#find(dataSources, reference);
    const own = this.#labelled(source.metadata?.labels);
    if (own !== undefined) return own;
    const { pvc, snapshot }: { pvc?: Reference; snapshot?: Reference } = source.spec.source;
    const namespace = source.metadata?.namespace;
    if (pvc) return this.#fromClaim({ namespace, ...pvc });
    if (snapshot) return this.#fromLabels(await this.#find(volumeSnapshots, { namespace, ...snapshot }));
    throw this.#failure(
      "unable to infer defaults from DataSource that doesn't provide DataVolumeSourcePVC or DataVolumeSourceSnapshot",
      true,
    );
  }

  async #fromClaim(reference: Reference): Promise<InstancetypeMatcher> {
    return this.#fromLabels(await this.#find(resources.persistentVolumeClaims, reference));
  }

  #fromLabels(object: KubernetesObject): InstancetypeMatcher {
    const found = this.#labelled(object.metadata?.labels);
    if (found !== undefined) return found;
    throw this.#failure(`unable to find required ${this.#label} label on the volume`, true);
  }

  get #label(): string {
    return `instancetype.kubevirt.io/default-${this.#field}`;
  }

  #labelled(labels: Readonly<Record<string, string>> | undefined): InstancetypeMatcher | undefined {
    const name = labels?.[this.#label];
    if (name === undefined) return undefined;
    const kind = labels?.[`${this.#label}-kind`];
    return kind ? { name, kind } : { name };
  }

  async #find<T extends KubernetesObject>(resource: Resource<T>, reference: Reference): Promise<T> {
    const name = reference.name ?? '';
    const found = await this.#client.find(resource, {
      namespace: reference.namespace || this.#namespace,
      name,
    });
    if (found === undefined) throw this.#failure(`${resource.plural} "${name}" not found`, false);
    return found;
  }

  #failure(message: string, ignorable: boolean): InferenceError {
    return new InferenceError(this.#field, message, ignorable);
  }
}

/** The architecture that the VM's disks are made for, if the DataSource of one says so. */
export async function dataSourceArchitecture(
  vm: VirtualMachine,
  namespace: string,
  client: Reader,
): Promise<string | undefined> {
  if (vm.spec.template?.spec?.architecture) return undefined;
  for (const { spec } of vm.spec.dataVolumeTemplates ?? []) {
    const reference = spec.sourceRef;
    if (reference?.kind !== 'DataSource') continue;
    const key = { namespace: reference.namespace || namespace, name: reference.name };
    const label = (await client.find(dataSources, key))?.metadata?.labels?.[ARCHITECTURE_LABEL];
    if (label) return label;
  }
  return undefined;
}
