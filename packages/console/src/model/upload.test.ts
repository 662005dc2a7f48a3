import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataVolume } from '@podvisor/api';
import { contentVersion, uploadCommand, uploadRequest, uploadWords, waitingUploads } from './upload.ts';

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

test('an upload that goes on counts its rate from where it went on', () => {
  assert.equal(
    uploadWords(3 * 2 ** 20, 4 * 2 ** 20, 1000, 2 * 2 ** 20),
    '3.0 MiB of 4.0 MiB, 1.0 MiB/s, about 1.0 s to go',
  );
});

test('content is named by what tells a file from another, in letters that a header takes', () => {
  const file = { name: 'disk “1”.img', size: 10, lastModified: 5 };
  assert.match(contentVersion(file), /^[\w.:-]{1,128}$/);
  assert.equal(contentVersion(file), contentVersion({ ...file }));
  for (const other of [{ name: 'disk “2”.img' }, { size: 11 }, { lastModified: 6 }])
    assert.notEqual(contentVersion({ ...file, ...other }), contentVersion(file));
});

test('claims that wait for a file can be gone on with', () => {
  const volume = (name: string, phase: string): [string, DataVolume] => [
    name,
    {
      metadata: { namespace: 'shop', name },
      spec: { storage: { resources: { requests: { storage: '2Gi' } } } },
      status: { phase },
    } as unknown as DataVolume,
  ];
  assert.deepEqual(waitingUploads(new Map([volume('disk', 'UploadReady'), volume('done', 'Succeeded')])), [
    FORM,
  ]);
});
