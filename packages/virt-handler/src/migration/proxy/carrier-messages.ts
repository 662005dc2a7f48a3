/** What virt-handler and the thread that carries a migration's bytes say to each other. */
import type { MigrationChannel } from '@podvisor/api';
import type { TlsIdentity } from '@podvisor/sys';
import type { MigrationPeer } from './identity.ts';

export type ToCarrier =
  /** Agree with the peer at the other end of `network`, which is the carrier's from now on. */
  | {
      readonly kind: 'secure';
      readonly id: number;
      readonly channel: MigrationChannel;
      readonly network: number;
    }
  /** Carry between it and this socket of the Pod, the carrier's from now on. */
  | { readonly kind: 'join'; readonly id: number; readonly pod: number }
  | { readonly kind: 'drop'; readonly id: number }
  /** As `drop`, while it has not shown who it is. */
  | { readonly kind: 'dismiss'; readonly id: number }
  /** Close everything and end. */
  | { readonly kind: 'stop' };

export type FromCarrier =
  | { readonly kind: 'secured'; readonly id: number }
  | { readonly kind: 'closed'; readonly id: number; readonly why?: string };

export interface CarrierData {
  readonly identities: ReadonlyMap<MigrationChannel, TlsIdentity>;
  /** The name that the peer's certificate must have, and the node that it must be of. */
  readonly peer: MigrationPeer;
  readonly handshakeMs: number;
  /** Readable when there is a message. */
  readonly wakeFd: number;
}
