/** A registry (OCI distribution, reading only) with one image of one layer, on loopback or at a place with TLS. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { KeyPair } from '@podvisor/kube';

export interface SmallRegistry extends AsyncDisposable {
  /** `ADDRESS:PORT`. */
  readonly host: string;
  /** `sha256:…` of the manifest. */
  readonly digest: string;
  /** How often the layer was asked for. */
  readonly layerReads: () => number;
  /** Send another layer than the manifest says. */
  corrupt: boolean;
  /** Send whoever asks for the layer there. */
  redirect: string | undefined;
}

export interface RegistryPlace {
  readonly address: string;
  readonly tls: KeyPair;
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Serves `NAME:1`, whatever the name, with this layer (a tar archive, gzipped). */
export async function startRegistry(layer: Uint8Array, place?: RegistryPlace): Promise<SmallRegistry> {
  const config = Buffer.from(
    JSON.stringify({
      architecture: 'amd64',
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: [] },
      config: {},
    }),
  );
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: {
        mediaType: 'application/vnd.oci.image.config.v1+json',
        digest: digestOf(config),
        size: config.length,
      },
      layers: [
        {
          mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip',
          digest: digestOf(layer),
          size: layer.length,
        },
      ],
    }),
  );
  const blobs = new Map([
    [digestOf(config), config],
    [digestOf(layer), layer],
  ]);
  let reads = 0;
  const answer: RequestListener = (request, response) => {
    const path = request.url ?? '';
    if (path === '/v2/') return void response.writeHead(200).end('{}');
    const [, kind, reference = ''] = /^\/v2\/.+\/(manifests|blobs)\/([^/]+)$/.exec(path) ?? [];
    if (kind === 'manifests' && (reference === '1' || reference === digestOf(manifest)))
      return void response
        .writeHead(200, { 'content-type': MANIFEST, 'docker-content-digest': digestOf(manifest) })
        .end(manifest);
    const blob = kind === 'blobs' ? blobs.get(reference) : undefined;
    if (blob === undefined) {
      const errors = [{ code: 'MANIFEST_UNKNOWN', message: 'manifest unknown' }];
      return void response
        .writeHead(404, { 'content-type': 'application/json' })
        .end(JSON.stringify({ errors }));
    }
    if (blob === layer && self.redirect !== undefined)
      return void response.writeHead(307, { location: self.redirect }).end();
    if (blob === layer && request.method === 'GET') reads += 1;
    const sent = self.corrupt && blob === layer ? Buffer.from(blob).fill(0, 20, 40) : blob;
    response.writeHead(200, { 'content-length': sent.length }).end(sent);
  };
  const { address = '127.0.0.1', tls } = place ?? {};
  const server =
    tls === undefined
      ? createServer(answer)
      : createTlsServer({ cert: tls.certificate, key: tls.key }, answer);
  server.listen(0, address);
  await once(server, 'listening');
  const self: SmallRegistry = {
    host: `${address}:${(server.address() as AddressInfo).port}`,
    digest: digestOf(manifest),
    layerReads: () => reads,
    corrupt: false,
    redirect: undefined,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return self;
}
