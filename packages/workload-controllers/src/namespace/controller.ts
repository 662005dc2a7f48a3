/**
 * Empties and finalizes namespaces that are being deleted. What is left is asked of the server, never of a
 * cache: a namespace goes only when every served resource answered that it holds nothing there.
 */
import type { KubernetesObject, Namespace } from '@podvisor/api';
import { isStatus, messageOf } from '@podvisor/base';
import {
  resourceIdOf,
  type Informer,
  keyOf,
  type KubeClient,
  type Resource,
  resources,
  splitKey,
  type TableController,
  type Wake,
  ignoreNotFound,
} from '@podvisor/kube';
import type { ControllerOptions } from '../controller-options.ts';
import { discover } from '../discovery.ts';
import type { ServedResources } from '../served-resources.ts';
import { deletionConditions, FINALIZER, type Remaining } from './reconcile.ts';

export interface NamespaceControllerOptions extends ControllerOptions {
  readonly namespaces: Informer<Namespace>;
  readonly served: ServedResources;
}

/** Deletions are told by watches; this is for objects that appear between our look and the end of their creation. */
const LOOK_AGAIN_MS = 5000;

export function namespaceController(options: NamespaceControllerOptions): TableController {
  const { namespaces, served } = options;
  const connect = (wake: Wake): void => {
    const add = (namespace: Namespace): void => {
      if (namespace.metadata?.deletionTimestamp !== undefined) wake(keyOf(namespace));
    };
    namespaces.on({ add, update: add });
    served.onResource((_resource, informer) => {
      informer.on({
        delete: (object) => {
          const namespace = namespaces.get(object.metadata?.namespace ?? '');
          if (namespace !== undefined) add(namespace);
        },
      });
    });
  };
  const reconcile = (name: string, end: AbortSignal): Promise<{ requeueAfterMs: number } | void> =>
    finalize(options, name, end);
  return { name: 'namespace', workers: 4, connect, reconcile };
}

async function finalize(
  options: NamespaceControllerOptions,
  name: string,
  signal: AbortSignal,
): Promise<{ requeueAfterMs: number } | void> {
  const { client, namespaces, clock, log } = options;
  const namespace = namespaces.get(name);
  if (namespace?.metadata?.deletionTimestamp === undefined) return;
  if (namespace.spec?.finalizers?.includes(FINALIZER) !== true) return;
  const { resources: served, unanswered } = await discover(client, log, options.served.emptyGroups(), signal);
  const failures: string[] = [];
  const remaining: Remaining[] = [];
  for (const resource of served.filter(({ namespaced }) => namespaced)) {
    try {
      remaining.push(await empty(client, resource, name, signal));
    } catch (error) {
      failures.push(`${resourceIdOf(resource)}: ${messageOf(error)}`);
    }
  }
  if (failures.length === 0 && unanswered.length === 0 && remaining.every(({ count }) => count === 0)) {
    await release(client, namespace, signal);
    return;
  }
  const conditions = deletionConditions(namespace, remaining, failures, unanswered, clock.now());
  if (conditions !== undefined) {
    await client.patch(
      resources.namespaces,
      { name },
      { type: 'merge', body: { status: { conditions } }, subresource: 'status' },
      signal,
    );
  }
  return { requeueAfterMs: LOOK_AGAIN_MS };
}

/** Deletes what is there and counts what stays. */
async function empty(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  signal: AbortSignal,
): Promise<Remaining> {
  let items = await listed(client, resource, namespace, signal);
  const living = items.filter((item) => item.metadata?.deletionTimestamp === undefined);
  for (const item of living) await remove(client, resource, item, signal);
  if (living.length > 0) items = await listed(client, resource, namespace, signal);
  const finalizers: Record<string, number> = {};
  for (const item of items)
    for (const name of item.metadata?.finalizers ?? []) finalizers[name] = (finalizers[name] ?? 0) + 1;
  return { resource: `${resource.plural}.${resource.group}`, count: items.length, finalizers };
}

/** What is there of a kind; nothing of one that is no longer served: its definition went before its objects were asked for. */
async function listed(
  client: KubeClient,
  resource: Resource,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly KubernetesObject[]> {
  try {
    return (await client.list(resource, { namespace }, signal)).items;
  } catch (error) {
    if (isStatus(error, 'NotFound')) return [];
    throw error;
  }
}

async function remove(
  client: KubeClient,
  resource: Resource,
  item: KubernetesObject,
  signal: AbortSignal,
): Promise<void> {
  try {
    const options = { propagationPolicy: 'Background', preconditions: { uid: item.metadata?.uid } } as const;
    await client.delete(resource, splitKey(keyOf(item)), options, signal);
  } catch (error) {
    // Gone in the meantime, or replaced by a new object, which the next look finds.
    if (!isStatus(error, 'NotFound') && !isStatus(error, 'Conflict')) throw error;
  }
}

async function release(client: KubeClient, namespace: Namespace, signal: AbortSignal): Promise<void> {
  const finalizers = (namespace.spec?.finalizers ?? []).filter((name) => name !== FINALIZER);
  const object = { ...namespace, spec: { ...namespace.spec, finalizers } };
  // Gone when another finalizer was the last one.
  await ignoreNotFound(client.update(resources.namespaces, object, { subresource: 'finalize' }, signal));
}
