/** The validating webhook of a VM. */
import { deepEqual } from '@podvisor/base';
import type { ClusterConfig } from '../config/cluster-config.ts';
import { DefaultsError } from '../defaults/context.ts';
import { defaultVmiSpec } from '../defaults/vmi/index.ts';
import type { VirtualMachine, VirtualMachineInstance, VMISpec, VMSpec } from '../types/index.ts';
import { templateSpec } from '../template-spec.ts';
import { type Admission, admissionOf, refusal } from './admission.ts';
import { discontinuedGateCauses } from './discontinued-gates.ts';
import { type Cause, required, runRules } from './rule.ts';
import { dataVolumeNamespaceRule, dataVolumeTemplateRules } from './vm/data-volume-templates.ts';
import { inProgressCauses } from './vm/in-progress.ts';
import { liveUpdateRules } from './vm/live-update.ts';
import { pluggedSpecProblems } from './vm/plugged-spec.ts';
import { runStrategyRules } from './vm/run-strategy.ts';
import { volumeRequestProblem } from './vm/volume-requests.ts';
import { discontinuedBindingRule } from './vmi/networks/bindings.ts';
import { graceAnnotationCauses } from './vmi/grace-io.ts';
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
  /** Where the VM is written to, for one that does not say it itself. */
  readonly namespace?: string;
  /** The request comes from one of our own components; not unless told. */
  readonly isKubeVirtServiceAccount?: boolean;
}

/** Whether a VM may be created. Expects the object as the defaults left it. */
export function validateVmCreate(vm: VirtualMachine, context: VmValidationContext): Admission {
  if (vm.metadata?.deletionTimestamp) return admissionOf([]);
  return firstRefusal(
    validateVmSpec(vm, true, context),
    () => namespaceCauses(vm, context),
    () => requestCauses(vm, context),
  );
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
    validateVmSpec(vm, false, context),
    () => (isChanged ? namespaceCauses(vm, context) : []),
    () => inProgressCauses(vm, old),
    () => requestCauses(vm, context),
  );
}

/**
 * Whether the status of a VM may be written: its requests to plug volumes make sense, and a snapshot or restore
 * that is under way is not disturbed.
 */
export function validateVmStatus(
  vm: VirtualMachine,
  context: Pick<VmValidationContext, 'config' | 'vmi'>,
  old?: VirtualMachine,
): Admission {
  const requests = requestCauses(vm, context);
  if (requests.length > 0 || old === undefined) return admissionOf(requests);
  return admissionOf(inProgressCauses(vm, old));
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

function namespaceCauses(vm: VirtualMachine, { config, namespace }: VmValidationContext): readonly Cause[] {
  const placed = { ...vm, metadata: { namespace, ...vm.metadata } };
  return dataVolumeNamespaceRule.check(placed, { config, path: 'spec' });
}

function requestCauses(
  vm: VirtualMachine,
  { config, vmi }: Pick<VmValidationContext, 'config' | 'vmi'>,
): readonly Cause[] {
  const problem = volumeRequestProblem(vm, vmi);
  return problem ? [problem] : pluggedSpecProblems(vm, vmi, config);
}

/** The spec as a VMI would start from it, and what speaks against it. */
function validateVmSpec(vm: VirtualMachine, isNew: boolean, context: VmValidationContext): Admission {
  const { config, expandedSpec } = context;
  const template = templateSpec(vm.spec.template);
  if (!template) return admissionOf([required('spec.template', 'missing virtual machine template.')]);
  const spec = completed(expandedSpec ?? template, config);
  if (spec instanceof DefaultsError) return refusal(spec.message, spec.code);
  // A new VM that uses what is gone hears of nothing else, and under the path of a VMI.
  const gone = isNew
    ? [
        () => discontinuedGateCauses(template, config),
        () => discontinuedBindingRule.check(spec, { config, path: 'spec' }),
      ]
    : [];
  for (const step of gone) {
    const causes = step();
    if (causes.length > 0) return admissionOf(causes);
  }
  const whole = { ...vm.spec, template: { ...vm.spec.template, spec } };
  return admissionOf(
    vmSpecCauses(whole, 'spec', {
      config,
      isKubeVirtServiceAccount: context.isKubeVirtServiceAccount ?? false,
    }),
    vm.spec.running === undefined ? [] : ['spec.running is deprecated, please use spec.runStrategy instead.'],
  );
}

/** What speaks against the spec of a VM at `path` (also inside a pool), taken as it stands. */
export function vmSpecCauses(
  vmSpec: VMSpec,
  path: string,
  { config, isKubeVirtServiceAccount }: { config: ClusterConfig; isKubeVirtServiceAccount: boolean },
): readonly Cause[] {
  const metadata = vmSpec.template?.metadata ?? {};
  const spec = templateSpec(vmSpec.template);
  if (!spec) return [required(`${path}.template`, 'missing virtual machine template.')];
  const inner = { config, path: `${path}.template.spec` };
  const own = { config, path: `${path}.template.metadata`, isKubeVirtServiceAccount };
  return [
    ...labelRule.check(metadata, own),
    ...runRules(annotationRules, metadata, own),
    ...graceAnnotationCauses(metadata, spec, config, own.path),
    ...runRules(vmiSpecRules, spec, inner),
    ...runRules(dataVolumeTemplateRules, vmSpec, { config, path }),
    ...runRules(runStrategyRules, vmSpec, { config, path }),
    ...runRules(liveUpdateRules, spec, inner),
  ];
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
