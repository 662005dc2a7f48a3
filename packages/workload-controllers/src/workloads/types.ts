/** The kinds that own Pods, by what their controllers have in common. */
import type {
  ControllerRevision,
  KubernetesObject,
  LabelSelector,
  ObjectMeta,
  PodTemplateSpec,
} from '@podvisor/api';

/** An object that owns Pods made from a template. */
export interface Workload extends KubernetesObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly selector?: LabelSelector;
    readonly template: PodTemplateSpec;
  };
}

export type Revision = ControllerRevision & { readonly metadata: ObjectMeta };
