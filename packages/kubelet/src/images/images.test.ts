import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReference, parseReference } from './reference.ts';

test('image names are completed', () => {
  const digest = `sha256:${'a'.repeat(64)}`;
  const cases = [
    ['nginx', 'docker.io/library/nginx:latest'],
    ['user/app:v1', 'docker.io/user/app:v1'],
    ['quay.io/x/y', 'quay.io/x/y:latest'],
    ['localhost:5000/a/b:c', 'localhost:5000/a/b:c'],
    [`quay.io/x/y:v1@${digest}`, `quay.io/x/y@${digest}`],
  ] as const;
  for (const [text, full] of cases) assert.equal(formatReference(parseReference(text)), full);
});

test('what is no image name is refused', () => {
  for (const text of ['', 'UPPER', 'a b', 'x/../y', 'x@sha256:zz', 'x:']) {
    assert.throws(() => parseReference(text), { reason: 'InvalidImageName' }, text);
  }
});
