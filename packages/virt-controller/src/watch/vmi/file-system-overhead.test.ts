import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileSystemOverhead } from './file-system-overhead.ts';

test('the class, then the cluster, then the usual share; devices have no file system', () => {
  const config = { status: { filesystemOverhead: { global: '0.06', storageClass: { fast: '0.1' } } } };
  const claim = (storageClassName: string, volumeMode: 'Filesystem' | 'Block' = 'Filesystem') => ({
    metadata: {},
    spec: { storageClassName, volumeMode },
  });
  assert.equal(fileSystemOverhead(claim('fast'), config), '0.1');
  assert.equal(fileSystemOverhead(claim('slow'), config), '0.06');
  assert.equal(fileSystemOverhead(claim('slow'), undefined), '0.055');
  assert.equal(fileSystemOverhead(claim('fast', 'Block'), config), '0');
});
