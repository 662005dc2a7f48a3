/** Chooses the binding of an interface. */
import type { Interface } from '@podvisor/api';
import { type BindingPlan, type BindingSpec, BindingError, type Observed } from './binding.ts';
import { planBridge } from './bridge/plan.ts';
import { planMasquerade } from './masquerade/plan.ts';
import type { PodNic } from './pod-nic.ts';

export type BindingKind = 'masquerade' | 'bridge';

/** The binding that phase 1 sets up, or undefined when the interface needs nothing of it. */
export function bindingKind(spec: Interface): BindingKind | undefined {
  if (spec.masquerade !== undefined) return 'masquerade';
  if (spec.bridge !== undefined) return 'bridge';
  // SR-IOV hands a device to the guest; there is nothing to build.
  if (spec.sriov !== undefined) return undefined;
  const name = ['passtBinding', 'binding', 'passt', 'slirp', 'macvtap'].find((k) => k in spec);
  throw new BindingError(
    name === undefined
      ? `interface ${spec.name} names no binding`
      : `interface ${spec.name} asks for the binding ${name}, which is not available`,
  );
}

/** Pure: what is missing in the Pod's namespace for one interface. */
export function planBinding(spec: BindingSpec, nic: PodNic, observed: Observed): BindingPlan {
  return bindingKind(spec.interface) === 'bridge'
    ? planBridge(spec, nic, observed)
    : planMasquerade(spec, nic, observed);
}
