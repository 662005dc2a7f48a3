/** A VMI that names no network gets the Pod's. */
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Draft } from '../../draft.ts';
import type { Interface, VMISpec } from '../../types/index.ts';
import { DefaultsError } from '../context.ts';

export function defaultNetwork(spec: Draft<VMISpec>, config: ClusterConfig): void {
  const { devices } = spec.domain;
  if (devices.autoattachPodInterface === false) return;
  if ((spec.networks?.length ?? 0) > 0 || (devices.interfaces?.length ?? 0) > 0) return;
  const binding = bindingOf(config);
  if (binding) devices.interfaces = [{ name: 'default', ...binding }];
  spec.networks = [{ name: 'default', pod: {} }];
}

/** A binding that has no default interface leaves the choice, and the refusal, to the rules. */
function bindingOf(config: ClusterConfig): Pick<Interface, 'bridge' | 'masquerade'> | undefined {
  switch (config.defaultNetworkInterface) {
    case 'masquerade':
      return { masquerade: {} };
    case 'slirp':
      throw new DefaultsError('slirp interface is deprecated as of v1.3', 400);
    case 'bridge':
      if (!config.permitBridgeInterfaceOnPodNetwork)
        throw new DefaultsError('bridge interface is not enabled in kubevirt-config', 400);
      return { bridge: {} };
    default:
      return undefined;
  }
}
