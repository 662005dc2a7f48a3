/** A Pod from its owner's template. Pure. */
import type { OwnerReference, Pod, PodTemplateSpec } from '@podvisor/api';
import type { Workload } from './types.ts';

export interface PodNaming {
  readonly name?: string;
  /** Default: the owner's name and a dash. */
  readonly generateName?: string;
}

export function podFromTemplate(
  owner: Workload,
  template: PodTemplateSpec,
  reference: OwnerReference,
  naming: PodNaming = {},
): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      namespace: owner.metadata.namespace,
      ...(naming.name === undefined
        ? { generateName: naming.generateName ?? `${owner.metadata.name}-` }
        : { name: naming.name }),
      labels,
      annotations,
      finalizers,
      ownerReferences: [reference],
    },
    spec: template.spec,
  };
}
