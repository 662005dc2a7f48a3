/** A web server for one file, with Range, at an address that Pods of an instance reach. */
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';

export interface ImageServer extends AsyncDisposable {
  readonly url: string;
  /** Where each answer began. */
  readonly offsets: readonly number[];
  /** Whom it serves; everybody, unless told. Others get a 403. */
  allow: (request: IncomingMessage) => boolean;
  /** Bytes per second and connection; 0: no answer goes on. */
  setRate(bytesPerSecond: number): void;
}

/** Serves `file` at `/disk` of `address`, a free port. */
export async function serveImage(file: string, address: string): Promise<ImageServer> {
  const offsets: number[] = [];
  let rate = Number.POSITIVE_INFINITY;
  const { size } = statSync(file);
  const server = createServer((request, response) => {
    if (request.url !== '/disk') return void response.writeHead(404).end();
    if (!self.allow(request)) return void response.writeHead(403).end();
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    offsets.push(start);
    response.writeHead(start === 0 ? 200 : 206, {
      'content-length': size - start,
      'accept-ranges': 'bytes',
      etag: '"disk"',
      ...(start === 0 ? {} : { 'content-range': `bytes ${start}-${size - 1}/${size}` }),
    });
    const throttled = async function* (chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
      for await (const chunk of chunks) {
        while (rate === 0 && !response.destroyed) await new Promise((resolve) => setTimeout(resolve, 20));
        if (Number.isFinite(rate) && rate > 0)
          await new Promise((resolve) => setTimeout(resolve, (chunk.length / rate) * 1000));
        yield chunk;
      }
    };
    // Clients that go away in the middle are the point of some tests.
    pipeline(createReadStream(file, { start }), throttled, response).catch(() => undefined);
  });
  server.listen(0, address);
  await once(server, 'listening');
  const self: ImageServer = {
    allow: () => true,
    url: `http://${address}:${(server.address() as AddressInfo).port}/disk`,
    offsets,
    setRate: (bytesPerSecond) => {
      rate = bytesPerSecond;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return self;
}
