/** A service account that may read the pages of metrics and nothing else. */
import assert from 'node:assert/strict';
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
