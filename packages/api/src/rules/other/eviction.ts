/**
 * Eviction of Pods: a launcher is not evicted but its guest is moved. The refusal is 429, so that a drain
 * asks again until the Pod is gone.
 */
import { isPodEnded } from '../../lifecycle/pod.ts';
import { controllerOfKind, ownerKinds } from '../../ownership.ts';
import type { ClusterConfig } from '../../config/cluster-config.ts';
import { labels, vmiConditions } from '../../names.ts';
import type { Pod, VirtualMachineInstance } from '../../types/index.ts';
import { type Admission, admissionOf, refusal } from '../admission.ts';

/** Strategies by which somebody moves the guest: we, or a controller outside. */
const MOVING_STRATEGIES = ['LiveMigrate', 'LiveMigrateIfPossible', 'External', 'HibernateIfNotMigratable'];

export interface EvictionContext {
  readonly config: ClusterConfig;
  /** The Pod of the request; undefined when it does not exist. */
  readonly pod: Pod | undefined;
  /** The VMI that the Pod runs, or whose volumes it holds; undefined when it does not exist. */
  readonly vmi: VirtualMachineInstance | undefined;
  /** Why the VMI that the Pod names is not at hand, as a sentence for whoever evicts. */
  readonly readProblem?: string;
}

export interface EvictionDecision {
  readonly admission: Admission;
  /** The node from which the guest is to be moved: to be written to `status.evacuationNodeName`. */
  readonly evacuateFrom?: string;
}

/** What happens to a request to evict a Pod. */
export function decideEviction({ config, pod, readProblem, vmi }: EvictionContext): EvictionDecision {
  const app = pod?.metadata.labels?.[labels.app];
  if (!pod || (app !== 'virt-launcher' && app !== 'hotplug-disk')) return allow();
  if (app === 'virt-launcher' && isPodEnded(pod)) return allow();
  // Whether a guest would be hurt is not known: whoever evicts asks again.
  if (readProblem !== undefined) return deny(readProblem);
  if (!vmi) return allow();
  const name = `${vmi.metadata?.namespace ?? ''}/${vmi.metadata?.name ?? ''}`;
  if (app === 'hotplug-disk')
    return deny(
      `cannot evict hotplug pod: ${pod.metadata.name} associated with running vmi: ${vmi.metadata?.name} in namespace ${vmi.metadata?.namespace}`,
    );
  const strategy = vmi.spec.evictionStrategy ?? config.evictionStrategy;
  const canMove = isMigratable(vmi);
  if (!MOVING_STRATEGIES.includes(strategy) || (strategy === 'LiveMigrateIfPossible' && !canMove))
    return allow();
  if (strategy === 'LiveMigrate' && !canMove)
    return deny(
      `VMI ${vmi.metadata?.name} is configured with an eviction strategy but is not live-migratable`,
    );
  if (strategy === 'HibernateIfNotMigratable' && !canMove && !isOfVm(vmi))
    return deny(
      `VMI ${vmi.metadata?.name} is not live-migratable, and only a VirtualMachine can be hibernated`,
    );
  const triggered = `Eviction triggered evacuation of VMI ${JSON.stringify(name)}`;
  if (vmi.status?.evacuationNodeName) return deny(`Evacuation in progress: ${triggered}`);
  const node = vmi.status?.nodeName ?? '';
  if (node !== (pod.spec.nodeName ?? '')) return deny('Eviction request for target Pod');
  return { ...deny(triggered), evacuateFrom: node };
}

/** There is somebody who remembers that it hibernates. */
function isOfVm(vmi: VirtualMachineInstance): boolean {
  return controllerOfKind(vmi, ownerKinds.vm) !== undefined;
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
