/** Server-side apply: creates what does not exist, merges into what does. */
import { StatusError } from '@podvisor/base';
import { type VerbContext, warn } from '../core.ts';
import { applyConfig } from '../managed/field-manager.ts';
import { DuplicateItemError } from '../managed/typed.ts';
import { pathText } from '../managed/path-set.ts';
import { typedProblem } from '../managed/check-typed.ts';
import { decodeAs, DecodeError } from '../registry/decode.ts';
import { asObject, cloneJson, type JsonObject, type KubeObject } from '../wire/json.ts';
import { badRequest, notFound, ReasonlessError } from '../wire/status.ts';
import { parseYaml, YamlError } from '../wire/yaml.ts';
import type { Answer } from './answer.ts';
import { createObject } from './create.ts';
import { managedContext } from './managed-context.ts';
import { storeKey } from './serialize.ts';
import { updateObject } from './update.ts';
import { type WriteOptions, writeOptions } from './options.ts';

/** True for a server-side apply. */
export function isApply({ headers }: VerbContext): boolean {
  return (headers['content-type'] ?? '').split(';')[0]?.trim() === 'application/apply-patch+yaml';
}

/** The configuration in the body, checked against the type of the definition. */
export async function readConfig(context: VerbContext, options: WriteOptions): Promise<KubeObject> {
  return decodeConfig(context, await context.readBody(), options);
}

export async function apply(context: VerbContext): Promise<Answer> {
  const { core, definition, info } = context;
  const options = writeOptions(context, 'PatchOptions', true);
  const given = ownPart(context, decodeConfig(context, await context.readBody(), options));
  const config: KubeObject = {
    ...given,
    metadata: {
      ...given.metadata,
      name: info.name,
      ...(definition.namespaced ? { namespace: info.namespace } : {}),
    },
  };
  const id = {
    manager: options.fieldManager,
    operation: 'Apply',
    apiVersion: definition.apiVersion,
    subresource: info.subresource,
  } as const;
  const merge = (
    live: KubeObject | undefined,
  ): { object: KubeObject; tracked: boolean; unchanged?: boolean } => {
    try {
      const { object, changed } = applyConfig(managedContext(context), live, config, id, options.force);
      return { object: normalise(context, object), tracked: true, unchanged: !changed };
    } catch (error) {
      if (error instanceof DuplicateItemError) throw failedToType(context, given, error);
      if (error instanceof DecodeError) throw unconverted(context, error);
      throw error;
    }
  };
  const key = storeKey(definition, definition.namespaced ? info.namespace : '', info.name);
  if (core.store.latest(key) === undefined) {
    if (info.subresource !== '') throw notFound(definition, info.name);
    const { uid = '', resourceVersion = '' } = config.metadata;
    if (uid !== '' || resourceVersion !== '') {
      throw new StatusError(
        'Conflict',
        `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      );
    }
    if ((given.metadata.name ?? '') === '')
      throw badRequest(
        `the name of the object (${info.name} based on URL) was undeterminable: name must be provided`,
      );
    const { object } = merge(undefined);
    return { kind: 'object', code: 201, stored: await createObject(context, object, options, false) };
  }
  const stored = await updateObject(context, options, {
    kind: 'PatchOptions',
    change: (current) => merge(current),
  });
  return { kind: 'object', code: 200, stored };
}

/** What this endpoint writes: of the status only `/status` speaks, and `/status` of nothing else. */
function ownPart({ definition, info }: VerbContext, config: KubeObject): KubeObject {
  if (!definition.subresources.has('status')) return config;
  if (info.subresource !== 'status') {
    const { status: _status, ...rest } = config;
    return { ...rest, metadata: config.metadata };
  }
  const { apiVersion, kind, metadata, status } = config;
  return { apiVersion, kind, metadata, ...(status === undefined ? {} : { status }) };
}

/** Built-in types in their own order, without empty values. */
function normalise({ definition }: VerbContext, object: KubeObject): KubeObject {
  return definition.custom === undefined ? (decodeAs(definition.schema, object, []) as KubeObject) : object;
}

/** The merged object is none of its type: a quantity or time that is none. */
function unconverted({ definition, info }: VerbContext, { message }: DecodeError): ReasonlessError {
  const kind = `${definition.apiVersion}, Kind=${definition.kind}`;
  return new ReasonlessError(
    500,
    `failed to convert new object (${info.namespace}/${info.name}; ${kind}) to proper version: unable to convert unstructured object to ${kind}: ${message}`,
  );
}

function failedToType(
  context: VerbContext,
  config: KubeObject,
  { path }: DuplicateItemError,
): ReasonlessError {
  return untyped(
    context,
    config,
    `${pathText(path.slice(0, -1))}: duplicate entries for key ${pathText(path.slice(-1))}`,
  );
}

function untyped({ definition }: VerbContext, config: KubeObject, why: string): ReasonlessError {
  const { namespace = '', name = '' } = config.metadata;
  return new ReasonlessError(
    500,
    `failed to create typed patch object (${namespace}/${name}; ${definition.group}/${definition.version}, Kind=${definition.kind}): ${why}`,
  );
}

function decodeConfig(context: VerbContext, text: string, options: WriteOptions): KubeObject {
  const { definition, info } = context;
  const { kind, apiVersion } = definition;
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
  if ((value['apiVersion'] ?? '') !== apiVersion || (value['kind'] ?? '') !== kind) throw wrongType(value);
  const config = cloneJson(value) as KubeObject;
  config.metadata ??= {};
  const problem = typedProblem(definition.schema, config, '');
  if (problem !== undefined) throw untyped(context, config, problem);
  if (problems.length > 0 && options.fieldValidation === 'Strict')
    throw badRequest(`strict decoding error: ${problems.join(', ')}`);
  for (const text of problems) if (options.fieldValidation === 'Warn') warn(context, text);
  if (config.metadata.managedFields !== undefined) throw badRequest('metadata.managedFields must be nil');
  const namespace = config.metadata.namespace ?? '';
  if (definition.namespaced && namespace !== '' && namespace !== info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  const name = config.metadata.name ?? '';
  if (name !== '' && name !== info.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
  return config;
}

function wrongType(value: JsonObject): StatusError {
  if (value['kind'] === undefined || value['kind'] === '')
    return badRequest(`Object 'Kind' is missing in '${JSON.stringify(value)}'`);
  // A group and version are written with their slash, also where the group is empty.
  const version = String(value['apiVersion'] ?? '');
  const shown = version.includes('/') ? version : `/${version}`;
  return badRequest(`invalid object type: ${shown}, Kind=${String(value['kind'])}`);
}
