/** Server-side apply: creates what does not exist, merges into what does. */
import { StatusError } from '@podvisor/base';
import { type VerbContext, warn } from '../core.ts';
import { applyConfig } from '../managed/field-manager.ts';
import { DuplicateItemError } from '../managed/typed.ts';
import { pathText } from '../managed/path-set.ts';
import { decodeAs, DecodeError } from '../registry/decode.ts';
import { asObject, cloneJson, type JsonObject, type KubeObject } from '../wire/json.ts';
import { badRequest, notFound } from '../wire/status.ts';
import { parseYaml, YamlError } from '../wire/yaml.ts';
import type { Answer } from './answer.ts';
import { createObject } from './create.ts';
import { managedContext } from './managed-context.ts';
import { storeKey } from './serialize.ts';
import { updateObject } from './update.ts';
import { type WriteOptions, writeOptions } from './options.ts';

export async function apply(context: VerbContext): Promise<Answer> {
  const { core, definition, info } = context;
  const options = writeOptions(context, 'PatchOptions', true);
  const config = decodeConfig(context, await context.readBody(), options);
  const id = { manager: options.fieldManager, operation: 'Apply', apiVersion: definition.apiVersion, subresource: info.subresource } as const;
  const merge = (live: KubeObject | undefined): { object: KubeObject; tracked: boolean; unchanged?: boolean } => {
    try {
      const { object, changed } = applyConfig(managedContext(context), live, config, id, options.force);
      return { object: normalise(context, object), tracked: true, unchanged: !changed };
    } catch (error) {
      if (error instanceof DuplicateItemError) throw failedToType(context, error);
      throw error;
    }
  };
  const key = storeKey(definition, definition.namespaced ? info.namespace : '', info.name);
  if (core.store.latest(key) === undefined) {
    if (info.subresource !== '') throw notFound(definition, info.name);
    const { uid = '', resourceVersion = '' } = config.metadata;
    if (uid !== '' || resourceVersion !== '') {
      throw new StatusError('Conflict', `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`);
    }
    const { object } = merge(undefined);
    return { kind: 'object', code: 201, stored: await createObject(context, object, options, false) };
  }
  const stored = await updateObject(context, options, { kind: 'PatchOptions', change: (current) => merge(current) });
  return { kind: 'object', code: 200, stored };
}

/** Built-in types in their own order, without empty values. */
function normalise({ definition }: VerbContext, object: KubeObject): KubeObject {
  return definition.custom === undefined ? (decodeAs(definition.schema, object, []) as KubeObject) : object;
}

function failedToType({ definition, info }: VerbContext, { path }: DuplicateItemError): StatusError {
  const where = pathText(path.slice(0, -1)) + pathText(path.slice(-1));
  return new StatusError(
    'InternalError',
    `failed to create manager for existing fields: failed to convert new object (${definition.namespaced ? `${info.namespace}/` : ''}${info.name}; ${definition.apiVersion}, Kind=${definition.kind}) to smd typed: ${where}: duplicate entries for key ${pathText(path.slice(-1))}`,
    { code: 500 },
  );
}

function decodeConfig(context: VerbContext, text: string, options: WriteOptions): KubeObject {
  const { definition, info } = context;
  const { kind, version, apiVersion } = definition;
  let value: JsonObject;
  let problems: string[] = [];
  try {
    const parsed = parseYaml(text);
    value = asObject(parsed.value) ?? {};
    problems = parsed.duplicates;
  } catch (error) {
    if (error instanceof YamlError) throw badRequest(`error decoding YAML: ${error.message}`);
    throw error;
  }
  if ((value['apiVersion'] ?? '') !== apiVersion || (value['kind'] ?? '') !== kind) throw wrongType(context, value);
  const unknown: string[] = [];
  let config: KubeObject;
  try {
    config = definition.custom === undefined ? checkedConfig(definition, value, unknown) : prunedConfig(context, value, unknown);
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
    throw error;
  }
  config.metadata ??= {};
  const problemsAll = [...problems, ...unknown.map((path) => `unknown field "${path}"`)];
  if (unknown.length > 0 && definition.custom === undefined) throw typedUnknown(context, unknown[0] ?? '');
  if (problemsAll.length > 0 && options.fieldValidation === 'Strict') {
    throw badRequest(`error decoding YAML: strict decoding error: ${problemsAll.join(', ')}`.replace('error decoding YAML: ', ''));
  }
  for (const problem of problemsAll) if (options.fieldValidation === 'Warn') warn(context, problem);
  if (config.metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  const name = config.metadata.name ?? '';
  if (name !== '' && name !== info.name) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
  config.metadata.name = info.name;
  if (definition.namespaced) config.metadata.namespace = info.namespace;
  return config;
}

/** Only the fields that were given: defaults and empty values of the type are not part of a configuration. */
function checkedConfig(definition: VerbContext['definition'], value: JsonObject, unknown: string[]): KubeObject {
  decodeAs(definition.schema, value, unknown);
  return dropUnknown(value);
}

function dropUnknown(value: JsonObject): KubeObject {
  return cloneJson(value) as KubeObject;
}

function prunedConfig({ definition }: VerbContext, value: JsonObject, unknown: string[]): KubeObject {
  const config = cloneJson(value) as KubeObject;
  config.metadata ??= {};
  unknown.push(...(definition.custom?.prune(config) ?? []));
  return config;
}

function typedUnknown({ definition, info }: VerbContext, field: string): StatusError {
  const path = field.startsWith('.') ? field : `.${field}`;
  return new StatusError(
    'InternalError',
    `failed to create typed patch object (${definition.namespaced ? `${info.namespace}/` : ''}${info.name}; ${definition.apiVersion}, Kind=${definition.kind}): ${path}: field not declared in schema`,
    { code: 500 },
  );
}

function wrongType({ definition }: VerbContext, value: JsonObject): StatusError {
  const given = typeof value['apiVersion'] === 'string' ? value['apiVersion'] : '';
  if (value['kind'] === undefined || value['kind'] === '') return badRequest(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  return badRequest(`Incorrect version specified in apply patch. Specified patch version: ${given}, expected: ${definition.apiVersion}`);
}
