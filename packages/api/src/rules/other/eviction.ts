/**
 * Eviction of Pods: a launcher is not evicted but its guest is moved. The refusal is 429, so that a drain
 * asks again until the Pod is gone.
 */
import type { ClusterConfig } from '../../config/cluster-config.ts';
import { labels, vmiConditions } from '../../names.ts';
import type { Pod, VirtualMachineInstance } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';

export interface EvictionContext {
  readonly config: ClusterConfig;
  /** The Pod of the request; undefined when it does not exist. */
  readonly pod: Pod | undefined;
  /** The VMI that the Pod runs, or whose volumes it holds; undefined when it does not exist. */
  readonly vmi: VirtualMachineInstance | undefined;
}

export interface EvictionDecision {
  readonly admission: Admission;
  /** The node from which the guest is to be moved: to be written to `status.evacuationNodeName`. */
  readonly evacuateFrom?: string;
}

/** What happens to a request to evict a Pod. */
export function decideEviction({ config, pod, vmi }: EvictionContext): EvictionDecision {
  const app = pod?.metadata.labels?.[labels.app];
  if (!pod || !vmi || (app !== 'virt-launcher' && app !== 'hotplug-disk')) return allow();
  const name = `${vmi.metadata?.namespace ?? ''}/${vmi.metadata?.name ?? ''}`;
  if (app === 'hotplug-disk')
    return deny(
      `cannot evict hotplug pod: ${pod.metadata.name} associated with running vmi: ${vmi.metadata?.name} with namespace ${vmi.metadata?.namespace}`,
    );
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return allow();
  const strategy = vmi.spec.evictionStrategy ?? config.evictionStrategy;
  const canMove = isMigratable(vmi);
  if (strategy === 'None' || (strategy === 'LiveMigrateIfPossible' && !canMove)) return allow();
  if (strategy === 'LiveMigrate' && !canMove)
    return deny(
      `VMI ${vmi.metadata?.name} is configured with an eviction strategy but is not live-migratable`,
    );
  const triggered = `Eviction triggered evacuation of VMI ${JSON.stringify(name)}`;
  if (vmi.status?.evacuationNodeName) return deny(`Evacuation in progress: ${triggered}`);
  const node = vmi.status?.nodeName ?? '';
  if (node !== (pod.spec.nodeName ?? '')) return deny('Eviction request for target Pod');
  return { ...deny(triggered), evacuateFrom: node };
}

function isMigratable(vmi: VirtualMachineInstance): boolean {
  return (vmi.status?.conditions ?? []).some(
    ({ status, type }) => type === vmiConditions.liveMigratable && status === 'True',
  );
}

function allow(): EvictionDecision {
  return { admission: admissionOf([]) };
}

function deny(message: string): EvictionDecision {
  return { admission: refusal(message, 429) };
}
