/**
 * The IPv6 router's voice on one guest's link: answers solicitations, and repeats itself long before what it
 * said expires. Needs CAP_NET_RAW, which a launcher does not have, so virt-handler runs it for all its VMs in
 * its own process: a socket and a timer each. The link is the guest's alone, so "all nodes" means the guest.
 */
import type { RouterAdvertisementConfig } from '@podvisor/api';
import type { Clock } from '@podvisor/base';
import { Icmpv6Socket } from '@podvisor/sys';
import { RateLimit } from '../rate-limit.ts';
import {
  encodeAdvertisement,
  isSolicitationOf,
  ROUTER_LIFETIME_SECONDS,
  ROUTER_SOLICITATION,
} from './codec.ts';

/** Answers per second, whatever the guest sends. */
const RATE = 3;
/** Who asks more often is not listened to for so long: this process serves all guests of the node. */
const DEAF_MS = 1000;
const REPEAT_MS = (ROUTER_LIFETIME_SECONDS / 4) * 1000;

export interface RouterAdvertiserOptions {
  /** Path of the Pod's network namespace; needed only while starting. */
  readonly nsPath: string;
  readonly device: string;
  readonly guestMac: string;
  readonly config: RouterAdvertisementConfig;
  readonly clock: Clock;
  /** Told once when no more advertisements are possible. */
  readonly onEnd?: (why: string) => void;
}

export class RouterAdvertiser implements Disposable {
  readonly #socket: Icmpv6Socket;
  readonly #message: Uint8Array;
  readonly #options: RouterAdvertiserOptions;
  readonly #rate: RateLimit;
  #cancelRepeat: () => void = () => undefined;
  #cancelPause: (() => void) | undefined;

  private constructor(options: RouterAdvertiserOptions) {
    this.#options = options;
    this.#message = encodeAdvertisement(options.config);
    this.#rate = new RateLimit(options.clock, RATE);
    this.#socket = new Icmpv6Socket({
      nsPath: options.nsPath,
      device: options.device,
      type: ROUTER_SOLICITATION,
      onMessage: (message) => {
        if (!this.#rate.take()) return this.#pause();
        if (isSolicitationOf(message, options.guestMac)) this.#speak();
      },
      onEnd: (why) => this.#end(why),
    });
  }

  /** Opens the socket and speaks for the first time; throws when the socket cannot be had. */
  static start(options: RouterAdvertiserOptions): RouterAdvertiser {
    const advertiser = new RouterAdvertiser(options);
    advertiser.#repeat();
    return advertiser;
  }

  [Symbol.dispose](): void {
    this.#cancelRepeat();
    this.#cancelPause?.();
    this.#socket[Symbol.dispose]();
  }

  #repeat(): void {
    this.#speak();
    this.#cancelRepeat = this.#options.clock.after(REPEAT_MS, () => this.#repeat());
  }

  #pause(): void {
    if (this.#cancelPause !== undefined) return;
    this.#socket.pause();
    this.#cancelPause = this.#options.clock.after(DEAF_MS, () => {
      this.#cancelPause = undefined;
      this.#socket.resume();
    });
  }

  #speak(): void {
    try {
      // A guest that is not there yet asks when it comes.
      this.#socket.sendToAllNodes(this.#message);
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error));
    }
  }

  #end(why: string): void {
    this[Symbol.dispose]();
    this.#options.onEnd?.(why);
  }
}
