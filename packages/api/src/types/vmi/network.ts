import type { EmptyObject, Int, Int32 } from '../kubernetes/meta.ts';

/** A network interface; its network has the same name, and exactly one binding is set. */
export interface Interface {
  /** Number by which the guest names the interface. */
  readonly acpiIndex?: Int;
  /** A binding plugin. */
  readonly binding?: PluginBinding;
  /** Place in the order of boot devices, from 1; unique over disks and interfaces. */
  readonly bootOrder?: Int;
  /** Bridges the guest to the network; it takes over the Pod's address. */
  readonly bridge?: EmptyObject;
  /** Further DHCP options for the guest. */
  readonly dhcpOptions?: DHCPOptions;
  /** MAC address; chosen when unset. */
  readonly macAddress?: string;
  /** No longer supported. */
  readonly macvtap?: EmptyObject;
  /** Hides the guest behind the Pod's address. */
  readonly masquerade?: EmptyObject;
  /** virtio (default), e1000, e1000e, igb, ne2k_pci, pcnet or rtl8139. */
  readonly model?: string;
  /** Name of the interface and of its network. */
  readonly name: string;
  /** No longer supported; see passtBinding. */
  readonly passt?: EmptyObject;
  /** Connects the guest through passt, without privileges. */
  readonly passtBinding?: EmptyObject;
  /** PCI address, such as 0000:81:01.0. */
  readonly pciAddress?: string;
  /**
   * Ranges of ports that reach the guest, with masquerade.
   * @listType atomic
   */
  readonly portRanges?: readonly PortRange[];
  /** Ports that reach the guest, with masquerade; all when unset. */
  readonly ports?: readonly Port[];
  /** No longer supported. */
  readonly slirp?: EmptyObject;
  /** Hands a virtual function of the node's card to the guest. */
  readonly sriov?: EmptyObject;
  /** Link state: up, down, or absent to unplug the interface. */
  readonly state?: string;
  /** Tag that the guest reads through cloud-init. */
  readonly tag?: string;
}

/** Names a binding plugin of the cluster. */
export interface PluginBinding {
  /** Name of the plugin. */
  readonly name: string;
}

/** Further DHCP options for the guest. */
export interface DHCPOptions {
  /** Boot file (option 67). */
  readonly bootFileName?: string;
  /** NTP servers (option 42), IPv4 addresses. */
  readonly ntpServers?: readonly string[];
  /** Options of your own. */
  readonly privateOptions?: readonly DHCPPrivateOption[];
  /** TFTP server (option 66). */
  readonly tftpServerName?: string;
}

/** A DHCP option of your own. */
export interface DHCPPrivateOption {
  /** Number from 224 to 254. */
  readonly option: Int;
  /** Its value. */
  readonly value: string;
}

/** A range of ports that reach the guest. */
export interface PortRange {
  /** Last port. */
  readonly end: Int32;
  /** TCP or UDP. */
  readonly protocol: string;
  /** First port. */
  readonly start: Int32;
}

/** A port that reaches the guest. */
export interface Port {
  /** Name of the port. */
  readonly name?: string;
  /** Number from 1 to 65535. */
  readonly port: Int32;
  /** TCP (default) or UDP. */
  readonly protocol?: string;
}

/** A network; exactly one source is set. */
export interface Network {
  /** A network of a NetworkAttachmentDefinition. */
  readonly multus?: MultusNetwork;
  /** Name of the network, by which an interface refers to it. */
  readonly name: string;
  /** The network of the Pod. */
  readonly pod?: PodNetwork;
  /** A network device from a resource claim. */
  readonly resourceClaim?: ResourceClaimNetworkSource;
}

/** A network of a NetworkAttachmentDefinition. */
export interface MultusNetwork {
  /** Replaces the Pod network. */
  readonly default?: boolean;
  /** The NetworkAttachmentDefinition, as name or namespace/name. */
  readonly networkName: string;
}

/** The network of the Pod. */
export interface PodNetwork {
  /** IPv6 range inside the Pod, for masquerade. */
  readonly vmIPv6NetworkCIDR?: string;
  /** IPv4 range inside the Pod, for masquerade. */
  readonly vmNetworkCIDR?: string;
}

/** A network device from a resource claim. */
export interface ResourceClaimNetworkSource {
  /** Resource claim of the spec. */
  readonly claimName?: string;
  /** Request in the claim. */
  readonly requestName?: string;
}
