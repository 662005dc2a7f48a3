/**
 * The interfaces of Kubernetes' kinds, which are written by hand (`packages/api/src/types/kubernetes`), against a second
 * source: `kubernetes-types`, made from Kubernetes' own description. The compiler does it: a field that Kubernetes does
 * not have, or of another type, is a path that `Nothing` does not allow, and the error names it.
 */
import { test } from 'node:test';
import type * as api from '@podvisor/api';
import type * as apps from 'kubernetes-types/apps/v1.js';
import type * as coordination from 'kubernetes-types/coordination/v1.js';
import type * as core from 'kubernetes-types/core/v1.js';
import type * as meta from 'kubernetes-types/meta/v1.js';
import type * as storage from 'kubernetes-types/storage/v1.js';

type Primitive = string | number | boolean | bigint | null | undefined;

/** Paths of fields of `Ours` that `Theirs` lacks or has with another type; `never` when there are none. */
type Unknown<Ours, Theirs, Path extends string> = unknown extends Ours
  ? never
  : [Ours] extends [Primitive]
    ? [Ours & Theirs] extends [never]
      ? Path
      : never
    : Ours extends readonly (infer Item)[]
      ? Theirs extends readonly (infer Other)[]
        ? Unknown<Item, Other, `${Path}[]`>
        : Path
      : string extends keyof Ours
        ? Theirs extends object
          ? never
          : Path
        : {
            [Key in keyof Ours & string]: Key extends keyof Theirs
              ? Unknown<NonNullable<Ours[Key]>, NonNullable<Theirs[Key]>, `${Path}.${Key}`>
              : `${Path}.${Key}`;
          }[keyof Ours & string];

/** Fields that came to Kubernetes after 1.30, the last version that `kubernetes-types` describes. */
type Newer =
  | `Pod.spec.${'containers' | 'initContainers'}[].resources.claims[].request`
  | `Pod.spec.resourceClaims[].resourceClaim${'Name' | 'TemplateName'}`
  | 'Pod.spec.volumes[].image'
  | 'Pod.status.conditions[].observedGeneration';

/** One interface serves the conditions of all kinds; some have fewer fields. */
type Shared =
  | `${'Node' | 'Namespace'}.status.conditions[].${'lastProbeTime' | 'observedGeneration'}`
  | 'PersistentVolumeClaim.status.conditions[].observedGeneration';

type Nothing<Found extends Newer | Shared> = Found;

export type Checked = [
  Nothing<Unknown<api.Pod, core.Pod, 'Pod'>>,
  Nothing<Unknown<api.Node, core.Node, 'Node'>>,
  Nothing<Unknown<api.PersistentVolumeClaim, core.PersistentVolumeClaim, 'PersistentVolumeClaim'>>,
  Nothing<Unknown<api.PersistentVolume, core.PersistentVolume, 'PersistentVolume'>>,
  Nothing<Unknown<api.StorageClass, storage.StorageClass, 'StorageClass'>>,
  Nothing<Unknown<api.ConfigMap, core.ConfigMap, 'ConfigMap'>>,
  Nothing<Unknown<api.Secret, core.Secret, 'Secret'>>,
  Nothing<Unknown<api.Namespace, core.Namespace, 'Namespace'>>,
  Nothing<Unknown<api.Lease, coordination.Lease, 'Lease'>>,
  Nothing<Unknown<api.ControllerRevision, apps.ControllerRevision, 'ControllerRevision'>>,
  Nothing<Unknown<api.ObjectReference, core.ObjectReference, 'ObjectReference'>>,
  Nothing<Unknown<api.ObjectMeta, meta.ObjectMeta, 'ObjectMeta'>>,
  Nothing<Unknown<api.LabelSelector, meta.LabelSelector, 'LabelSelector'>>,
];

test('the interfaces of Kubernetes have no field that Kubernetes has not', () => {
  // The compiler has said so already: this file does not compile otherwise.
});
