import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { StatusError } from '@podvisor/base';
import type { HttpRequest, KubeClient } from '@podvisor/kube';
import { fileName, sendExport } from './export.ts';
import { refuse } from './pass-on.ts';

const OFFER = {
  status: {
    serviceName: 'virt-export-e',
    tokenSecretRef: 'its-token',
    links: {
      internal: {
        volumes: [{ name: 'root', formats: [{ format: 'gzip', url: 'https://svc/volumes/root.gz' }] }],
      },
    },
  },
};

/** An API server with one export, and what it was asked for. */
function server(mayReadSecrets: boolean): { readonly client: KubeClient; readonly asked: HttpRequest[] } {
  const asked: HttpRequest[] = [];
  const client = {
    request: async (request: HttpRequest) => {
      asked.push(request);
      if (!request.path.includes('/secrets/')) return OFFER;
      if (!mayReadSecrets) throw new StatusError('Forbidden', 'you may not read secrets');
      return { data: { token: Buffer.from('open').toString('base64') } };
    },
    stream: async (request: HttpRequest) => {
      asked.push(request);
      return {
        statusCode: 200,
        headers: { 'content-length': '5' },
        body: Readable.from([Buffer.from('bytes')]),
      };
    },
  } as unknown as KubeClient;
  return { client, asked };
}

async function download(client: KubeClient, format: string): Promise<readonly [IncomingMessage, string]> {
  const web = createServer((_, response) => {
    const wanted = { namespace: 'vms', name: 'e', volume: 'root', format };
    sendExport(client, wanted, response).catch((error: unknown) => refuse(response, error));
  }).listen(0, '127.0.0.1');
  try {
    await once(web, 'listening');
    const asked = get({ host: '127.0.0.1', port: (web.address() as AddressInfo).port, agent: false });
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return [response, await text(response)];
  } finally {
    web.close();
  }
}

test('a volume is a file to save, and its token stays here', async () => {
  const { client, asked } = server(true);
  const [{ headers }, body] = await download(client, 'gzip');
  assert.equal(body, 'bytes');
  assert.equal(headers['content-disposition'], 'attachment; filename="e-root.img.gz"');
  assert.equal(headers['content-length'], '5');
  assert.ok(!JSON.stringify(headers).includes('open'));
  const last = asked.at(-1);
  assert.equal(last?.path, '/api/v1/namespaces/vms/services/https:virt-export-e:443/proxy/volumes/root.gz');
  assert.equal(last?.headers?.['x-kubevirt-export-token'], 'open');
});

test('what the user may not read, and what is not offered, is refused in words', async () => {
  const [forbidden] = await download(server(false).client, 'gzip');
  assert.equal(forbidden.statusCode, 403);
  const [missing, words] = await download(server(true).client, 'raw');
  assert.equal(missing.statusCode, 404);
  assert.match(words, /does not offer root as raw now/);
});

test('no name gets out of the header', () => {
  assert.equal(fileName({ name: 'a"\r\nb', volume: '../c', format: 'x' }), 'a___b-.._c.bin');
});
