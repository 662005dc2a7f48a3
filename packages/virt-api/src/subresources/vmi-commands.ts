/** Commands about a running guest: pause, unpause, freeze, unfreeze, softreboot, reset, evacuate/cancel. Pure. */
import type { VirtualMachineInstance } from '@podvisor/api';
import { type JsonPatchOperation, stillHas } from '@podvisor/kube';
import { isDryRun, optionsOf, stringOption } from './body.ts';
import {
  badRequest,
  conflict,
  type Decider,
  type Decision,
  forbidden,
  optional,
  required,
  type StoredState,
  type SubresourceRequest,
  VM_KIND,
  VMI_KIND,
} from './decision.ts';
import { hasCondition, hasTrueCondition, isRunning, noLauncher, vmiOfVm } from './vm-state.ts';

const VM_NOT_RUNNING = 'VM is not running';
const VMI_NOT_RUNNING = 'VMI is not running';

function command(
  vmi: VirtualMachineInstance,
  path: string,
  more: Partial<Extract<Decision, { kind: 'handler' }>> = {},
): Decision {
  return { kind: 'handler', method: 'PUT', vmi, path, dryRun: false, ...more };
}

export const pauseVmi: Decider = ({ name, body }, state) => {
  const dryRun = isDryRun(optionsOf(body));
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, VM_NOT_RUNNING);
  // A paused guest does not answer: the kubelet would kill it. The agent's ping knows about pauses.
  if (vmi.spec.livenessProbe !== undefined && vmi.spec.livenessProbe.guestAgentPing === undefined) {
    throw forbidden(VMI_KIND, name, 'Pausing VMIs with a non-GuestAgentPing LivenessProbe is not supported');
  }
  if (hasCondition(vmi, 'Paused')) throw conflict(VMI_KIND, name, 'VMI is already paused');
  return command(vmi, 'pause', { dryRun });
};

export const unpauseVmi: Decider = ({ name, body }, state) => {
  const vm = optional(state.vm, VM_KIND, name);
  if (vm?.status?.snapshotInProgress !== undefined)
    throw conflict(VM_KIND, name, 'VM snapshot is in progress');
  const dryRun = isDryRun(optionsOf(body));
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, VMI_NOT_RUNNING);
  if (!hasCondition(vmi, 'Paused')) throw conflict(VMI_KIND, name, 'VMI is not paused');
  return command(vmi, 'unpause', { dryRun });
};

export const freezeVmi: Decider = ({ name, body }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, VM_NOT_RUNNING);
  // virt-handler reads the timeout, and refuses when there is none.
  return command(vmi, 'freeze', { body: optionsOf(body) });
};

export const unfreezeVmi: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, VMI_NOT_RUNNING);
  return command(vmi, 'unfreeze');
};

export const softRebootVmi: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  if (!isRunning(vmi)) throw conflict(VMI_KIND, name, VM_NOT_RUNNING);
  if (hasTrueCondition(vmi, 'Paused')) throw conflict(VMI_KIND, name, 'VMI is paused');
  const acpiOff = vmi.spec.domain.features?.acpi?.enabled === false;
  if (acpiOff && !hasCondition(vmi, 'AgentConnected')) {
    throw conflict(VMI_KIND, name, 'VMI neither have the agent connected nor the ACPI feature enabled');
  }
  return command(vmi, 'softreboot');
};

/** A guest that is just being started may be reset too: its node knows. */
export const resetVmi: Decider = ({ name }, state) => {
  const vmi = required(state.vmi, VMI_KIND, name);
  const phase = vmi.status?.phase ?? '';
  if (isRunning(vmi)) return command(vmi, 'reset');
  const failure = `Failed to reset non-running VMI with phase ${phase}`;
  if (phase !== 'Scheduled') throw badRequest(`${failure}: ${noLauncher(phase)}`);
  return command(vmi, 'reset', { failure });
};

/** Takes back the mark that an eviction left; without one there is nothing to do. */
export const cancelEvacuation: Decider = (request, state) =>
  withoutMark(required(state.vmi, VMI_KIND, request.name), request, state);

export const cancelVmEvacuation: Decider = (request, state) =>
  withoutMark(vmiOfVm(state, request.name), request, state);

function withoutMark(
  vmi: VirtualMachineInstance,
  { body }: SubresourceRequest,
  { config, node }: StoredState,
): Decision {
  const taint = node?.spec?.taints?.find(
    ({ effect, key }) => effect === 'NoSchedule' && key === config.migrations.nodeDrainTaintKey,
  );
  // Such a taint, the old way to empty a node, would leave the mark again.
  if (taint)
    throw badRequest(
      `Node ${JSON.stringify(node?.metadata.name ?? '')} has NodeDrainTaintKey "${taint.key}:NoSchedule"`,
    );
  if ((vmi.status?.evacuationNodeName ?? '') === '')
    return { kind: 'patch', code: 200, patches: [], dryRun: false };
  if (body === undefined || body === null) throw badRequest('No body');
  const options = optionsOf(body);
  const path = '/status/evacuationNodeName';
  // Whoever asks says which mark is meant: an older one must not be taken for a newer.
  const patch: readonly JsonPatchOperation[] = [
    stillHas(path, stringOption(options, 'evacuationNodeName') ?? ''),
    { op: 'remove', path },
  ];
  const call = { target: 'virtualmachineinstance', patch, failure: { kind: 'internal' } } as const;
  return { kind: 'patch', code: 200, patches: [call], dryRun: isDryRun(options) };
}
