/**
 * Keeps EndpointSlices and Endpoints of Services with a selector. The launcher Pod of a VM is a Pod like any
 * other, so a Service selects VMs by their labels. Endpoints of a Service without a selector are left to whoever
 * made them, and mirrored to slices.
 */
import { type Endpoints, type EndpointSlice, matchesSelector, type Pod, type Service } from '@podvisor/api';
import { deepEqual, isStatus } from '@podvisor/base';
import {
  controller,
  type Informer,
  type KubeClient,
  keyOf,
  splitKey,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import { SERVICE_NAME, serviceResources } from '@podvisor/service-network';
import type { ControllerOptions } from '../controller-options.ts';
import { MIRROR_MANAGER } from './mirror.ts';
import { type EndpointsObservation, type EndpointsPlan, isSelecting, planEndpoints } from './plan.ts';
import { MANAGER } from './reconcile.ts';

export interface EndpointsControllerOptions extends ControllerOptions {
  readonly services: Informer<Service>;
  readonly slices: Informer<EndpointSlice>;
  readonly endpoints: Informer<Endpoints>;
  readonly pods: Informer<Pod>;
}

export function endpointsController(options: EndpointsControllerOptions): TableController {
  const { client, services, slices, endpoints, pods } = options;
  const observe = (key: string): EndpointsObservation => {
    const { namespace = '', name } = splitKey(key);
    const service = services.get(key);
    const selector = { matchLabels: service?.spec?.selector };
    return {
      service,
      slices: slices
        .byIndex('namespace', namespace)
        .filter(({ metadata }) => metadata.labels?.[SERVICE_NAME] === name && isOurs(metadata.labels)),
      endpoints: endpoints.get(key),
      selected:
        service !== undefined && isSelecting(service)
          ? pods
              .byIndex('namespace', namespace)
              .filter(({ metadata }) => matchesSelector(selector, metadata.labels))
          : [],
    };
  };
  const apply = async (
    plan: EndpointsPlan,
    _: EndpointsObservation,
    signal: AbortSignal,
  ): Promise<undefined> => {
    for (const slice of plan.slices.create)
      await ifNew(() => client.create(serviceResources.endpointSlices, slice, {}, signal));
    for (const slice of plan.slices.update)
      await client.update(serviceResources.endpointSlices, slice, {}, signal);
    for (const slice of plan.slices.delete)
      await remove(() => client.delete(serviceResources.endpointSlices, keyObject(slice), {}, signal));
    await applyEndpoints(client, plan.endpoints, signal);
  };
  return controller({
    name: 'endpoints',
    wakes: [(wake) => listen(options, wake)],
    steps: { observe, plan: planEndpoints, apply },
  });
}

async function applyEndpoints(
  client: KubeClient,
  change: EndpointsPlan['endpoints'],
  signal: AbortSignal,
): Promise<void> {
  if (change.kind === 'none') return;
  const { kind, object } = change;
  if (kind === 'create') await ifNew(() => client.create(serviceResources.endpoints, object, {}, signal));
  else if (kind === 'update') await client.update(serviceResources.endpoints, object, {}, signal);
  else await remove(() => client.delete(serviceResources.endpoints, keyObject(object), {}, signal));
}

function listen({ services, slices, endpoints, pods }: EndpointsControllerOptions, wake: Wake): void {
  const look = (service: Service): void => wake(keyOf(service));
  services.on({ add: look, update: look, delete: look });
  const wakeFor = (pod: Pod): void => {
    for (const service of services.byIndex('namespace', pod.metadata.namespace ?? ''))
      if (
        isSelecting(service) &&
        matchesSelector({ matchLabels: service.spec?.selector }, pod.metadata.labels)
      )
        look(service);
  };
  pods.on({
    add: wakeFor,
    update: (pod, old) => {
      if (!isNews(pod, old)) return;
      wakeFor(pod);
      if (!deepEqual(pod.metadata.labels, old.metadata.labels)) wakeFor(old);
    },
    delete: wakeFor,
  });
  // What others change or delete of ours is put right.
  const repair = ({ metadata }: EndpointSlice): void => {
    if (isOurs(metadata.labels)) wake(`${metadata.namespace}/${metadata.labels?.[SERVICE_NAME]}`);
  };
  slices.on({ add: repair, update: repair, delete: repair });
  const repairOld = (object: Endpoints): void => wake(keyOf(object));
  endpoints.on({ add: repairOld, update: repairOld, delete: repairOld });
}

/** Status changes of a Pod that an endpoint shows; most others are none of our business. */
function isNews(pod: Pod, old: Pod): boolean {
  const shown = ({ metadata, status, spec }: Pod): unknown => [
    metadata.labels,
    metadata.deletionTimestamp !== undefined,
    status?.podIP,
    status?.phase,
    status?.conditions?.find(({ type }) => type === 'Ready')?.status,
    spec.nodeName,
  ];
  return !deepEqual(shown(pod), shown(old));
}

function isOurs(labels: Readonly<Record<string, string>> | undefined): boolean {
  const manager = labels?.['endpointslice.kubernetes.io/managed-by'];
  return manager === MANAGER || manager === MIRROR_MANAGER;
}

function keyObject({ metadata: { namespace, name = '' } }: EndpointSlice | Endpoints): {
  namespace?: string;
  name: string;
} {
  return { namespace, name };
}

async function remove(call: () => Promise<void>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!isStatus(error, 'NotFound')) throw error;
  }
}

/** The cache may be behind our own creation, and a namespace that ends takes nothing new. */
async function ifNew(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!isStatus(error, 'AlreadyExists') && !isStatus(error, 'Forbidden') && !isStatus(error, 'NotFound'))
      throw error;
  }
}
