/**
 * Eviction of a launcher Pod (`kubectl drain`). The eviction strategy of its VMI decides. Live migration is
 * not built yet: a VMI that must not be stopped by an eviction is protected, with the reason, until
 * somebody stops it.
 */
import { labels, type Pod, type VirtualMachineInstance } from '@podvisor/api';
import type { Webhook } from './context.ts';
import type { AdmissionAnswer } from './review.ts';

const TOO_MANY_REQUESTS = 429;

/** The VMI that a Pod runs, by its managing owner; undefined for other Pods. */
export function vmiNameOf(pod: Pod): string | undefined {
  if (pod.metadata.labels?.[labels.app] !== 'virt-launcher') return undefined;
  const owner = pod.metadata.ownerReferences?.find((ref) => ref.controller === true);
  return owner?.kind === 'VirtualMachineInstance' ? owner.name : undefined;
}

/** The reason to refuse, or undefined when the Pod may go. */
export function evictionRefusal(vmi: VirtualMachineInstance | undefined, pod: Pod): string | undefined {
  if (vmi === undefined || vmi.metadata?.uid !== pod.metadata.labels?.[labels.createdBy]) return undefined;
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return undefined;
  const strategy = vmi.spec.evictionStrategy ?? 'None';
  const name = `${vmi.metadata?.namespace}/${vmi.metadata?.name}`;
  if (strategy === 'External') return `Evacuation in progress: eviction of VMI "${name}" is left to an external controller`;
  if (strategy !== 'LiveMigrate') return undefined;
  return `VMI ${vmi.metadata?.name} is configured with an eviction strategy but is not live-migratable: live migration is not available yet in this version`;
}

export const validateEviction: Webhook = async (request, context): Promise<AdmissionAnswer> => {
  const pod = await context.findPod(request.namespace, request.name);
  const vmiName = pod === undefined ? undefined : vmiNameOf(pod);
  const vmi = vmiName === undefined ? undefined : await context.findVmi(request.namespace, vmiName);
  const message = pod === undefined ? undefined : evictionRefusal(vmi, pod);
  return {
    kind: 'validated',
    allowed: message === undefined,
    causes: [],
    message: message ?? '',
    code: message === undefined ? 200 : TOO_MANY_REQUESTS,
    warnings: [],
  };
};
