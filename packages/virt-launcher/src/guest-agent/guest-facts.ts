/** What the guest says about itself. Every field is hostile until the parsers in `replies.ts` cut it. */
import type { GuestOSInfo } from '@podvisor/api';

export interface GuestInterface {
  readonly name: string;
  readonly mac: string;
  readonly ipAddresses: readonly string[];
}

export interface GuestUser {
  readonly userName: string;
  readonly domain?: string;
  readonly loginTime?: number;
}

export interface GuestFilesystem {
  readonly diskName: string;
  readonly mountPoint: string;
  readonly fileSystemType: string;
  readonly usedBytes: number;
  readonly totalBytes: number;
  readonly disk?: readonly { readonly serial?: string; readonly busType?: string }[];
}

export interface GuestFacts {
  readonly version?: string;
  readonly commands?: readonly string[];
  readonly os?: GuestOSInfo;
  readonly hostname?: string;
  readonly timezone?: string;
  readonly fsFreezeStatus?: string;
  /** Load averages over 1, 5 and 15 minutes. */
  readonly load?: readonly [number, number, number];
  readonly interfaces?: readonly GuestInterface[];
  readonly users?: readonly GuestUser[];
  readonly filesystems?: readonly GuestFilesystem[];
}
