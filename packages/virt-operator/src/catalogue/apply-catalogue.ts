/**
 * Keeps the catalogue of instance types and preferences in the API server: what is missing is created, what was
 * changed is put back, what a user made under other names is not looked at.
 */
import { catalogueObjects, type KubeVirt } from '@podvisor/api';
import { defineResource, type KubeClient, type Resource } from '@podvisor/kube';
import { differs } from '../install/differs.ts';
import type { Manifest } from '../install/manifest.ts';

const KINDS: readonly Resource[] = [
  catalogueResource('VirtualMachineClusterInstancetype'),
  catalogueResource('VirtualMachineClusterPreference'),
];

function catalogueResource(kind: string): Resource {
  return defineResource(kind, `${kind.toLowerCase()}s`, 'instancetype.kubevirt.io/v1beta1', 'Cluster');
}

export interface CatalogueChanges {
  readonly create: readonly Manifest[];
  readonly patch: readonly Manifest[];
  /** Names. */
  readonly remove: readonly string[];
}

/** What has to happen for objects of one kind. Pure. */
export function catalogueChanges(
  wanted: readonly Manifest[],
  live: readonly Manifest[],
  enabled: boolean,
): CatalogueChanges {
  const there = new Map(live.map((object) => [object.metadata?.name ?? '', object]));
  const found = (object: Manifest): Manifest | undefined => there.get(object.metadata?.name ?? '');
  if (!enabled) {
    const remove = wanted.flatMap((object) => found(object)?.metadata?.name ?? []);
    return { create: [], patch: [], remove };
  }
  return {
    create: wanted.filter((object) => found(object) === undefined),
    patch: wanted.filter((object) => found(object) !== undefined && differs(object, found(object))),
    remove: [],
  };
}

/** `commonInstancetypesDeployment.enabled: false` of the KubeVirt object takes the catalogue away. */
export function isCatalogueEnabled(kubevirt: KubeVirt | undefined): boolean {
  return kubevirt?.spec?.configuration?.commonInstancetypesDeployment?.enabled !== false;
}

/** Throws while the kinds are not served, or virt-api does not answer for its webhooks: then it is tried again. */
export async function applyCatalogue(
  client: Pick<KubeClient, 'list' | 'create' | 'patch' | 'delete'>,
  enabled: boolean,
  signal: AbortSignal,
): Promise<void> {
  const wanted: Manifest[] = catalogueObjects().map((object) => ({ ...object }));
  for (const resource of KINDS) {
    const live = (await client.list(resource, {}, signal)).items;
    const changes = catalogueChanges(
      wanted.filter(({ kind }) => kind === resource.kind),
      live.map((object) => ({ ...object })),
      enabled,
    );
    const by = { fieldManager: 'podvisor' };
    await Promise.all([
      ...changes.create.map((object) => client.create(resource, object, by, signal)),
      ...changes.patch.map((body) =>
        client.patch(resource, { name: body.metadata?.name ?? '' }, { type: 'merge', body, ...by }, signal),
      ),
      ...changes.remove.map((name) => client.delete(resource, { name }, {}, signal)),
    ]);
  }
}
