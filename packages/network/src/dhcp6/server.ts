/**
 * The DHCPv6 server of one guest NIC. It listens on the bridge of that NIC only, where nobody but the guest
 * is (a DHCPv6 client's identity is not its MAC address), and never says more than `RATE` answers a second.
 */
import { createSocket, type Socket } from 'node:dgram';
import type { Dhcp6Config } from '@podvisor/api';
import { type Clock, systemClock } from '@podvisor/base';
import { bindToDevice } from '@podvisor/sys';
import { RateLimit } from '../rate-limit.ts';
import { answerMessage6, isLease6 } from './answer.ts';
import { decodeMessage6, encodeMessage6, Message6Error } from './codec.ts';

const SERVER_PORT = 547;
const CLIENT_PORT = 546;
/** All_DHCP_Relay_Agents_and_Servers (RFC 8415, 7.1). */
const SERVERS_GROUP = 'ff02::1:2';
/** Answers per second. */
const RATE = 50;

export interface Dhcp6ServerOptions {
  /** Device to listen on. */
  readonly device: string;
  readonly config: Dhcp6Config;
  readonly clock?: Clock;
  /** Told of problems that end the server; a bad message is not one. */
  readonly onError?: (error: Error) => void;
  /** Told each time the guest is given its address for use. */
  readonly onLease?: (address: string) => void;
}

/** Runs until closed. Needs permission for port 547 (`net.ipv4.ip_unprivileged_port_start`), nothing else. */
export class Dhcp6Server implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #options: Dhcp6ServerOptions;
  readonly #rate: RateLimit;

  private constructor(options: Dhcp6ServerOptions) {
    this.#options = options;
    this.#rate = new RateLimit(options.clock ?? systemClock, RATE);
    this.#socket = createSocket({ type: 'udp6', reuseAddr: true, ipv6Only: true });
  }

  /** Starts listening; rejects when port or device cannot be had. */
  static async start(options: Dhcp6ServerOptions): Promise<Dhcp6Server> {
    const server = new Dhcp6Server(options);
    const socket = server.#socket;
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(SERVER_PORT, () => {
        socket.off('error', reject);
        resolve();
      });
    });
    try {
      bindToDevice(socket, options.device);
      socket.addMembership(SERVERS_GROUP, `::%${options.device}`);
    } catch (error) {
      socket.close();
      throw error;
    }
    socket.on('error', (error) => options.onError?.(error));
    socket.on('message', (message, from) => server.#onMessage(message, from.address, from.port));
    return server;
  }

  #onMessage(message: Uint8Array, address: string, port: number): void {
    // RFC 8415, 7.2: clients speak from their port and from a link-local address.
    if (port !== CLIENT_PORT || !/^fe[89ab]/i.test(address) || !this.#rate.take()) return;
    const answer = this.#answer(message);
    if (answer === undefined) return;
    this.#socket.send(answer, CLIENT_PORT, address, (error) => {
      if (error !== null) this.#options.onError?.(error);
    });
  }

  #answer(message: Uint8Array): Uint8Array | undefined {
    try {
      const { config, onLease } = this.#options;
      const request = decodeMessage6(message);
      const answer = answerMessage6(request, config);
      if (answer === undefined) return undefined;
      if (isLease6(request, answer)) onLease?.(config.clientAddress);
      return encodeMessage6(answer);
    } catch (error) {
      // Whatever the guest sent, it is not worth more than silence.
      if (error instanceof Message6Error) return undefined;
      this.#options.onError?.(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}
