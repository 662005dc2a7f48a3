import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announcement, unusedSettings } from './announce.ts';

test('what is copied is told, and what was asked for in vain', () => {
  const { message } = announcement({ memoryBytes: 160 * 1024 * 1024, volumes: ['root'], diskBytes: 3 });
  assert.match(message, /up to 160Mi of memory, 1Mi of disks \(root\) are copied\.$/);
  assert.deepEqual(unusedSettings({ disableTLS: false, experimental: { compression: 'none' } }), []);
  const unused = unusedSettings({
    disableTLS: true,
    experimental: { compression: 'zstd', stallDetector: {} },
  });
  assert.deepEqual(
    unused.map((text) => text.split(':')[0]),
    ['disableTLS', 'experimental.compression', 'experimental.stallDetector'],
  );
  assert.match(
    announcement({ memoryBytes: 1, volumes: [], diskBytes: 0 }, unused).message,
    /no disk is copied\. Not used: disableTLS: .*;/,
  );
});
