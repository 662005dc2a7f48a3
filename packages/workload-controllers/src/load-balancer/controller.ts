/** Gives Services of type LoadBalancer their addresses, by writing them into the status; node agents do the rest. */
import { EventRecorder, type Informer, keyOf, type TableController, type Wake } from '@podvisor/kube';
import { type LoadBalancerRange, type Service, serviceResources } from '@podvisor/service-network';
import type { ControllerOptions } from '../controller-options.ts';
import { writeStatus } from '../workloads/write-status.ts';
import { decideAddresses } from './reconcile.ts';

export interface LoadBalancerControllerOptions extends ControllerOptions {
  readonly services: Informer<Service>;
  readonly ranges: readonly LoadBalancerRange[];
}

/** One worker: two Services are never given the same address. */
export function loadBalancerController(options: LoadBalancerControllerOptions): TableController {
  const { client, services, ranges, clock, log } = options;
  const events = new EventRecorder({ client, component: 'service-controller', clock, log });
  /** What was given and may not be in the cache yet, by UID. */
  const given = new Map<string, readonly string[]>();
  /** Those that had none to give: they are looked at when one becomes free. */
  const waiting = new Set<string>();
  const concerns = ({ spec, status }: Service): boolean =>
    spec?.type === 'LoadBalancer' || (status?.loadBalancer?.ingress ?? []).length > 0;
  let wakeKey: Wake = () => undefined;
  const connect = (wake: Wake): void => {
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
      services.list().flatMap(({ metadata, status }) => {
        const other = metadata.uid ?? '';
        if (other === uid) return [];
        return [
          ...(status?.loadBalancer?.ingress ?? []).map(({ ip = '' }) => ip),
          ...(given.get(other) ?? []),
        ];
      }),
    );
  const reconcile = async (key: string, end: AbortSignal): Promise<undefined> => {
    const service = services.get(key);
    waiting.delete(key);
    if (service === undefined) return;
    const uid = service.metadata.uid ?? '';
    const decision = decideAddresses(service, takenBeside(uid), ranges);
    if (decision.kind === 'leave') return;
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
    given.set(uid, addresses);
    const loadBalancer =
      addresses.length === 0 ? {} : { ingress: addresses.map((ip) => ({ ip, ipMode: 'VIP' })) };
    await writeStatus(client, serviceResources.services, service, { ...service.status, loadBalancer }, end);
    if (addresses.length === 0) for (const other of waiting) if (other !== key) wakeKey(other);
  };
  return { name: 'load-balancer', workers: 1, connect, reconcile };
}
