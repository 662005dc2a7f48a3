/** How virt-handler has joined a guest NIC with its Pod, and what the launcher serves on it. */

/** What network phase 1 made for one interface; input of the domain XML and of the DHCP server. */
export interface InterfaceAttachment {
  /** Name of the interface in the spec. */
  readonly name: string;
  readonly binding: 'masquerade' | 'bridge' | 'passt' | 'plugin';
  /** TAP device in the Pod's network namespace. */
  readonly tapDevice?: string;
  /** Bridge in the Pod's network namespace; the DHCP server listens on it. */
  readonly bridge?: string;
  readonly podInterface: string;
  /** MAC address that the guest's NIC gets. */
  readonly mac: string;
  readonly mtu: number;
  readonly queueCount?: number;
  /** Ports that passt listens at for the guest; only with the binding `passt`. */
  readonly passt?: PasstConfig;
  readonly dhcp?: DhcpConfig;
  readonly dhcp6?: Dhcp6Config;
  /** What virt-handler says to the guest as its IPv6 router; the launcher has no part in it. */
  readonly routerAdvertisement?: RouterAdvertisementConfig;
}

/** What passt forwards to the guest: `all`, or the ports themselves. */
export interface PasstConfig {
  readonly tcpPorts: 'all' | readonly number[];
  readonly udpPorts: 'all' | readonly number[];
  readonly searchDomains: readonly string[];
}

/** All that the guest is told by DHCPv6. Absent: no DHCPv6 server for this interface. */
export interface Dhcp6Config {
  /** The guest's one address, e.g. `fd10:0:2::2`. */
  readonly clientAddress: string;
  /** MAC address that the server's identity (DUID-LL) is made of. */
  readonly serverMac: string;
  /** IPv6 addresses. */
  readonly dnsServers: readonly string[];
  readonly searchDomains: readonly string[];
  readonly hostname: string;
}

/** What the guest learns from router advertisements (RFC 4861, RFC 8106). */
export interface RouterAdvertisementConfig {
  /** On-link prefix, e.g. `fd10:0:2::/120`; of 64 bits: the guest may make addresses in it. */
  readonly prefix: string;
  /** The guest may make addresses in a prefix of 64 bits; true unless told. */
  readonly isAutonomous?: boolean;
  /** MAC address of the router. */
  readonly routerMac: string;
  readonly mtu: number;
  /** IPv6 addresses. */
  readonly dnsServers: readonly string[];
  readonly searchDomains: readonly string[];
}

/** All that the guest is told by DHCPv4. Absent: no DHCP server for this interface. */
export interface DhcpConfig {
  /** The guest's address and prefix, e.g. `10.0.2.2/24`. */
  readonly clientCidr: string;
  readonly serverAddress: string;
  readonly router?: string;
  readonly routes?: readonly { readonly destination: string; readonly gateway: string }[];
  readonly dnsServers: readonly string[];
  readonly searchDomains: readonly string[];
  readonly hostname: string;
  readonly mtu: number;
  readonly options?: {
    readonly bootFileName?: string;
    readonly tftpServerName?: string;
    readonly ntpServers?: readonly string[];
    readonly privateOptions?: readonly { readonly option: number; readonly value: string }[];
  };
}
