/** Builds OpenAPI documents from resource definitions. */
import { KUBERNETES_VERSION } from '@podvisor/api';
import { memberOf, setMember } from '@podvisor/base';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { FieldSchema, Schema, StructSchema } from '../registry/schema.ts';
import type { JsonObject } from '../wire/json.ts';

interface Builder {
  readonly schemas: JsonObject;
  readonly refPrefix: string;
  readonly v3: boolean;
}

export function openApiV2(definitions: readonly ResourceDefinition[]): JsonObject {
  const builder: Builder = { schemas: {}, refPrefix: '#/definitions/', v3: false };
  const paths = pathsOf(builder, definitions);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: KUBERNETES_VERSION },
    paths,
    definitions: builder.schemas,
  };
}

export function openApiV3(definitions: readonly ResourceDefinition[]): JsonObject {
  const builder: Builder = { schemas: {}, refPrefix: '#/components/schemas/', v3: true };
  const paths = pathsOf(builder, definitions);
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: KUBERNETES_VERSION },
    paths,
    components: { schemas: builder.schemas },
  };
}

/** `io.k8s.api.apps.v1.Deployment`; custom kinds have their group reversed. */
function kindName({ group, version, kind, custom }: ResourceDefinition): string {
  if (custom !== undefined) return `${group.split('.').toReversed().join('.')}.${version}.${kind}`;
  if (group === 'apiextensions.k8s.io')
    return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${kind}`;
  if (group === 'apiregistration.k8s.io')
    return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}.${kind}`;
  return `io.k8s.api.${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${version}.${kind}`;
}

function pathsOf(builder: Builder, definitions: readonly ResourceDefinition[]): JsonObject {
  const paths: JsonObject = {};
  for (const definition of definitions) {
    const { group, version, kind, plural, namespaced, apiVersion } = definition;
    const gvk = { group, version, kind };
    const name = kindName(definition);
    builder.schemas[name] = { ...rootSchema(builder, definition), 'x-kubernetes-group-version-kind': [gvk] };
    const root = group === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
    const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
    const offered = (
      methods: Readonly<Record<string, readonly [verb: string, action: string]>>,
    ): JsonObject =>
      Object.fromEntries(
        Object.entries(methods)
          .filter(([, [verb]]) => definition.verbs.includes(verb))
          .map(([method, [, action]]) => [method, operation(builder, gvk, action, name)]),
      );
    const all = offered({ get: ['list', 'list'], post: ['create', 'post'] });
    const one = offered({
      get: ['get', 'get'],
      put: ['update', 'put'],
      patch: ['patch', 'patch'],
      delete: ['delete', 'delete'],
    });
    if (Object.keys(all).length > 0) paths[collection] = all;
    if (Object.keys(one).length > 0) paths[`${collection}/{name}`] = one;
  }
  return paths;
}

function operation({ refPrefix, v3 }: Builder, gvk: JsonObject, action: string, name: string): JsonObject {
  const writes = action === 'post' || action === 'put' || action === 'patch';
  const parameter = (parameterName: string): JsonObject => ({
    name: parameterName,
    in: 'query',
    ...(v3 ? { schema: { type: 'string', uniqueItems: true } } : { type: 'string', uniqueItems: true }),
  });
  const schema = { $ref: `${refPrefix}${name}` };
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk,
    parameters: writes ? ['dryRun', 'fieldManager', 'fieldValidation'].map(parameter) : [],
    responses: {
      200: v3
        ? { description: 'OK', content: { 'application/json': { schema } } }
        : { description: 'OK', schema },
    },
  };
}

function rootSchema(builder: Builder, definition: ResourceDefinition): JsonObject {
  const own = definition.custom?.openApi as JsonObject | undefined;
  if (own === undefined)
    return { ...structBody(builder, definition.schema), description: `The ${definition.kind} kind.` };
  addType(builder, 'ObjectMeta', definition.schema.fields.get('metadata')?.schema);
  const properties = {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    ...(own['properties'] as JsonObject | undefined),
    metadata: { $ref: `${builder.refPrefix}${typeName('ObjectMeta')}` },
  };
  return { type: 'object', ...own, properties };
}

const typeName = (name: string): string =>
  name === 'ObjectMeta' ? 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' : `io.k8s.types.${name}`;

function addType(builder: Builder, name: string, schema: Schema | undefined): void {
  const key = typeName(name);
  if (schema?.shape !== 'struct' || builder.schemas[key] !== undefined) return;
  builder.schemas[key] = {};
  builder.schemas[key] = structBody(builder, schema);
}

function structBody(builder: Builder, { fields, atomic }: StructSchema): JsonObject {
  const properties: JsonObject = {};
  const required: string[] = [];
  for (const field of fields.values()) {
    setMember(properties, field.name, fieldBody(builder, field));
    if (field.required) required.push(field.name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(atomic ? { 'x-kubernetes-map-type': 'atomic' } : {}),
  };
}

function fieldBody(builder: Builder, { schema, patch }: FieldSchema): JsonObject {
  const strategy =
    patch === undefined
      ? ''
      : [patch.merge ? 'merge' : '', patch.retainKeys ? 'retainKeys' : '']
          .filter((part) => part !== '')
          .join(',');
  return {
    ...schemaBody(builder, schema),
    ...(strategy === '' ? {} : { 'x-kubernetes-patch-strategy': strategy }),
    ...(patch === undefined || patch.key === '' ? {} : { 'x-kubernetes-patch-merge-key': patch.key }),
  };
}

function schemaBody(builder: Builder, schema: Schema): JsonObject {
  switch (schema.shape) {
    case 'struct': {
      addType(builder, schema.name, schema);
      const $ref = `${builder.refPrefix}${typeName(schema.name)}`;
      return builder.v3 ? { allOf: [{ $ref }] } : { $ref };
    }
    case 'map':
      return { type: 'object', additionalProperties: schemaBody(builder, schema.element) };
    case 'list':
      return {
        type: 'array',
        items: schemaBody(builder, schema.element),
        'x-kubernetes-list-type': schema.listType,
        ...(schema.keys.length === 0 ? {} : { 'x-kubernetes-list-map-keys': [...schema.keys] }),
      };
    case 'scalar':
      return memberOf(SCALARS, schema.type) ?? {};
  }
}

const SCALARS: Readonly<Record<string, JsonObject>> = {
  string: { type: 'string' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  integer: { type: 'integer' },
  double: { type: 'number', format: 'double' },
  bool: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  microtime: { type: 'string', format: 'date-time' },
  bytes: { type: 'string', format: 'byte' },
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
};
