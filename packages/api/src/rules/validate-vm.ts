/** The validating webhook of a VM. */
import { deepEqual } from '@podvisor/base';
import type { ClusterConfig } from '../config/cluster-config.ts';
import { DefaultsError } from '../defaults/context.ts';
import { defaultVmiSpec } from '../defaults/vmi/index.ts';
import type { VirtualMachine, VirtualMachineInstance, VMISpec, VMSpec } from '../types/index.ts';
import { type Admission, admissionOf, refusal } from './admission.ts';
import { type Cause, required, runRules } from './rule.ts';
import { dataVolumeNamespaceRule, dataVolumeTemplateRules } from './vm/data-volume-templates.ts';
import { inProgressCauses } from './vm/in-progress.ts';
import { liveUpdateRules } from './vm/live-update.ts';
import { pluggedSpecProblems } from './vm/plugged-spec.ts';
import { runStrategyRules } from './vm/run-strategy.ts';
import { volumeRequestProblem } from './vm/volume-requests.ts';
import { discontinuedBindingRule } from './vmi/bindings.ts';
import { vmiSpecRules } from './vmi/index.ts';
import { annotationRules, labelRule } from './vmi/metadata.ts';

export interface VmValidationContext {
  readonly config: ClusterConfig;
  /**
   * The template's spec after instance type and preference were applied; without it, the template's own.
   * Conflicts with the instance type are the caller's to report.
   */
  readonly expandedSpec?: VMISpec;
  /** The running instance, for requests to plug volumes. */
  readonly vmi?: VirtualMachineInstance;
  /** The request comes from one of our own components; not unless told. */
  readonly isKubeVirtServiceAccount?: boolean;
}

/** Whether a VM may be created. Expects the object as the defaults left it. */
export function validateVmCreate(vm: VirtualMachine, context: VmValidationContext): Admission {
  return firstRefusal(validateVmSpec(vm.spec, 'spec', context), () => namespaceCauses(vm, context));
}

/** Whether a VM may be changed. */
export function validateVmUpdate(
  vm: VirtualMachine,
  old: VirtualMachine,
  context: VmValidationContext,
): Admission {
  // Deletion always works: a VM that is going away may lose its finalizers whatever its spec says.
  if (vm.metadata?.deletionTimestamp) return admissionOf([]);
  const isChanged = !deepEqual(vm.spec.dataVolumeTemplates, old.spec.dataVolumeTemplates);
  return firstRefusal(
    validateVmSpec(vm.spec, 'spec', context),
    () => (isChanged ? namespaceCauses(vm, context) : []),
    () => inProgressCauses(vm, old),
    () => requestCauses(vm, context),
  );
}

/** Whether the status of a VM may be written: its requests to plug volumes make sense. */
export function validateVmStatus(
  vm: VirtualMachine,
  context: Pick<VmValidationContext, 'config' | 'vmi'>,
): Admission {
  return admissionOf(requestCauses(vm, context));
}

/** Each step is a matter of its own: who is refused by one hears nothing of those after it. */
function firstRefusal(spec: Admission, ...steps: readonly (() => readonly Cause[])[]): Admission {
  if (!spec.allowed) return spec;
  for (const step of steps) {
    const causes = step();
    if (causes.length > 0) return admissionOf(causes);
  }
  return spec;
}

function namespaceCauses(vm: VirtualMachine, { config }: VmValidationContext): readonly Cause[] {
  return dataVolumeNamespaceRule.check(vm, { config, path: 'spec' });
}

function requestCauses(
  vm: VirtualMachine,
  { config, vmi }: Pick<VmValidationContext, 'config' | 'vmi'>,
): readonly Cause[] {
  const problem = volumeRequestProblem(vm, vmi);
  return problem ? [problem] : pluggedSpecProblems(vm, vmi, config);
}

/** Whether the spec of a VM at `path` (also inside a pool) may stand; `extra` causes are added to its own. */
export function validateVmSpec(
  vmSpec: VMSpec,
  path: string,
  context: Omit<VmValidationContext, 'vmi'>,
  extra: readonly Cause[] = [],
): Admission {
  const { config } = context;
  const template = vmSpec.template?.spec;
  if (!template) return admissionOf([required(`${path}.template`, 'missing virtual machine template.')]);
  // A VM that uses a binding that is gone hears of nothing else, and under the path of a VMI.
  const discontinued = discontinuedBindingRule.check(template, { config, path: 'spec' });
  if (discontinued.length > 0) return admissionOf(discontinued);
  const spec = completed(context.expandedSpec ?? template, config);
  if (spec instanceof DefaultsError) return refusal(spec.message, spec.code);
  const inner = { config, path: `${path}.template.spec` };
  const metadata = {
    config,
    path: `${path}.template.metadata`,
    isKubeVirtServiceAccount: context.isKubeVirtServiceAccount ?? false,
  };
  return admissionOf(
    [
      ...labelRule.check(vmSpec.template.metadata ?? {}, metadata),
      ...runRules(annotationRules, vmSpec.template.metadata ?? {}, metadata),
      ...runRules(vmiSpecRules, spec, inner),
      ...runRules(liveUpdateRules, spec, inner),
      ...runRules(dataVolumeTemplateRules, vmSpec, { config, path }),
      ...extra,
      ...runRules(runStrategyRules, vmSpec, { config, path }),
    ],
    vmSpec.running === undefined ? [] : ['spec.running is deprecated, please use spec.runStrategy instead.'],
  );
}

/** The rules look at the spec that a VMI would start from, not at what the user left out. */
function completed(spec: VMISpec, config: ClusterConfig): VMISpec | DefaultsError {
  try {
    return defaultVmiSpec(spec, config);
  } catch (error) {
    if (error instanceof DefaultsError) return error;
    throw error;
  }
}
