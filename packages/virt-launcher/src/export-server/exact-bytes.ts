/**
 * Passes on as many bytes of a stream as its head has promised. A file of a tenant's may grow or shrink while it is
 * read: what came after its end would be the answer to the next request of the connection, and what is missing would be
 * taken from that answer.
 */
import { Transform } from 'node:stream';

/** Fails when the stream ends before; what it has beyond is dropped. */
export function exactBytes(sizeBytes: number): Transform {
  let left = sizeBytes;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      const kept = chunk.subarray(0, left);
      left -= kept.length;
      done(null, kept);
    },
    flush: (done) =>
      done(left === 0 ? null : new Error(`the file became ${left} bytes shorter while it was read`)),
  });
}
