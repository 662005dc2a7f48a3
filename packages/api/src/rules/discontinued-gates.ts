/** Feature gates whose feature is gone: naming one and still using the feature is refused. */
import type { ClusterConfig } from '../config/cluster-config.ts';
import type { Interface, VMISpec } from '../types/index.ts';
import { type Cause, notSupported, when } from './rule.ts';

interface DiscontinuedGate {
  readonly isUsed: (nic: Interface) => boolean;
  readonly message: string;
}

const GATES: ReadonlyMap<string, DiscontinuedGate> = new Map([
  [
    'Passt',
    {
      isUsed: (nic: Interface) => nic.passt !== undefined,
      message:
        'Passt network binding is discontinued since v1.3. Please refer to Kubevirt user guide for alternatives.',
    },
  ],
  [
    'Macvtap',
    {
      isUsed: (nic: Interface) => nic.macvtap !== undefined,
      message:
        'Macvtap network binding is discontinued since v1.3. Please refer to Kubevirt user guide for alternatives.',
    },
  ],
]);

/** Causes against a spec that is created while the cluster names such gates. They blame no field. */
export function discontinuedGateCauses(spec: VMISpec, { namedGates }: ClusterConfig): readonly Cause[] {
  const interfaces = spec.domain.devices.interfaces ?? [];
  return namedGates.flatMap((name) => {
    const gate = GATES.get(name);
    return when(gate && interfaces.some(gate.isUsed), () => notSupported('', gate?.message ?? ''));
  });
}
