/** Counts open connections: all of them, and those of one address. */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServerLimits } from './server-limits.ts';

/** This part of all connections is kept for clients on this machine: the components of the home. */
const RESERVED = 0.1;

export class ConnectionLimit {
  readonly #limits: Pick<ServerLimits, 'connections' | 'connectionsPerAddress'>;
  readonly #byAddress = new Map<string, number>();
  #open = 0;

  constructor(limits: Pick<ServerLimits, 'connections' | 'connectionsPerAddress'>) {
    this.#limits = limits;
  }

  get open(): number {
    return this.#open;
  }

  /** Whether the connection may stay. One that may not is closed at once; one that may is counted until it ends. */
  admit(socket: Duplex): boolean {
    const address = (socket instanceof Socket ? socket.remoteAddress : undefined) ?? '';
    const ofAddress = this.#byAddress.get(address) ?? 0;
    if (!this.#hasRoom(address, ofAddress)) {
      socket.destroy();
      return false;
    }
    this.#open += 1;
    this.#byAddress.set(address, ofAddress + 1);
    socket.once('close', () => this.#release(address));
    return true;
  }

  #hasRoom(address: string, ofAddress: number): boolean {
    const { connections, connectionsPerAddress } = this.#limits;
    // The components of the home come from here: strangers must not be able to keep them out.
    if (isLoopback(address)) return this.#open < connections;
    return ofAddress < connectionsPerAddress && this.#open < connections * (1 - RESERVED);
  }

  #release(address: string): void {
    this.#open -= 1;
    const left = (this.#byAddress.get(address) ?? 1) - 1;
    if (left > 0) this.#byAddress.set(address, left);
    else this.#byAddress.delete(address);
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}
