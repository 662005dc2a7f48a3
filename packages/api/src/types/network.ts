import type { EmptyObject, Int, Int32 } from './meta.ts';

/** - */
export interface Interface {
  /** - */
  readonly acpiIndex?: Int;
  /** - */
  readonly binding?: PluginBinding;
  /** - */
  readonly bootOrder?: Int;
  /** - */
  readonly bridge?: EmptyObject;
  /** - */
  readonly dhcpOptions?: DHCPOptions;
  /** - */
  readonly macAddress?: string;
  /** - */
  readonly macvtap?: EmptyObject;
  /** - */
  readonly masquerade?: EmptyObject;
  /** - */
  readonly model?: string;
  /** - */
  readonly name: string;
  /** - */
  readonly passt?: EmptyObject;
  /** - */
  readonly passtBinding?: EmptyObject;
  /** - */
  readonly pciAddress?: string;
  /**
   * -
   * @listType atomic
   */
  readonly portRanges?: readonly PortRange[];
  /** - */
  readonly ports?: readonly Port[];
  /** - */
  readonly slirp?: EmptyObject;
  /** - */
  readonly sriov?: EmptyObject;
  /** - */
  readonly state?: string;
  /** - */
  readonly tag?: string;
}

/** - */
export interface PluginBinding {
  /** - */
  readonly name: string;
}

/** - */
export interface DHCPOptions {
  /** - */
  readonly bootFileName?: string;
  /** - */
  readonly ntpServers?: readonly string[];
  /** - */
  readonly privateOptions?: readonly DHCPPrivateOption[];
  /** - */
  readonly tftpServerName?: string;
}

/** - */
export interface DHCPPrivateOption {
  /** - */
  readonly option: Int;
  /** - */
  readonly value: string;
}

/** - */
export interface PortRange {
  /** - */
  readonly end: Int32;
  /** - */
  readonly protocol: string;
  /** - */
  readonly start: Int32;
}

/** - */
export interface Port {
  /** - */
  readonly name?: string;
  /** - */
  readonly port: Int32;
  /** - */
  readonly protocol?: string;
}

/** - */
export interface Network {
  /** - */
  readonly multus?: MultusNetwork;
  /** - */
  readonly name: string;
  /** - */
  readonly pod?: PodNetwork;
  /** - */
  readonly resourceClaim?: ResourceClaimNetworkSource;
}

/** - */
export interface MultusNetwork {
  /** - */
  readonly default?: boolean;
  /** - */
  readonly networkName: string;
}

/** - */
export interface PodNetwork {
  /** - */
  readonly vmIPv6NetworkCIDR?: string;
  /** - */
  readonly vmNetworkCIDR?: string;
}

/** - */
export interface ResourceClaimNetworkSource {
  /** - */
  readonly claimName?: string;
  /** - */
  readonly requestName?: string;
}
