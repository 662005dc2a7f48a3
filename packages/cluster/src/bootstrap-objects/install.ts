/**
 * Puts the bootstrap objects into the API server: what is missing is created, what differs in a field that
 * we set is patched back, the rest is left alone. The KubeVirt object is only ever created, because its
 * configuration is the user's; it gets annotations of ours that it never had. Unchanged objects cost one read and no write.
 */
import type { KubernetesObject } from '@podvisor/api';
import { type Clock, isStatus, sleep } from '@podvisor/base';
import type { KubeClient } from '@podvisor/kube';
import { differs, type Manifest, resourceOf } from '@podvisor/virt-operator';

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
  return writes;
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
