/** Chooses the binding of an interface. */
import type { Interface } from '@podvisor/api';
import { assertNever } from '@podvisor/base';
import { type BindingPlan, type BindingSpec, BindingError, type Observed } from './binding.ts';
import { planBridge } from './bridge/plan.ts';
import { planMasquerade } from './masquerade/plan.ts';
import { planPasst } from './passt/plan.ts';
import { planTap } from './plugin/plan.ts';
import type { PodNic } from './pod-nic.ts';

/** `tap`: the plugin's CNI part made the device; `managedTap`: we make bridge and TAP, the guest does the rest. */
export type BindingKind = 'masquerade' | 'bridge' | 'passt' | 'tap' | 'managedTap';

/** Binding plugins of the cluster by name, as the KubeVirt object registers them. */
export type BindingPlugins = Readonly<Record<string, { readonly domainAttachmentType?: string }>>;

/** The binding that phase 1 sets up, or undefined when the interface needs nothing of it. */
export function bindingKind(spec: Interface, plugins: BindingPlugins = {}): BindingKind | undefined {
  if (spec.masquerade !== undefined) return 'masquerade';
  if (spec.bridge !== undefined) return 'bridge';
  if (spec.passtBinding !== undefined) return 'passt';
  // SR-IOV hands a device to the guest; there is nothing to build.
  if (spec.sriov !== undefined) return undefined;
  if (spec.binding !== undefined) return pluginKind(spec, spec.binding.name, plugins);
  const name = ['passt', 'slirp', 'macvtap'].find((k) => k in spec);
  throw new BindingError(
    name === undefined
      ? `interface ${spec.name} names no binding`
      : `interface ${spec.name} asks for the binding ${name}, which is gone since v1.3`,
  );
}

function pluginKind(spec: Interface, name: string, plugins: BindingPlugins): BindingKind | undefined {
  const plugin = plugins[name];
  if (plugin === undefined)
    throw new BindingError(
      `interface ${spec.name} asks for the binding plugin ${name}, which the KubeVirt object does not register`,
    );
  const type = plugin.domainAttachmentType;
  if (type === 'tap' || type === 'managedTap') return type;
  // Without an attachment of its own, the plugin's sidecar writes the interface into the domain.
  if (type === undefined || type === '') return undefined;
  throw new BindingError(`binding plugin ${name} has the unknown domainAttachmentType ${type}`);
}

/** Pure: what is missing in the Pod's namespace for one interface. */
export function planBinding(
  spec: BindingSpec,
  nic: PodNic,
  observed: Observed,
  plugins: BindingPlugins = {},
): BindingPlan {
  const kind = bindingKind(spec.interface, plugins);
  switch (kind) {
    case 'masquerade':
      return planMasquerade(spec, nic, observed);
    case 'bridge':
      return planBridge(spec, nic, observed);
    case 'passt':
      return planPasst(spec, nic);
    case 'tap':
      return planTap(spec, nic, observed);
    case 'managedTap':
      return planManagedTap(spec, nic, observed);
    case undefined:
      throw new BindingError(`interface ${spec.interface.name} needs nothing of phase 1`);
    default:
      return assertNever(kind);
  }
}

/** A bridge binding that leaves all addressing to the guest. */
function planManagedTap(spec: BindingSpec, nic: PodNic, observed: Observed): BindingPlan {
  const { actions, attachment } = planBridge(spec, nic, observed);
  const { dhcp: _, dhcp6: _6, routerAdvertisement: _ra, ...layer2 } = attachment;
  // Whoever gives the guest its address is somewhere on the network.
  return {
    actions: actions.filter(({ kind }) => kind !== 'nft'),
    attachment: { ...layer2, binding: 'plugin' },
  };
}
