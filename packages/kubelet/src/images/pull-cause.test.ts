import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pullCause } from './pull-cause.ts';

const said = (why: string): string =>
  `time="2026-01-01T00:00:00Z" level=fatal msg="pinging container registry r.example: Get \\"https://r.example/v2/\\": ${why}"`;

for (const [why, first] of [
  ['dial tcp: lookup r.example: no such host', /^the name of its registry cannot be resolved; /],
  ['connection refused', /^its registry does not answer /],
  ['manifest unknown', /^the registry does not have it /],
  ['x509: certificate signed by unknown authority', /^its registry's certificate is not trusted /],
  ['something new', /^pinging container registry r.example: Get "https:\/\/r.example\/v2\/": something new$/],
] as const)
  test(`of "${why}" the cause comes first, the tool's words after it`, () => {
    assert.match(pullCause(said(why)), first);
    assert.ok(pullCause(said(why)).includes(why));
  });
