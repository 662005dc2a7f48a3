/** Gives Services of type LoadBalancer their addresses, by writing them into the status; node agents do the rest. */
import type { Service } from '@podvisor/api';
import {
  controller,
  EventRecorder,
  type Indexers,
  type Informer,
  keyOf,
  type TableController,
  type Wake,
} from '@podvisor/kube';
import { type LoadBalancerRange, serviceResources } from '@podvisor/service-network';
import type { ControllerOptions } from '../controller-options.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { type AddressObservation, decideAddresses, type LoadBalancerDecision } from './reconcile.ts';

export interface LoadBalancerControllerOptions extends ControllerOptions {
  /** With `balancedIndexes`. */
  readonly services: Informer<Service>;
  readonly ranges: readonly LoadBalancerRange[];
}

/** Index of the Services that want an address or have one; all of them have this one value. */
const BALANCED = 'balanced';

function concerns({ spec, status }: Service): boolean {
  return spec?.type === 'LoadBalancer' || (status?.loadBalancer?.ingress ?? []).length > 0;
}

/** What the cache of Services needs, from before its first object. */
export const balancedIndexes: Indexers<Service> = {
  [BALANCED]: (service) => (concerns(service) ? [BALANCED] : []),
};

/** One worker: two Services are never given the same address. */
export function loadBalancerController(options: LoadBalancerControllerOptions): TableController {
  const { client, services, ranges, clock, log } = options;
  const events = new EventRecorder({ client, component: 'service-controller', clock, log });
  /** What was given and may not be in the cache yet, by UID. */
  const given = new Map<string, readonly string[]>();
  /** Those that had none to give: they are looked at when one becomes free. */
  const waiting = new Set<string>();
  let wakeKey: Wake = () => undefined;
  const wakes = (wake: Wake): void => {
    wakeKey = wake;
    const look = (service: Service): void => void (concerns(service) && wake(keyOf(service)));
    services.on({
      add: look,
      update: look,
      delete: (service) => {
        given.delete(service.metadata.uid ?? '');
        for (const key of waiting) wake(key);
      },
    });
  };
  const takenBeside = (uid: string): Set<string> =>
    new Set(
      services.byIndex(BALANCED, BALANCED).flatMap(({ metadata, status }) => {
        const other = metadata.uid ?? '';
        if (other === uid) return [];
        return [
          ...(status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip),
          ...(given.get(other) ?? []),
        ];
      }),
    );
  const observe = (key: string): AddressObservation | undefined => {
    const service = services.get(key);
    waiting.delete(key);
    return service === undefined
      ? undefined
      : { service, taken: takenBeside(service.metadata.uid ?? ''), ranges };
  };
  const apply = async (
    decision: LoadBalancerDecision,
    { service }: AddressObservation,
    signal: AbortSignal,
  ): Promise<undefined> => {
    if (decision.kind === 'leave') return;
    const key = keyOf(service);
    const addresses = decision.kind === 'set' ? decision.addresses : [];
    if (decision.kind === 'refuse') {
      waiting.add(key);
      events.event(
        { apiVersion: 'v1', kind: 'Service', ...service },
        'Warning',
        decision.reason,
        decision.message,
      );
    }
    given.set(service.metadata.uid ?? '', addresses);
    const loadBalancer =
      addresses.length === 0 ? {} : { ingress: addresses.map((ip) => ({ ip, ipMode: 'VIP' })) };
    const status = { ...service.status, loadBalancer };
    await writeStatus(client, serviceResources.services, service, status, signal);
    if (addresses.length === 0) for (const other of waiting) if (other !== key) wakeKey(other);
  };
  return controller({
    name: 'load-balancer',
    workers: 1,
    wakes: [wakes],
    steps: {
      observe,
      plan: ({ service, taken, ranges: all }) => decideAddresses(service, taken, all),
      apply,
    },
  });
}
