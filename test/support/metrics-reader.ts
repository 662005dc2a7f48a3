/** A service account that may read the pages of metrics and nothing else, and such a page. */
import assert from 'node:assert/strict';
import { request } from 'node:https';
import type { Instance } from './instance.ts';

/** Makes it in `default`, and returns a token of it that is good for a day. */
export async function metricsReaderToken(instance: Pick<Instance, 'kubectl'>): Promise<string> {
  const kubectl = async (line: string): Promise<string> => {
    const { code, stdout, stderr } = await instance.kubectl(...line.split(' '));
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  await kubectl('create serviceaccount reader');
  await kubectl('create clusterrole metrics-reader --verb=get --non-resource-url=/metrics');
  await kubectl(
    'create clusterrolebinding reader --clusterrole=metrics-reader --serviceaccount=default:reader',
  );
  return await kubectl('create token reader --duration=24h');
}

/** What the process at `port` of this machine serves to who shows `token`. */
export function metricsPage(
  port: number,
  token?: string,
): Promise<{ readonly code?: number; readonly body: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path: '/metrics', headers, rejectUnauthorized: false, agent: false },
      (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ code: response.statusCode, body }));
      },
    );
    sent.on('error', reject).end();
  });
}
