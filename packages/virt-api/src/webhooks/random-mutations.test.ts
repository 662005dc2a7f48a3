/**
 * Random changes of valid objects, sent to every webhook of their kind: none may crash, and every refusal must
 * name a field that exists, or one of the few old names that clients know.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomFrom } from '@podvisor/base';
import { crdFor, type KubernetesObject, schemaProblems, webhooks } from '@podvisor/api';
import { mutated } from '../testing/random-mutation.ts';
import { validObjects } from '../testing/valid-objects.ts';
import { webhookContextForTests } from '../testing/webhook-context.ts';
import { Webhooks } from './serve.ts';
import { webhookTable } from './table.ts';

const RUNS = 10_000;
const served = new Webhooks(webhookTable, () => webhookContextForTests);

type Schema = NonNullable<ReturnType<typeof schemaOf>>;
const schemaOf = (kind: string) => crdFor(kind).spec.versions[0]?.schema.openAPIV3Schema;

/** Names in causes that are no path of the object; KubeVirt's clients have always seen them so. */
const OLD_NAMES: readonly RegExp[] = [
  /^$/,
  /(^|\.)(interfaces|launchSecurity|GPUs|HostDevices|Sound|video|acpi(\..*)?)$/,
  /^(nameservers|searchDomains|options)$/,
  /\.domain\.devices\.disks\.domain\.devices\.disks/,
  /\.domain\.devices\.disks\.luns\.reservation$/,
  /\.domain\.features\.hyperv\.domain\.features\.hyperv/,
  /\.domain\.volumes\[/,
  /\.domain\.ioThreads\.count$/,
  /dataVolumeTemplate\[/,
  /\.(podAffinity|podAntiAffinity|nodeAffinity)\b/,
  /^spec(\.template\.spec)?\[\d+\]\.bootOrder$/,
  /topologySpreadConstraints/,
  /^Status\.volumeRequests/,
  /^spec\.(Source|Target)(\.|$)/,
  /^spec(\.template)?\.(annotations|labels)$/,
  /^spec\.source\.APIGroup$/,
  /^spec\.(migrationPriority|template)$/,
  /ciphers#\d+$/,
];

function exists(path: string, schema: Schema): boolean {
  let at: Schema | undefined = schema;
  for (const key of path.replaceAll(/\[\d+\]/g, '.[]').split('.')) {
    if (at === undefined) return false;
    if (at['x-kubernetes-preserve-unknown-fields'] === true) return true;
    at = key === '[]' ? at.items : (at.properties?.[key] ?? at.additionalProperties);
    // Metadata is Kubernetes' own: its schema is not in the CRD.
    if (key === 'metadata' && at?.properties === undefined) return true;
  }
  return at !== undefined;
}

/** Names of all fields of a schema. */
function fieldsOf(schema: Schema): readonly string[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [name, ...fieldsOf(property)]),
    ...(schema.items ? fieldsOf(schema.items) : []),
  ];
}

interface Answer {
  readonly response: {
    readonly allowed: boolean;
    readonly status?: {
      readonly message: string;
      readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
    };
  };
}

async function ask(
  path: string,
  operation: string,
  object: KubernetesObject,
  oldObject: KubernetesObject,
): Promise<Answer> {
  const rule = webhooks.find((entry) => entry.path === path)?.rules[0];
  const resource = {
    group: rule?.apiGroups[0],
    version: rule?.apiVersions[0],
    resource: rule?.resources[0]?.split('/')[0],
  };
  const request = {
    uid: 'u',
    operation,
    resource,
    namespace: 'default',
    name: 'x',
    object,
    oldObject: operation === 'CREATE' ? null : oldObject,
  };
  return (await served.answer(path, async () => ({ kind: 'AdmissionReview', request }))) as Answer;
}

test(`${RUNS} random changes crash no webhook, and refusals name fields that exist`, async () => {
  const random = randomFrom(Number(process.env.PODVISOR_SEED ?? 20_260_101));
  const subjects = Object.entries(validObjects).map(([kind, object]) => {
    const schema = schemaOf(kind) ?? {};
    assert.deepEqual(schemaProblems(object, schema), [], kind);
    return { kind, object, schema, fields: fieldsOf(schema) };
  });
  const asked = (kind: string) =>
    webhooks.flatMap(({ path, rules, type }) =>
      rules
        .filter(({ resources }) => resources.some((name) => name.split('/')[0] === pluralOf(kind)))
        .flatMap(({ operations }) => operations.map((operation) => ({ path, operation, type }))),
    );
  const unknown = new Map<string, string>();
  let refusals = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const { kind, object, schema, fields } = subjects[run % subjects.length] ?? assert.fail();
    // Metadata is read by the API server before it asks anybody.
    const changed = { ...object, spec: mutated(object.spec, random, fields) };
    for (const { path, operation, type } of asked(kind)) {
      // Validating webhooks are asked after the schema, mutating ones before it.
      if (type === 'Validating' && schemaProblems(changed, schema).length > 0) continue;
      const { response } = await ask(path, operation, changed, object).catch((error: unknown) => {
        throw new Error(`run ${run}: ${path} ${operation} crashed on ${JSON.stringify(changed)}`, {
          cause: error,
        });
      });
      if (response.allowed) continue;
      refusals += 1;
      assert.ok(response.status?.message, `${path}: a refusal without a word`);
      for (const { field = '' } of response.status.details?.causes ?? []) {
        if (!exists(field, schema) && !OLD_NAMES.some((name) => name.test(field))) unknown.set(field, path);
      }
    }
  }
  assert.deepEqual([...unknown], []);
  assert.ok(refusals > RUNS / 20, `${refusals} refusals`);
});

function pluralOf(kind: string): string {
  return crdFor(kind).spec.names.plural;
}
