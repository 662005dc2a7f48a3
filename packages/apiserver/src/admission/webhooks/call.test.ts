import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { createCa, issueCertificate } from '@podvisor/kube';
import type { Store } from '../../object-store.ts';
import { OutboundAgents } from '../../outbound.ts';
import { postToWebhook } from './call.ts';

const now = Date.now();
const ca = createCa({ commonName: 'webhook-ca', now });
const serving = issueCertificate(ca, { commonName: 'w', usages: ['server'], names: ['127.0.0.1'], now });
const identity = issueCertificate(ca, { commonName: 'server', usages: ['client'], now });

const answers: readonly [string, (response: ServerResponse) => void, RegExp | undefined][] = [
  ['one that answers', (response) => void response.end('{}'), undefined],
  ['one that never answers', () => undefined, /: context deadline exceeded$/],
  ['one that begins and never ends', (response) => void response.write('{'), /: context deadline exceeded$/],
  ['one that goes away', (response) => void response.socket?.destroy(), /: EOF$/],
];

describe('a webhook within its second', { concurrency: true }, () => {
  for (const [name, answer, problem] of answers)
    test(name, async () => {
      const server = createServer({ cert: serving.certificate, key: serving.key }, (_, response) => {
        answer(response);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const agents = new OutboundAgents(
        { clientCert: identity.certificate, clientKey: identity.key },
        () => false,
      );
      const { port } = server.address() as AddressInfo;
      const client = {
        url: `https://127.0.0.1:${port}/`,
        caBundle: Buffer.from(ca.certificate).toString('base64'),
        service: undefined,
      };
      try {
        const asked = postToWebhook({ client, timeoutSeconds: 1 }, '{}', { store: {} as Store, agents });
        if (problem === undefined) assert.deepEqual(await asked, { status: 200, text: '{}' });
        else await assert.rejects(asked, problem);
      } finally {
        agents.close();
        server.closeAllConnections();
        server.close();
      }
    });
});
