/** What a device plugin offers under one resource name. */
import type { devicePluginProto } from '@podvisor/api';

export interface Offer {
  /** Resource name, e.g. `devices.kubevirt.io/tun`. */
  readonly name: string;
  /** Name of the plugin's socket in the kubelet's directory. */
  readonly socketName: string;
  /** All devices, with their health as of now. */
  devices(): readonly devicePluginProto.Device[];
  /** What a container gets that was given these devices. Throws when one of them is not offered any more. */
  allocate(ids: readonly string[]): devicePluginProto.ContainerAllocateResponse;
  /** Calls back whenever `devices` may answer differently, until the handle is disposed. */
  follow(onChange: () => void): Disposable;
}
