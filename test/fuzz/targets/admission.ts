/** Objects of tenants as the webhooks get them: before the API server has looked at their schema. */
import { crdFor, schemaProblems, webhooks } from '@podvisor/api';
import { StatusError } from '@podvisor/base';
import { validObjects } from '../../../packages/virt-api/src/testing/valid-objects.ts';
import { webhookContextForTests } from '../../../packages/virt-api/src/testing/webhook-context.ts';
import { Webhooks } from '../../../packages/virt-api/src/webhooks/serve.ts';
import { webhookTable } from '../../../packages/virt-api/src/webhooks/table.ts';
import { bytes, expect, type FuzzTarget, text } from '../frame/target.ts';
import { jsonText } from './json-grammar.ts';

const served = new Webhooks(webhookTable, () => webhookContextForTests);
const objects = Object.values(validObjects);

/** The webhooks of a kind. */
const ASKED = new Map(
  Object.entries(validObjects).map(([kind, valid]) => {
    const { group, names, versions } = crdFor(kind).spec;
    const asked = webhooks
      .filter(({ rules }) => rules.some(({ resources }) => resources.includes(names.plural)))
      .map(({ path, type, rules }) => ({
        path,
        type,
        operations: new Set(rules.flatMap((rule) => rule.operations)),
        resource: { group, version: rules[0]?.apiVersions[0], resource: names.plural },
      }));
    return [kind, { valid, asked, schema: versions[0]?.schema.openAPIV3Schema ?? {} }] as const;
  }),
);

export const target: FuzzTarget = {
  seeds: objects.map((object) => bytes(JSON.stringify(object))),
  words: [
    'null',
    '[]',
    '{}',
    '""',
    '-1',
    '1e30',
    'true',
    '"1Gi"',
    '"__proto__":{}',
    '"name":',
    '{"name":"a"}',
    ',',
    '"a"',
  ],
  generate: (random) => {
    // One value of a valid object becomes another.
    const values = JSON.stringify(random.pick(objects)).split(/(?<=:)/);
    const at = 1 + random.below(values.length - 1);
    const old = values[at] ?? '';
    values[at] = jsonText(random) + old.slice(/^("[^"]*"|[^,}\]]*)/.exec(old)?.[0].length ?? 0);
    return bytes(values.join(''));
  },
  maxBytes: 16 * 1024,
  refuses: (error) => error instanceof StatusError || error instanceof SyntaxError,
  feed: async (input) => {
    const given: unknown = JSON.parse(text(input));
    if (typeof given !== 'object' || given === null || !('kind' in given)) return;
    const known = typeof given.kind === 'string' ? ASKED.get(given.kind) : undefined;
    if (known === undefined) return;
    // Metadata is read by the API server before it asks anybody.
    const object = { ...given, metadata: known.valid.metadata };
    const fits = schemaProblems(object, known.schema).length === 0;
    for (const { path, type, operations, resource } of known.asked) {
      // Validating webhooks are asked after the schema, mutating ones before it.
      if (type === 'Validating' && !fits) continue;
      for (const operation of operations) {
        const old = operation === 'CREATE' ? {} : { oldObject: known.valid };
        const review = { uid: 'u', operation, resource, userInfo: { username: 'tenant' }, object, ...old };
        const body = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request: review };
        expect((await served.answer(path, async () => body)) !== undefined, 'a webhook answers');
      }
    }
  },
};
