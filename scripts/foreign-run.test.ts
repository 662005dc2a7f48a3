import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitFiles, wordsOf } from './foreign-run.ts';

test('the kubeconfig is taken out of the areas, in both spellings', () => {
  assert.deepEqual(wordsOf(['e2e']), { areas: ['e2e'] });
  assert.deepEqual(wordsOf(['--cluster', 'k', 'guests']), { kubeconfig: 'k', areas: ['guests'] });
  assert.deepEqual(wordsOf(['guests', '--cluster=k']), { kubeconfig: 'k', areas: ['guests'] });
  assert.throws(() => wordsOf(['--cluster']), /needs a kubeconfig/);
});

test('only end-to-end files that open any home run on a cluster; the others are named', () => {
  const texts: Readonly<Record<string, string>> = {
    'test/e2e/both.test.ts': 'home = await openHome();',
    'test/e2e/own.test.ts': 'instance = await Instance.prepare();',
    'packages/base/src/x.test.ts': 'openHome()',
  };
  assert.deepEqual(
    splitFiles(Object.keys(texts), (file) => texts[file] ?? ''),
    { onCluster: ['test/e2e/both.test.ts'], embedded: ['test/e2e/own.test.ts'] },
  );
});
