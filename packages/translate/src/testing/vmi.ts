/** Small VMIs and contexts for tests. */
import type { DomainSpec, VirtualMachineInstance, VMISpec } from '@podvisor/api';
import type { ConverterContext } from '../domain/context.ts';
import { convertVmiToDomain } from '../domain/convert.ts';
import type { Domain } from '../domain/model/domain.ts';

/** A VMI named `vm` with the given domain and spec. */
export function vmiOf(
  domain: Partial<DomainSpec> = {},
  spec: Partial<VMISpec> = {},
  metadata: VirtualMachineInstance['metadata'] = {},
): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: { name: 'vm', namespace: 'default', uid: 'uid-1', ...metadata },
    spec: { ...spec, domain: { devices: {}, ...domain } },
  };
}

/** A node with KVM and nothing special. */
export const plainContext: ConverterContext = { kvmAvailable: true, allowEmulation: false, interfaces: [] };

/** The domain of `vmiOf(domain, spec)` on a plain node. */
export function convertOf(
  domain: Partial<DomainSpec> = {},
  spec: Partial<VMISpec> = {},
  context: Partial<ConverterContext> = {},
): Domain {
  return convertVmiToDomain(vmiOf(domain, spec), { ...plainContext, ...context });
}
