/** How the Pod's network becomes the guest's: plans (pure), their execution, DHCP, and what is reported. */
export { applyActions, observeNetns } from './apply.ts';
export {
  type Action,
  BindingError,
  type BindingPlan,
  type BindingSpec,
  type GuestNetworkFacts,
  type Observed,
  QEMU_UID,
} from './binding.ts';
export { undoBridge } from './bridge/undo.ts';
export { undoMasquerade } from './masquerade/undo.ts';
export {
  movedInterfaceName,
  PRIMARY_POD_INTERFACE,
  podInterfaceName,
  tapName,
} from './names.ts';
export { type BindingKind, type BindingPlugins, bindingKind, planBinding } from './plan.ts';
export { describePodNic, type PodNic } from './pod-nic.ts';
export { guestSearchDomains, parseResolvConf, type ResolvConf } from './resolv-conf.ts';
export { DhcpServer, type DhcpServerOptions } from './dhcp/server.ts';
export { type InterfaceFacts, interfaceStatus } from './interface-status.ts';
export { Dhcp6Server, type Dhcp6ServerOptions } from './dhcp6/server.ts';
export { RouterAdvertiser, type RouterAdvertiserOptions } from './ra/advertiser.ts';
export { type AddressFacts, addressesThatChange } from './address-keeping.ts';
export { podNicsOf } from './network-status.ts';
export { takePicture } from './picture.ts';
