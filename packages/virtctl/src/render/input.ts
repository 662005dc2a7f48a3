/** What there is to render, and what it refers to, out of a heap of objects. Pure. */
import type {
  KubernetesObject,
  KubeVirt,
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
} from '@podvisor/api';
import type { ClaimFacts } from '@podvisor/translate';
import { InputError, type ManifestDocument } from './documents.ts';

/** A VM or a VMI, and where it was found. */
export type RenderSubject = { readonly where: string } & (
  | { readonly kind: 'vm'; readonly vm: VirtualMachine }
  | { readonly kind: 'vmi'; readonly vmi: VirtualMachineInstance }
);

/** Objects that a subject may refer to. */
export interface RenderObjects {
  readonly instancetypes: ReadonlyMap<string, VirtualMachineInstancetypeSpec>;
  readonly preferences: ReadonlyMap<string, VirtualMachinePreferenceSpec>;
  /** By name. */
  readonly claims: Readonly<Record<string, ClaimFacts>>;
  readonly kubevirt?: KubeVirt;
}

export interface RenderInput extends RenderObjects {
  readonly subject: RenderSubject;
}

/** Sorts documents by their kind; exactly one must be a VM or a VMI. Throws InputError. */
export function inputOf(documents: readonly ManifestDocument[]): RenderInput {
  const subjects = documents.flatMap(subjectOf);
  const [subject, second] = subjects;
  if (subject === undefined) {
    const kinds = [...new Set(documents.map(({ object }) => object.kind))].join(', ');
    throw new InputError(
      documents[0]?.where ?? 'the input',
      `holds no VirtualMachine or VirtualMachineInstance, only ${kinds}`,
    );
  }
  if (second !== undefined) {
    throw new InputError(second.where, `is a second machine after ${subject.where}; render one at a time`);
  }
  return { subject, ...objectsOf(documents.map(({ object }) => object)) };
}

/** Key of an instancetype or preference: whether it is of the whole cluster, and its name. */
export function matcherKey(kind: string | undefined, name: string): string {
  const isNamespaced = /^virtualmachine(instancetype|preference)s?$/i.test(kind ?? '');
  return `${isNamespaced ? 'namespaced' : 'cluster'}/${name}`;
}

/** What of these objects a machine can refer to. */
export function objectsOf(objects: readonly (KubernetesObject & { readonly kind: string })[]): RenderObjects {
  const specs = <T>(pattern: RegExp): ReadonlyMap<string, T> =>
    new Map(
      objects
        .filter(({ kind }) => pattern.test(kind))
        .map((object) => [
          matcherKey(object.kind, object.metadata?.name ?? ''),
          (object as { spec?: T }).spec as T,
        ]),
    );
  const kubevirt = objects.find(({ kind }) => kind === 'KubeVirt') as KubeVirt | undefined;
  return {
    instancetypes: specs(/^VirtualMachine(Cluster)?Instancetype$/),
    preferences: specs(/^VirtualMachine(Cluster)?Preference$/),
    claims: Object.fromEntries(
      objects
        .filter(({ kind }) => kind === 'PersistentVolumeClaim')
        .map((object) => [object.metadata?.name ?? '', claimFacts(object as PersistentVolumeClaim)]),
    ),
    ...(kubevirt === undefined ? {} : { kubevirt }),
  };
}

function claimFacts({ metadata, spec }: PersistentVolumeClaim): ClaimFacts {
  return {
    ...(metadata?.uid && { uid: metadata.uid }),
    block: spec.volumeMode === 'Block',
    shared: spec.accessModes?.includes('ReadWriteMany') ?? false,
  };
}

function subjectOf({ where, object }: ManifestDocument): readonly RenderSubject[] {
  if (!object.apiVersion?.startsWith('kubevirt.io/')) return [];
  if (object.kind === 'VirtualMachine') return [{ kind: 'vm', where, vm: object as VirtualMachine }];
  if (object.kind === 'VirtualMachineInstance') {
    return [{ kind: 'vmi', where, vmi: object as VirtualMachineInstance }];
  }
  return [];
}
