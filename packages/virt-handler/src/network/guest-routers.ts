/**
 * The IPv6 routers of this node's guests: one advertiser for each interface that has one, all in this process.
 * Guests keep what they were told for hours, so a restart of this process disturbs nobody.
 */
import type { InterfaceAttachment } from '@podvisor/api';
import { type Clock, messageOf, type Uid } from '@podvisor/base';
import type { Log } from '@podvisor/kube';
import { RouterAdvertiser } from '@podvisor/network';
import { isProcessInPod } from '@podvisor/sys';
import { PodAccess } from './pod-access.ts';

export class GuestRouters implements Disposable {
  readonly #clock: Clock;
  readonly #log: Log;
  /** By Pod, then by bridge. */
  readonly #pods = new Map<Uid, Map<string, RouterAdvertiser>>();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Every interface that wants one has a router. Best effort: without it IPv6 has no way out, IPv4 works. */
  ensure(
    podUid: Uid,
    { netnsPath: nsPath }: Pick<PodAccess, 'netnsPath'>,
    attachments: readonly InterfaceAttachment[],
  ): void {
    for (const { routerAdvertisement: config, bridge: device, mac: guestMac } of attachments) {
      if (config === undefined || device === undefined) continue;
      const running = this.#pods.get(podUid) ?? new Map<string, RouterAdvertiser>();
      this.#pods.set(podUid, running);
      if (running.has(device)) continue;
      try {
        const onEnd = (why: string): void => {
          running.delete(device);
          this.#log.warn({ pod: podUid, device, why }, 'IPv6 router of a guest ended');
        };
        const clock = this.#clock;
        running.set(device, RouterAdvertiser.start({ nsPath, device, guestMac, config, clock, onEnd }));
      } catch (error) {
        this.#log.error({ pod: podUid, device, error: messageOf(error) }, 'guest has no IPv6 router');
      }
    }
  }

  /** Takes over a Pod that an earlier life of this process has set up, unless that is done. */
  adopt(podUid: Uid, pid: number, attachments: readonly InterfaceAttachment[]): void {
    const wanted = attachments.filter(({ routerAdvertisement }) => routerAdvertisement !== undefined);
    if (wanted.length === 0 || this.#pods.has(podUid)) return;
    try {
      using pod = PodAccess.open(pid, () => isProcessInPod(pid, podUid));
      this.ensure(podUid, pod, wanted);
    } catch (error) {
      // The launcher may have ended meanwhile; if not, the next look at its VMI brings us here again.
      this.#log.warn({ pod: podUid, error: messageOf(error) }, 'network of a Pod could not be entered');
    }
  }

  close(podUid: Uid): void {
    for (const router of this.#pods.get(podUid)?.values() ?? []) router[Symbol.dispose]();
    this.#pods.delete(podUid);
  }

  [Symbol.dispose](): void {
    for (const podUid of [...this.#pods.keys()]) this.close(podUid);
  }
}
