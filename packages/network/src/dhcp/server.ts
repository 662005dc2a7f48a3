/**
 * The DHCPv4 server of one guest NIC. It listens on the bridge of that NIC only, answers only the guest's
 * MAC address, and never says more than `RATE` answers a second, whatever the guest sends.
 */
import { createSocket, type Socket } from 'node:dgram';
import type { DhcpConfig } from '@podvisor/api';
import { type Clock, systemClock } from '@podvisor/base';
import { bindToDevice, disableUdpChecksum } from '@podvisor/sys';
import { RateLimit } from '../rate-limit.ts';
import { answerPacket, isLease } from './answer.ts';
import { DhcpPacketError, decodePacket, encodePacket } from './codec.ts';

const SERVER_PORT = 67;
const CLIENT_PORT = 68;
const BROADCAST = '255.255.255.255';
/** Answers per second. */
const RATE = 50;

export interface DhcpServerOptions {
  /** Device to listen on. */
  readonly device: string;
  readonly mac: string;
  readonly config: DhcpConfig;
  readonly clock?: Clock;
  /** Told of problems that end the server; a bad packet is not one. */
  readonly onError?: (error: Error) => void;
  /** Told each time the guest is given its address for use. */
  readonly onLease?: (address: string) => void;
}

/** Runs until closed. Needs permission for port 67 (`net.ipv4.ip_unprivileged_port_start`), nothing else. */
export class DhcpServer implements AsyncDisposable {
  readonly #socket: Socket;
  readonly #options: DhcpServerOptions;
  readonly #rate: RateLimit;

  private constructor(options: DhcpServerOptions) {
    this.#options = options;
    this.#rate = new RateLimit(options.clock ?? systemClock, RATE);
    // Several NICs have a server each on the same port, kept apart by their devices.
    this.#socket = createSocket({ type: 'udp4', reuseAddr: true });
  }

  /** Starts listening; rejects when port or device cannot be had. */
  static async start(options: DhcpServerOptions): Promise<DhcpServer> {
    const server = new DhcpServer(options);
    await server.#listen();
    return server;
  }

  async #listen(): Promise<void> {
    const socket = this.#socket;
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(SERVER_PORT, () => {
        socket.off('error', reject);
        resolve();
      });
    });
    try {
      bindToDevice(socket, this.#options.device);
      disableUdpChecksum(socket);
      socket.setBroadcast(true);
    } catch (error) {
      socket.close();
      throw error;
    }
    socket.on('error', (error) => this.#options.onError?.(error));
    socket.on('message', (message) => this.#onMessage(message));
  }

  #onMessage(message: Uint8Array): void {
    if (!this.#rate.take()) return;
    const answer = this.#answer(message);
    if (answer === undefined) return;
    // Always broadcast: the guest has no address yet to which the kernel could send.
    this.#socket.send(answer, CLIENT_PORT, BROADCAST, (error) => {
      if (error !== null) this.#options.onError?.(error);
    });
  }

  #answer(message: Uint8Array): Uint8Array | undefined {
    try {
      const answer = answerPacket(decodePacket(message), this.#options.config, this.#options.mac);
      if (answer !== undefined && isLease(answer)) this.#options.onLease?.(answer.yourAddress);
      return answer === undefined ? undefined : encodePacket(answer);
    } catch (error) {
      // Whatever the guest sent, it is not worth more than silence.
      if (error instanceof DhcpPacketError) return undefined;
      this.#options.onError?.(error instanceof Error ? error : new Error(String(error)));
      return undefined;
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
