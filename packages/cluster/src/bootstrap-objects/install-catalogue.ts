/**
 * Keeps the catalogue of instance types and preferences in the API server: what is missing is created, what was
 * changed is put back, what a user made under other names is not looked at. `commonInstancetypesDeployment.enabled:
 * false` of the KubeVirt object takes it away. Runs at a start beside the other objects: on a fresh home the
 * catalogue is there before its webhooks are, and later virt-api may start after us, so what fails is tried again.
 */
import { catalogueObjects, type KubeVirt } from '@podvisor/api';
import { type Clock, isStatus, sleep } from '@podvisor/base';
import { type KubeClient, type Log, defineResource, type Resource, resources } from '@podvisor/kube';
import type { Manifest } from '@podvisor/virt-operator';
import { differs } from './differs.ts';

const KINDS: readonly Resource[] = [
  catalogueResource('VirtualMachineClusterInstancetype'),
  catalogueResource('VirtualMachineClusterPreference'),
];
/** Until the kinds are served, on a fresh home. */
const SERVED_TRIES = 100;
const SERVED_WAIT_MS = 50;
/** Until virt-api may answer for its webhooks. */
const RETRY_MS = 1000;

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

type CatalogueClient = Pick<KubeClient, 'list' | 'find' | 'create' | 'patch' | 'delete'>;

interface Installer {
  readonly client: CatalogueClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** Resolves after the first try; goes on in the background until it succeeded or `signal` ends it. */
export async function installCatalogue(installer: Installer, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(installer.client, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isStatus(error, 'NotFound') || tries === SERVED_TRIES) break;
      await sleep(installer.clock, SERVED_WAIT_MS, signal);
    }
  }
  void retryUntilDone(installer, signal);
}

async function retryUntilDone({ client, clock, log }: Installer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    try {
      await sleep(clock, RETRY_MS, signal);
      return await tryOnce(client, signal);
    } catch (err) {
      if (!signal.aborted) log.info({ err }, 'the catalogue of instance types waits for virt-api');
    }
}

async function tryOnce(client: CatalogueClient, signal: AbortSignal): Promise<void> {
  const enabled = isEnabled(
    await client.find(resources.kubeVirts, { namespace: 'kubevirt', name: 'kubevirt' }, signal),
  );
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

function isEnabled(kubevirt: KubeVirt | undefined): boolean {
  return kubevirt?.spec?.configuration?.commonInstancetypesDeployment?.enabled !== false;
}
