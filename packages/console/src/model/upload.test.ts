import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uploadCommand, uploadRequest, uploadWords } from './upload.ts';

const FORM = { namespace: 'shop', name: 'disk', size: '2Gi' };

test('a claim that waits for a file, the command that does the same, and how far it is', () => {
  const { path, body } = uploadRequest(FORM);
  assert.equal(path, '/apis/cdi.kubevirt.io/v1beta1/namespaces/shop/datavolumes');
  assert.deepEqual((JSON.parse(body ?? '') as { spec: unknown }).spec, {
    source: { upload: {} },
    storage: { resources: { requests: { storage: '2Gi' } } },
  });
  assert.equal(
    uploadCommand(FORM, "it's.img"),
    "virtctl image-upload dv disk -n shop --size 2Gi --force-bind --image-path 'it'\\''s.img'",
  );
  assert.equal(uploadWords(2 ** 20, 3 * 2 ** 20, 1000), '1.0 MiB of 3.0 MiB, 1.0 MiB/s, about 2.0 s to go');
  assert.equal(uploadWords(0, 1024, 0), '0 B of 1.0 KiB');
});
