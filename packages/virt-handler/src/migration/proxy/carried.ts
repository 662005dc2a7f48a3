/**
 * One connection of a migration: TLS to the other node on one side, a socket in the Pod on the other. `work` moves what
 * can be moved without waiting; `wants` says what to wait for. Bytes are kept only while one side has given them and
 * the other has not taken them: at most one buffer a direction. An end is passed on, a break breaks both.
 */
import {
  BROKEN,
  NOT_NOW,
  POLLIN,
  POLLOUT,
  readInto,
  shutdownWrite,
  type TlsSession,
  type Wants,
  writeFrom,
} from '@podvisor/sys';

const BUFFER_BYTES = 256 * 1024;

/** Bytes on their way in one direction. */
class Parcel {
  readonly #buffer = Buffer.alloc(BUFFER_BYTES);
  #from = 0;
  #to = 0;
  /** No more will come. */
  isLast = false;
  /** The end was passed on. */
  isDelivered = false;

  get isEmpty(): boolean {
    return this.#from === this.#to;
  }
  get room(): Buffer {
    if (this.isEmpty) this.#from = this.#to = 0;
    return this.#buffer.subarray(this.#to);
  }
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#from, this.#to);
  }
  filled(count: number): void {
    this.#to += count;
  }
  taken(count: number): void {
    this.#from += count;
  }
}

export class CarriedConnection {
  readonly #tls: TlsSession;
  readonly #network: number;
  readonly #pod: number;
  readonly #out = new Parcel();
  readonly #in = new Parcel();
  #networkEvents = 0;
  #podEvents = 0;

  /** The handshake is done. Neither descriptor blocks; both stay the caller's. */
  constructor(tls: TlsSession, network: number, pod: number) {
    this.#tls = tls;
    this.#network = network;
    this.#pod = pod;
  }

  get wants(): readonly { readonly fd: number; readonly events: number }[] {
    return [
      { fd: this.#network, events: this.#networkEvents },
      { fd: this.#pod, events: this.#podEvents },
    ].filter(({ events }) => events !== 0);
  }

  /** `moved`: ask again at once. `idle`: wait for what it wants. */
  work(): 'moved' | 'idle' | 'closed' {
    this.#networkEvents = 0;
    this.#podEvents = 0;
    const outward = this.#outward();
    const inward = this.#inward();
    if (outward === 'broken' || inward === 'broken') return 'closed';
    if (this.#out.isDelivered && this.#in.isDelivered) return 'closed';
    return outward || inward ? 'moved' : 'idle';
  }

  /** From the Pod to the other node. */
  #outward(): boolean | 'broken' {
    const parcel = this.#out;
    let moved = false;
    if (parcel.isEmpty && !parcel.isLast) {
      const count = readInto(this.#pod, parcel.room);
      if (count === BROKEN) return 'broken';
      if (count === NOT_NOW) this.#podEvents |= POLLIN;
      else if (count === 0) parcel.isLast = true;
      else parcel.filled(count);
      moved = count !== NOT_NOW;
    }
    while (!parcel.isEmpty) {
      const written = this.#tls.write(parcel.bytes);
      if (written === 'broken') return 'broken';
      if (typeof written === 'string') return this.#await(written, moved);
      parcel.taken(written.bytes);
      moved = true;
    }
    if (!parcel.isLast || parcel.isDelivered) return moved;
    const ended = this.#tls.end();
    if (ended === 'broken') return 'broken';
    if (ended !== 'done') return this.#await(ended, moved);
    parcel.isDelivered = true;
    return true;
  }

  /** From the other node to the Pod. */
  #inward(): boolean | 'broken' {
    const parcel = this.#in;
    let moved = false;
    // A record is small: as many as fit go to the Pod at once.
    while (!parcel.isLast && parcel.room.length > 0) {
      const read = this.#tls.read(parcel.room);
      if (read === 'broken') return 'broken';
      if (read === 'end') parcel.isLast = true;
      else if (typeof read === 'string') {
        this.#await(read, moved);
        break;
      } else parcel.filled(read.bytes);
      moved = true;
    }
    if (!parcel.isEmpty) {
      const count = writeFrom(this.#pod, parcel.bytes);
      if (count === BROKEN) return 'broken';
      if (count > 0) parcel.taken(count);
      moved ||= count > 0;
      if (!parcel.isEmpty) this.#podEvents |= POLLOUT;
    }
    if (parcel.isEmpty && parcel.isLast && !parcel.isDelivered) {
      shutdownWrite(this.#pod);
      parcel.isDelivered = true;
      return true;
    }
    return moved;
  }

  #await(wants: Wants, moved: boolean): boolean {
    this.#networkEvents |= wants === 'read' ? POLLIN : POLLOUT;
    return moved;
  }
}
