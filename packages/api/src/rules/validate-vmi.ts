/** The validating webhooks of a VMI. */
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { VirtualMachineInstance } from '../types/index.ts';
import { type Admission, admissionOf } from './admission.ts';
import { discontinuedGateCauses } from './discontinued-gates.ts';
import { runRules } from './rule.ts';
import { discontinuedBindingRule } from './vmi/networks/bindings.ts';
import { graceAnnotationCauses } from './vmi/grace-io.ts';
import { vmiFirstRules, vmiMachineRules, vmiSpecRules, vmiVolumeRules } from './vmi/index.ts';
import { annotationRules, labelRule, stateRule } from './vmi/metadata.ts';

export interface VmiValidationContext {
  readonly config: ClusterConfig;
  /** The request comes from one of our own components. */
  readonly isKubeVirtServiceAccount: boolean;
}

/** Whether a VMI may be created. Expects the object as the defaults left it. */
export function validateVmiCreate(vmi: VirtualMachineInstance, context: VmiValidationContext): Admission {
  const spec = { config: context.config, path: 'spec' };
  const metadata = { ...context, path: 'metadata' };
  const own = vmi.metadata ?? {};
  const specCauses = runRules(vmiSpecRules, vmi.spec, spec);
  return admissionOf([
    ...discontinuedGateCauses(vmi.spec, context.config),
    ...discontinuedBindingRule.check(vmi.spec, spec),
    ...(specCauses.length === 0 ? [] : runRules(vmiFirstRules, vmi.spec, spec)),
    ...specCauses,
    ...runRules(vmiVolumeRules, vmi.spec, spec),
    ...labelRule.check(own, metadata),
    ...stateRule.check(own, metadata),
    ...runRules(annotationRules, own, metadata),
    ...graceAnnotationCauses(own, vmi.spec, context.config, 'metadata'),
    ...runRules(vmiMachineRules, vmi.spec, spec),
  ]);
}
