import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTrace } from '@podvisor/kube';
import { admissionSpans } from './admission-spans.ts';
import { parseReview } from './review.ts';

const review = (request: object): ReturnType<typeof parseReview> =>
  parseReview({
    kind: 'AdmissionReview',
    request: {
      uid: 'r',
      operation: 'CREATE',
      namespace: 'n',
      resource: { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachineinstances' },
      object: { metadata: { name: 'a', uid: 'u' } },
      ...request,
    },
  });

test('the validation of a new VMI is part of the trace of its start; nothing else is', () => {
  assert.deepEqual(admissionSpans(review({}), 1, 2), [
    {
      trace: startTrace('u'),
      service: 'virt-api',
      name: 'admit-vmi',
      fromMs: 1,
      toMs: 2,
      namespace: 'n',
      object: 'a',
    },
  ]);
  const others = [
    { operation: 'UPDATE' },
    { dryRun: true },
    { object: { metadata: { name: 'a' } } },
    { resource: { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' } },
  ];
  for (const other of others) assert.deepEqual(admissionSpans(review(other), 1, 2), []);
});
