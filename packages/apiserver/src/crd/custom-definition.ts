/** The definition of one served version of a CRD. */
import type {
  Conversion,
  CustomBehaviour,
  ResourceDefinition,
  ScalePaths,
  Subresource,
} from '../registry/definition.ts';
import { ALL_VERBS } from '../registry/definition.ts';
import {
  arrayAt,
  asString,
  at,
  cloneJson,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../wire/json.ts';
import { type RuleSet, compileRules, validateRules } from './cel/cel-rules.ts';
import { applySchemaDefaults, dropNulls } from './default.ts';
import { valuesAt } from './json-path.ts';
import { customPrinter, type PrinterColumn } from './printer.ts';
import { pruneRoot } from './prune.ts';
import type { SchemaProps } from './schema-props.ts';
import { rootType } from './type-schema.ts';
import { validateSchema } from './validate.ts';
import { type ConversionParts, webhookConversion } from './webhook-conversion.ts';

/** Definitions of all served versions of an accepted CRD. */
export function customDefinitions(crd: KubeObject, parts: ConversionParts): ResourceDefinition[] {
  const spec = objectAt(crd, 'spec');
  const versions = arrayAt(spec, 'versions');
  const storage = versions.find((version) => at(version, 'storage') === true);
  return versions
    .filter((version) => at(version, 'served') === true)
    .map((version) => define(crd, version, storage ?? version, parts));
}

function define(crd: KubeObject, version: Json, storage: Json, parts: ConversionParts): ResourceDefinition {
  const spec = objectAt(crd, 'spec');
  const names = objectAt(crd, 'status', 'acceptedNames');
  const group = stringAt(spec, 'group');
  const name = stringAt(version, 'name');
  const kind = stringAt(names, 'kind');
  const plural = stringAt(names, 'plural');
  const schema = schemaOf(version);
  const custom = behaviour(version, schema);
  const conversion =
    byWebhook(spec, name, stringAt(storage, 'name'), parts) ??
    (stringAt(storage, 'name') === name ? undefined : conversionOf(group, name, version, storage));
  return {
    group,
    version: name,
    apiVersion: `${group}/${name}`,
    kind,
    listKind: stringAt(names, 'listKind'),
    plural,
    singular: stringAt(names, 'singular'),
    namespaced: stringAt(spec, 'scope') === 'Namespaced',
    shortNames: arrayAt(names, 'shortNames').map(asString),
    categories: arrayAt(names, 'categories').map(asString),
    verbs: ALL_VERBS,
    subresources: subresources(version, kind),
    collection: `${group}/${plural}`,
    storageVersion: stringAt(storage, 'name'),
    schema: rootType(schema),
    rules: {},
    printer: customPrinter(arrayAt(version, 'additionalPrinterColumns') as unknown as PrinterColumn[]),
    custom: { ...custom, deprecation: deprecationOf(crd, version) },
    ...(conversion === undefined ? {} : { conversion }),
  };
}

function schemaOf(version: Json): SchemaProps {
  return (at(version, 'schema', 'openAPIV3Schema') ?? {
    'x-kubernetes-preserve-unknown-fields': true,
  }) as SchemaProps;
}

function subresources(version: Json, kind: string): Map<string, Subresource> {
  const found = new Map<string, Subresource>();
  const verbs = ['get', 'patch', 'update'];
  if (at(version, 'subresources', 'status') !== undefined)
    found.set('status', { name: 'status', kind, verbs });
  if (at(version, 'subresources', 'scale') !== undefined)
    found.set('scale', { name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs });
  return found;
}

function behaviour(version: Json, schema: SchemaProps): CustomBehaviour {
  let rules: RuleSet | undefined;
  const paths = arrayAt(version, 'selectableFields').map((field) => stringAt(field, 'jsonPath'));
  return {
    prune: (object) => pruneRoot(schema, object),
    default: (object) => {
      dropNulls(schema, object);
      applySchemaDefaults(schema, object);
    },
    validate: (object, old) => {
      const errors = validateSchema(schema, object, '', old, old !== undefined);
      rules ??= compileRules(schema);
      return [...errors, ...validateRules(rules, object, old, errors)];
    },
    selectable: paths.map((path) => path.replace(/^\./, '')),
    select: (object, field) => {
      const value = valuesAt(object, `.${field}`)[0];
      return value === undefined || value === null ? '' : String(value);
    },
    deprecation: undefined,
    statusSubresource: at(version, 'subresources', 'status') !== undefined,
    scale: scaleOf(version),
    openApi: schema,
  };
}

function scaleOf(version: Json): ScalePaths | undefined {
  const scale = at(version, 'subresources', 'scale');
  if (scale === undefined) return undefined;
  const split = (key: string): string[] => stringAt(scale, key).split('.').slice(1);
  return {
    specReplicas: split('specReplicasPath'),
    statusReplicas: split('statusReplicasPath'),
    selector: stringAt(scale, 'labelSelectorPath') === '' ? undefined : split('labelSelectorPath'),
  };
}

function deprecationOf(crd: KubeObject, version: Json): string | undefined {
  if (at(version, 'deprecated') !== true) return undefined;
  const given = at(version, 'deprecationWarning');
  if (typeof given === 'string') return given;
  const spec = objectAt(crd, 'spec');
  const group = stringAt(spec, 'group');
  const kind = stringAt(spec, 'names', 'kind');
  const better = arrayAt(spec, 'versions').find(
    (other) => at(other, 'served') === true && at(other, 'deprecated') !== true,
  );
  const use = better === undefined ? '' : `; use ${group}/${stringAt(better, 'name')} ${kind}`;
  return `${group}/${stringAt(version, 'name')} ${kind} is deprecated${use}`;
}

/** Strategy Webhook; undefined for None, and while there is nothing to convert between. */
function byWebhook(
  spec: JsonObject,
  own: string,
  storage: string,
  parts: ConversionParts,
): Conversion | undefined {
  const versions = arrayAt(spec, 'versions');
  if (stringAt(spec, 'conversion', 'strategy') !== 'Webhook' || versions.length < 2) return undefined;
  const group = stringAt(spec, 'group');
  return webhookConversion({
    ...parts,
    webhook: at(spec, 'conversion', 'webhook'),
    own: `${group}/${own}`,
    storage: `${group}/${storage}`,
    finish: (object) => {
      const version = versions.find((other) => `${group}/${stringAt(other, 'name')}` === object.apiVersion);
      const schema = schemaOf(version ?? null);
      pruneRoot(schema, object);
      applySchemaDefaults(schema, object);
    },
  });
}

/** Strategy None: only the apiVersion changes; each version then prunes and defaults for itself. */
function conversionOf(group: string, name: string, version: Json, storage: Json): Conversion {
  const [own, stored] = [schemaOf(version), schemaOf(storage)];
  const convert = (object: KubeObject, to: string, schema: SchemaProps): KubeObject => {
    const copy = { ...cloneJson(object), apiVersion: `${group}/${to}` };
    pruneRoot(schema, copy);
    return copy;
  };
  return {
    toStorage: (object) => {
      const kept = convert(object, stringAt(storage, 'name'), stored);
      applySchemaDefaults(stored, kept);
      return kept;
    },
    fromStorage: (object) => convert(object, name, own),
  };
}
