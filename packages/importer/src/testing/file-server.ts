/** A web server on loopback for one file, with Range, that can break connections. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FileServer extends AsyncDisposable {
  readonly url: string;
  /** `Range` headers of all requests so far; '' where there was none. */
  readonly ranges: readonly string[];
  content: Uint8Array;
  etag: string;
  /** Break connections after this many bytes. */
  breakAfter: number | undefined;
}

export async function serveFile(content: Uint8Array): Promise<FileServer> {
  const ranges: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/image') return void response.writeHead(404).end();
    const range = request.headers.range ?? '';
    ranges.push(range);
    const same = request.headers['if-range'] === undefined || request.headers['if-range'] === self.etag;
    const start = same && range !== '' ? Number(/bytes=(\d+)-/.exec(range)?.[1] ?? 0) : 0;
    const body = self.content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      'content-length': body.length,
      'accept-ranges': 'bytes',
      etag: self.etag,
      ...(start > 0
        ? { 'content-range': `bytes ${start}-${self.content.length - 1}/${self.content.length}` }
        : {}),
    });
    if (self.breakAfter === undefined || body.length <= self.breakAfter) return void response.end(body);
    response.write(body.subarray(0, self.breakAfter), () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const self: FileServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/image`,
    ranges,
    content,
    etag: '"one"',
    breakAfter: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return self;
}
