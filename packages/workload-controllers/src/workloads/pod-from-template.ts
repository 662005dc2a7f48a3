/** A Pod from its owner's template. Pure. */
import type { OwnerReference, Pod } from '@podvisor/api';
import type { PodTemplate, Workload } from './types.ts';

export interface PodNaming {
  readonly name?: string;
  /** Default: the owner's name and a dash. */
  readonly generateName?: string;
}

export function podFromTemplate(
  owner: Workload,
  template: PodTemplate,
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
