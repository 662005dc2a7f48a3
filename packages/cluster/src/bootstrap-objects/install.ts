/**
 * Puts the bootstrap objects into the API server: what is missing is created, what differs in a field that
 * we set is patched back, the rest is left alone. The KubeVirt object is only ever created, because its
 * configuration is the user's; it gets annotations of ours that it never had. Unchanged objects cost one read and no write.
 */
import type { Condition, KubernetesObject } from '@podvisor/api';
import { type Clock, isStatus, rfc3339, sleep } from '@podvisor/base';
import { defineResource, type KubeClient, type Resource, resources } from '@podvisor/kube';
import type { Manifest } from './bootstrap-objects.ts';
import { differs } from './differs.ts';

const CLUSTER_SCOPED = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'StorageClass',
  'PriorityClass',
  'VolumeSnapshotClass',
  'CDIConfig',
  'APIService',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);

/** How long a fresh CRD may take until it is served. */
const SERVED_TRIES = 100;
const SERVED_WAIT_MS = 20;

type InstallClient = Pick<KubeClient, 'find' | 'create' | 'patch'>;

/** Installs in order; objects of one kind go together. Returns how many writes it took. */
export async function installObjects(
  client: InstallClient,
  objects: readonly Manifest[],
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  let writes = 0;
  for (const batch of batches(objects)) {
    const changed = await Promise.all(
      batch.map((object) => whenServed(() => ensure(client, object, signal), clock, signal)),
    );
    writes += changed.filter(Boolean).length;
  }
  return writes + (await ensureKubeVirtStatus(client, clock, signal));
}

function batches(objects: readonly Manifest[]): Manifest[][] {
  const result: Manifest[][] = [];
  for (const object of objects) {
    const last = result.at(-1);
    if (last?.[0]?.kind === object.kind) last?.push(object);
    else result.push([object]);
  }
  return result;
}

async function ensure(client: InstallClient, object: Manifest, signal?: AbortSignal): Promise<boolean> {
  const resource = resourceOf(object);
  const key = { namespace: object.metadata?.namespace, name: object.metadata?.name ?? '' };
  const live = await client.find(resource, key, signal);
  if (live === undefined) {
    await client.create(resource, object, { fieldManager: 'podvisor' }, signal);
    return true;
  }
  const body = object.kind === 'KubeVirt' ? newAnnotations(object, live) : object;
  if (!differs(body, live)) return false;
  await client.patch(resource, key, { type: 'merge', body, fieldManager: 'podvisor' }, signal);
  return true;
}

/** Only the annotations that `live` lacks: a value that is there may be the user's. */
function newAnnotations(object: Manifest, live: KubernetesObject): object {
  const had = live.metadata?.annotations ?? {};
  const missing = Object.entries(object.metadata?.annotations ?? {}).filter(([key]) => !(key in had));
  return missing.length === 0 ? {} : { metadata: { annotations: Object.fromEntries(missing) } };
}

/** Without an operator somebody has to say that the deployment is there: until then no configuration counts. */
async function ensureKubeVirtStatus(
  client: InstallClient,
  clock: Clock,
  signal?: AbortSignal,
): Promise<number> {
  const key = { namespace: 'kubevirt', name: 'kubevirt' };
  const kubevirt = await client.find(resources.kubeVirts, key, signal);
  if (kubevirt === undefined || kubevirt.status?.phase === 'Deployed') return 0;
  const condition = (
    type: string,
    status: Condition['status'],
    reason: string,
    message: string,
  ): Condition => ({
    type,
    status,
    reason,
    message,
    lastTransitionTime: rfc3339(clock.now()),
    lastProbeTime: rfc3339(clock.now()),
  });
  const conditions = [
    condition('Created', 'True', 'AllResourcesCreated', 'All resources were created.'),
    condition('Available', 'True', 'AllComponentsReady', 'All components are ready.'),
    condition('Progressing', 'False', 'AllComponentsReady', 'All components are ready.'),
    condition('Degraded', 'False', 'AllComponentsReady', 'All components are ready.'),
  ];
  const body = {
    status: {
      phase: 'Deployed',
      defaultArchitecture: 'amd64',
      observedGeneration: kubevirt.metadata?.generation,
      conditions,
    },
  };
  await client.patch(resources.kubeVirts, key, { type: 'merge', body, subresource: 'status' }, signal);
  return 1;
}

/** Tries again while the kind is not served yet, or another writer was faster. */
async function whenServed<T>(attempt: () => Promise<T>, clock: Clock, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const passing =
        isStatus(error, 'NotFound') || isStatus(error, 'AlreadyExists') || isStatus(error, 'Conflict');
      if (!passing || tries === SERVED_TRIES) throw error;
      await sleep(clock, SERVED_WAIT_MS, signal);
    }
  }
}

function resourceOf(object: KubernetesObject): Resource {
  const kind = object.kind ?? '';
  // Regular English plurals cover every kind that is installed here.
  const plural = kind
    .toLowerCase()
    .replace(/(s|x|ch)$/, '$1es')
    .replace(/y$/, 'ies')
    .concat(/(s|x|ch|y)$/i.test(kind) ? '' : 's');
  return defineResource(
    kind,
    plural,
    object.apiVersion ?? 'v1',
    CLUSTER_SCOPED.has(kind) ? 'Cluster' : 'Namespaced',
  );
}
