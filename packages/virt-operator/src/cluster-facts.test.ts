import assert from 'node:assert/strict';
import { test } from 'node:test';
import { followUnsupported } from './cluster-facts.ts';

test('a cluster that is too old is looked at again, until it is upgraded', async () => {
  const versions = ['31', '31', '32+', 'never asked'];
  let asked = 0;
  const request = <T>(): Promise<T> => {
    const minor = versions[asked] ?? '';
    asked += 1;
    return Promise.resolve({ major: '1', minor, gitVersion: `v1.${minor}.0` } as T);
  };
  const unsupported = followUnsupported({ request });
  const { signal } = new AbortController();
  assert.match((await unsupported(signal)) ?? '', /^Kubernetes v1.31.0 is too old: 1.32 or newer/);
  assert.match((await unsupported(signal)) ?? '', /too old/);
  assert.equal(await unsupported(signal), undefined);
  assert.equal(await unsupported(signal), undefined);
  assert.equal(asked, 3, 'a cluster that will do is not asked again');
});
