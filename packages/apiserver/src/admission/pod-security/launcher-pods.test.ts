/** The Pods that VMs become satisfy the strictest level: they need nothing but a seccomp profile, which the home names. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type JsonObject, objectAt } from '../../wire/json.ts';
import { inDetail, inShort, violations } from './evaluate.ts';

const golden = join(import.meta.dirname, '../../../../../test/golden/pod');

test('every launcher Pod satisfies baseline, and restricted with a seccomp profile', () => {
  const files = readdirSync(golden).filter((name) => name.endsWith('.json'));
  assert.ok(files.length > 10);
  for (const file of files) {
    const pod = JSON.parse(readFileSync(join(golden, file), 'utf8')) as JsonObject;
    assert.equal(inDetail(violations({ level: 'baseline', version: 'latest' }, pod)), '', file);
    assert.equal(
      inShort(violations({ level: 'restricted', version: 'latest' }, pod)),
      'seccompProfile',
      file,
    );
    const spec = objectAt(pod, 'spec');
    const securityContext = {
      ...objectAt(spec, 'securityContext'),
      seccompProfile: { type: 'RuntimeDefault' },
    };
    const confined = { ...pod, spec: { ...spec, securityContext } };
    assert.equal(inDetail(violations({ level: 'restricted', version: 'latest' }, confined)), '', file);
  }
});
