/**
 * Connections that have not shown who they are. A handshake takes moments: whoever holds such connections open is sent
 * away by those that come after him, the oldest first. Nobody is refused for the number of others, because the source may
 * share its address with them: Pods of its node leave by the node's address.
 */

/** The source needs one for libvirt, one for each disk and some for memory. */
const MOST_OF_ONE_ADDRESS = 32;
const MOST = 128;

interface Stranger {
  readonly address: string;
  sendAway(): void;
}

export class Strangers {
  /** In the order in which they came. */
  readonly #here = new Set<Stranger>();

  /** Counts one until the function that is returned is called. */
  admit(address: string, sendAway: () => void): () => void {
    const others = [...this.#here];
    const same = others.filter((other) => other.address === address);
    const oldest =
      same.length >= MOST_OF_ONE_ADDRESS ? same[0] : others.length >= MOST ? others[0] : undefined;
    if (oldest !== undefined) {
      this.#here.delete(oldest);
      oldest.sendAway();
    }
    const stranger: Stranger = { address, sendAway };
    this.#here.add(stranger);
    return () => void this.#here.delete(stranger);
  }
}
