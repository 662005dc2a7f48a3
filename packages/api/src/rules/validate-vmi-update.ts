/** The validating webhook of a VMI that exists. */
import { deepEqual } from '@podvisor/base';
import { type ClusterConfig, isGateEnabled } from '../config/cluster-config.ts';
import { annotations, restrictedVmiLabels } from '../names.ts';
import { sameSpec } from '../same-meaning.ts';
import type { VirtualMachineInstance } from '../types/index.ts';
import { type Admission, admissionOf } from './admission.ts';
import { type Cause, invalid, notSupported, when } from './rule.ts';
import { stateRule } from './vmi/metadata.ts';
import { hotplugCauses } from './vmi/storage/hotplug.ts';

export interface VmiUpdateContext {
  readonly config: ClusterConfig;
  /** The request comes from one of our own components. */
  readonly isKubeVirtServiceAccount: boolean;
  /** Set when the request comes from a virt-handler: the node in its token, or '' when the token has none. */
  readonly handlerNode?: string;
}

/** Whether a VMI may be changed: its spec only by us, within what can be plugged; a handler only on its node. */
export function validateVmiUpdate(
  vmi: VirtualMachineInstance,
  old: VirtualMachineInstance,
  context: VmiUpdateContext,
): Admission {
  const restricted = nodeRestriction(vmi, old, context);
  if (restricted.length > 0) return admissionOf(restricted);
  if (!sameSpec('VirtualMachineInstance', vmi.spec, old.spec)) {
    if (!context.isKubeVirtServiceAccount)
      return admissionOf([notSupported('', 'update of VMI object is restricted')]);
    const causes = hotplugCauses(vmi, old, context.config);
    if (causes.length > 0) return admissionOf(causes);
  }
  const stateOf = (one: VirtualMachineInstance): string | undefined =>
    one.metadata?.annotations?.[annotations.hibernatedState];
  if (!context.isKubeVirtServiceAccount && stateOf(vmi) !== stateOf(old))
    return admissionOf(
      stateRule.check(
        { annotations: { [annotations.hibernatedState]: '' } },
        { ...context, path: 'metadata' },
      ),
    );
  const isRelabelled =
    !context.isKubeVirtServiceAccount && !deepEqual(reservedLabels(vmi), reservedLabels(old));
  return admissionOf(
    when(isRelabelled, () =>
      notSupported(
        '',
        'modification of the following reserved kubevirt.io/ labels on a VMI object is prohibited',
      ),
    ),
  );
}

/** A node that was taken over must not reach the guests of other nodes. */
function nodeRestriction(
  vmi: VirtualMachineInstance,
  old: VirtualMachineInstance,
  { config, handlerNode }: VmiUpdateContext,
): readonly Cause[] {
  if (handlerNode === undefined || !isGateEnabled(config, 'NodeRestriction')) return [];
  if (handlerNode === '')
    return [invalid('', 'Node restriction failed, virt-handler service account is missing node name')];
  const oldTarget = old.status?.migrationState?.targetNode;
  const isOwner = handlerNode === old.status?.nodeName || handlerNode === oldTarget;
  const setsTarget = !oldTarget && Boolean(vmi.status?.migrationState?.targetNode);
  return [
    ...when(!isOwner, () =>
      invalid('', 'Node restriction, virt-handler is only allowed to modify VMIs it owns'),
    ),
    ...when(isOwner && setsTarget, () =>
      invalid('', 'Node restriction, virt-handler is not allowed to set target node'),
    ),
  ];
}

function reservedLabels(vmi: VirtualMachineInstance): Record<string, string> {
  const all = Object.entries(vmi.metadata?.labels ?? {});
  return Object.fromEntries(all.filter(([key]) => restrictedVmiLabels.includes(key)));
}
