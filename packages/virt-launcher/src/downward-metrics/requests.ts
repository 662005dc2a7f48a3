/**
 * The guest's side of the metrics channel: a line `GET /metrics/XML` and an empty line ask for a report. The bytes
 * are the guest's: what is no request is one mistake, however long it is.
 */

/** Longer than any request; the rest of such a line is thrown away. */
const MAX_LINE_BYTES = 256;

const LINE_END = 0x0a;

/** What the guest said. */
export type GuestRequest = 'metrics' | 'invalid';

/** Cuts the byte stream into requests. */
export class RequestReader {
  #line = '';
  #request: string | undefined;

  /** Requests that are complete with these bytes, in order. */
  read(bytes: Buffer): readonly GuestRequest[] {
    const found: GuestRequest[] = [];
    let at = 0;
    for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, at)) {
      this.#add(bytes.subarray(at, end));
      at = end + 1;
      const line = this.#line.replace(/\r$/, '');
      this.#line = '';
      const request = this.#end(line);
      if (request !== undefined) found.push(request);
    }
    this.#add(bytes.subarray(at));
    return found;
  }

  /** What a line has beyond its limit costs nothing. */
  #add(bytes: Buffer): void {
    this.#line += bytes.toString('latin1', 0, MAX_LINE_BYTES - this.#line.length);
  }

  #end(line: string): GuestRequest | undefined {
    if (this.#request === undefined) {
      this.#request = line;
      return undefined;
    }
    const asked = this.#request;
    this.#request = undefined;
    const isMetrics = /^GET \/metrics\/XML(?:\?.*)?$/.test(asked);
    return line === '' && isMetrics ? 'metrics' : 'invalid';
  }
}
