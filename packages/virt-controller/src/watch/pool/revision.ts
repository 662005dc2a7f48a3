/** The revisions of a pool: its template as it was, so that one can tell what an older machine was made from. */
import type { ControllerRevision, VirtualMachinePool } from '@podvisor/api';
import { controllerReference } from '../ownership.ts';
import { POOL_API_VERSION, type PoolTemplate, poolRevisionName, templateOfSpec } from './member.ts';

export function buildPoolRevision(pool: VirtualMachinePool): ControllerRevision {
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: poolRevisionName(pool),
      namespace: pool.metadata?.namespace,
      ownerReferences: [controllerReference(pool, POOL_API_VERSION, 'VirtualMachinePool')],
    },
    data: { spec: templateOfSpec(pool.spec) },
    revision: pool.metadata?.generation ?? 0,
  };
}

/** The stored template; undefined when the revision holds something else. */
export function templateOf(revision: ControllerRevision | undefined): PoolTemplate | undefined {
  const data = revision?.data as { readonly spec?: PoolTemplate } | undefined;
  return data?.spec?.virtualMachineTemplate === undefined ? undefined : data.spec;
}
