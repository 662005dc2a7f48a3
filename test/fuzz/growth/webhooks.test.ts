/**
 * N against 4N, at our webhooks: for every list and map of every kind of ours, a valid object with very many entries
 * there is sent to each webhook of its kind, as a new one and as a change. Lists go to what a spec may have
 * (`webhooks/long-lists.ts`), maps beyond.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type WebhookEntry, webhooks } from '@podvisor/api';
import { crds } from '@podvisor/api/crds';
import { validObjects } from '../../../packages/virt-api/src/testing/valid-objects.ts';
import { webhookContextForTests } from '../../../packages/virt-api/src/testing/webhook-context.ts';
import { MAX_ENTRIES } from '../../../packages/virt-api/src/webhooks/long-lists.ts';
import { Webhooks } from '../../../packages/virt-api/src/webhooks/serve.ts';
import { webhookTable } from '../../../packages/virt-api/src/webhooks/table.ts';
import { growthProblem } from './measure.ts';
import { placesOf, type Schema } from './places.ts';
import { type Entries, sizedObject } from './sized-object.ts';

const LARGE_MAP = 4_000;
const ONLY = new RegExp(process.env['PODVISOR_GROWTH_ONLY'] ?? '');
const ENTRIES: readonly Entries[] = ['apart', 'alike'];
const served = new Webhooks(webhookTable, () => webhookContextForTests);

/** Of what a kind's webhooks are asked about. */
function asked(plural: string, group: string): readonly { path: string; operation: string }[] {
  const operations = ({ rules, path }: WebhookEntry): { path: string; operation: string }[] =>
    rules
      .filter(({ resources, apiGroups }) => resources.includes(plural) && apiGroups.includes(group))
      .flatMap((rule) => rule.operations)
      .filter((operation) => operation === 'CREATE' || operation === 'UPDATE')
      .map((operation) => ({ path, operation }));
  return webhooks.flatMap(operations);
}

for (const { spec } of crds) {
  const { group, names } = spec;
  const version = spec.versions[0];
  const base = validObjects[names.kind];
  const questions = asked(names.plural, group);
  if (base === undefined || questions.length === 0 || version === undefined) continue;
  test(`N against 4N at the webhooks of ${names.kind}`, async () => {
    const problems: string[] = [];
    for (const place of placesOf(version.schema.openAPIV3Schema as Schema, {})) {
      const name = `${names.kind} ${place.path.join('.')}`;
      if (place.path[0] === 'status' || !ONLY.test(name)) continue;
      for (const entries of ENTRIES)
        for (const { path, operation } of questions) {
          const review = (count: number): Promise<unknown> => {
            const object = sizedObject({ ...base }, place, count, entries, {});
            const request = {
              uid: 'u',
              operation,
              namespace: 'default',
              resource: { group, version: version.name, resource: names.plural },
              userInfo: { username: 'tenant' },
              object,
              ...(operation === 'UPDATE'
                ? { oldObject: sizedObject({ ...base }, place, count - 1, entries, {}) }
                : {}),
            };
            return served
              .answer(path, async () => ({ kind: 'AdmissionReview', request }))
              .catch(() => undefined);
          };
          const problem = await growthProblem(review, place.kind === 'list' ? MAX_ENTRIES : LARGE_MAP);
          if (problem !== undefined)
            problems.push(`${name}, ${path} ${operation}, entries ${entries}: ${problem}`);
        }
    }
    assert.deepEqual(problems, []);
  });
}
