/** A VMI that names no network gets the Pod's. */
import type { ClusterConfig } from '../../config/cluster-config.ts';
import type { Draft } from '../../draft.ts';
import type { Interface, VMISpec } from '../../types/index.ts';
import { DefaultsError } from '../context.ts';

export function defaultNetwork(spec: Draft<VMISpec>, config: ClusterConfig): void {
  const { devices } = spec.domain;
  if (devices.autoattachPodInterface === false) return;
  if ((spec.networks?.length ?? 0) > 0 || (devices.interfaces?.length ?? 0) > 0) return;
  devices.interfaces = [{ name: 'default', ...bindingOf(config) }];
  spec.networks = [{ name: 'default', pod: {} }];
}

function bindingOf(config: ClusterConfig): Pick<Interface, 'bridge' | 'masquerade'> {
  switch (config.defaultNetworkInterface) {
    case 'masquerade':
      return { masquerade: {} };
    case 'slirp':
      throw new DefaultsError('slirp interface is deprecated as of v1.3', 400);
    default:
      if (!config.permitBridgeInterfaceOnPodNetwork)
        throw new DefaultsError('Bridge interface is not enabled in kubevirt-config', 400);
      return { bridge: {} };
  }
}
