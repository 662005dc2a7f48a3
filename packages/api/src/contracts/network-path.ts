/** Answer of the subresource `networkpath`: the way of a packet through a launcher Pod, as it is now. */

/** Traffic as the device counts it: received by it, sent by it. */
export interface HopCounters {
  readonly rxPackets: number;
  readonly rxBytes: number;
  readonly rxDropped: number;
  readonly txPackets: number;
  readonly txBytes: number;
  readonly txDropped: number;
}

/** One device on the way. */
export interface Hop {
  readonly role: 'pod-nic' | 'bridge' | 'tap' | 'passt';
  /** What the kernel calls such a device, with its mode: `veth`, `macvlan passthru`. */
  readonly kind?: string;
  readonly device: string;
  /** False: it should be there, and is not. */
  readonly exists: boolean;
  /** `UP`, `DOWN`, `LOWERLAYERDOWN` …, in the kernel's words. */
  readonly state?: string;
  readonly mac?: string;
  readonly mtu?: number;
  readonly addresses?: readonly string[];
  readonly counters?: HopCounters;
}

/** A rule of nftables, with what it has counted. */
export interface RuleLine {
  readonly family: 'ip' | 'ip6' | 'bridge';
  readonly chain: string;
  readonly text: string;
  readonly packets?: number;
}

export interface InterfacePicture {
  readonly name: string;
  readonly binding: string;
  /** From the Pod's NIC to the guest's. */
  readonly hops: readonly Hop[];
  readonly guest: {
    readonly mac: string;
    readonly mtu: number;
    /** What it is told to use. */
    readonly addresses: readonly string[];
    /** What DHCP gave it; absent: it has not asked, or is not served by us. */
    readonly lease?: { readonly address: string; readonly at: string };
    /** What its agent says that it has. */
    readonly reported?: readonly string[];
    /** False: DHCP is not ours to give here; with passt it is passt's. */
    readonly servesDhcp?: boolean;
  };
  readonly rules: readonly RuleLine[];
  /** Gateways of the Pod's NIC, where the Pod itself has an address on it. */
  readonly gateways?: readonly {
    readonly address: string;
    /** Whether it has answered for its hardware address; absent: it was not asked lately. */
    readonly answers?: boolean;
  }[];
}

export interface NetworkPath {
  readonly interfaces: readonly InterfacePicture[];
}
