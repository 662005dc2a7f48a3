/** The scale subresource: a view of `spec.replicas`, `status.replicas` and the selector of an object. */
import type { VerbContext } from '../../core.ts';
import { applyConfig, trackUpdate } from '../../managed/field-manager.ts';
import { managersAfterScale, managersOfScale, type ReplicaPaths } from '../../managed/scale-managers.ts';
import { builtinType } from '../../registry/builtin-type.ts';
import type { ScalePaths } from '../../registry/definition.ts';
import { invalid, invalidObject } from '../../wire/field-errors.ts';
import {
  asObject,
  at,
  cloneJson,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
} from '../../wire/json.ts';
import { internal, methodNotAllowed, ReasonlessError } from '../../wire/status.ts';
import type { Answer } from '../answer.ts';
import { isApply, readConfig } from '../apply.ts';
import { convertOut, prepareConversion } from '../convert.ts';
import { decodeBody, targetOf } from '../decode-body.ts';
import { find } from '../read/get.ts';
import { managedContext } from '../managed-context.ts';
import { type WriteOptions, writeOptions } from '../options.ts';
import { decodePatched, readPatch } from '../patch.ts';
import { checkNames, updateObject } from '../update.ts';

const BUILTIN: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: ['spec', 'selector'],
};

export async function scale(context: VerbContext): Promise<Answer> {
  const { info, definition } = context;
  const paths = definition.custom?.scale ?? BUILTIN;
  if (info.verb === 'get') await prepareConversion(definition, [find(context).object], 'out');
  if (info.verb === 'get') requireReplicas(context, paths);
  if (info.verb === 'get')
    return {
      kind: 'other',
      code: 200,
      body: scaleOf(context, convertOut(definition, find(context).object), paths),
    };
  if (info.verb !== 'update' && info.verb !== 'patch') throw methodNotAllowed();
  const options = writeOptions(
    context,
    info.verb === 'update' ? 'UpdateOptions' : 'PatchOptions',
    isApply(context),
  );
  const wanted = await wantedScale(context, options);
  const replicas = replicaPaths(context);
  const stored = await updateObject(context, options, {
    kind: info.verb === 'update' ? 'UpdateOptions' : 'PatchOptions',
    view: {
      of: (object) => scaleOf(context, object, paths),
      into: (object, seen) => withReplicas(context, object, seen, paths),
    },
    change: (current) => {
      const before = scaleOf(context, current, paths);
      const managedFields = managersOfScale(current.metadata, replicas);
      if (managedFields !== undefined) before.metadata.managedFields = managedFields;
      const asked = wanted(before);
      const object = withReplicas(context, current, asked, paths);
      const { managedFields: _, ...metadata } = object.metadata;
      const after = managersAfterScale(current.metadata, asked.metadata, replicas, definition.apiVersion);
      object.metadata = { ...metadata, ...(after === undefined ? {} : { managedFields: after }) };
      return { object, tracked: true };
    },
  });
  await prepareConversion(definition, [stored.object], 'out');
  return { kind: 'other', code: 200, body: scaleOf(context, convertOut(definition, stored.object), paths) };
}

/** The request as if Scale were the resource: bodies and patches are read as Scales. */
function asScale(context: VerbContext): VerbContext {
  const schema = builtinType('autoscaling/v1', 'Scale');
  if (schema === undefined) throw internal('the type of Scale is missing');
  const scaleKind = { group: 'autoscaling', version: 'v1', apiVersion: 'autoscaling/v1', kind: 'Scale' };
  return { ...context, definition: { ...context.definition, ...scaleKind, schema, custom: undefined } };
}

/** Reads the request; what it gives makes the new Scale, with its managed fields, from the present one. */
async function wantedScale(
  context: VerbContext,
  options: WriteOptions,
): Promise<(before: KubeObject) => KubeObject> {
  const seen = asScale(context);
  const id = {
    manager: options.fieldManager,
    operation: isApply(context) ? 'Apply' : 'Update',
    apiVersion: 'autoscaling/v1',
    subresource: 'scale',
  } as const;
  const track = (before: KubeObject, object: KubeObject): KubeObject =>
    trackUpdate(managedContext(seen), before, object, id);
  if (context.info.verb === 'update') {
    const sent = await decodeBody(seen, targetOf(seen.definition), options.fieldValidation);
    checkNames(seen, sent);
    return (before) => track(before, { ...sent, metadata: { ...sent.metadata } });
  }
  if (isApply(context)) {
    const config = await readConfig(seen, options);
    if (context.definition.custom !== undefined)
      throw new ReasonlessError(
        500,
        `failed to convert new object (${config.metadata.namespace ?? ''}/${config.metadata.name ?? ''}; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1`,
      );
    return (before) => applyConfig(managedContext(seen), before, config, id, options.force).object;
  }
  const patcher = readPatch(seen, context.definition.custom !== undefined, await context.readBody());
  return (before) => track(before, decodePatched(seen, options, before, patcher(before), patcher));
}

/** Where each version of the resource has its replicas. */
function replicaPaths({ core, definition }: VerbContext): ReplicaPaths {
  const paths = new Map<string, readonly string[] | undefined>();
  for (const version of core.registry.all())
    if (version.collection === definition.collection)
      paths.set(
        version.apiVersion,
        (version.custom === undefined ? BUILTIN : version.custom.scale)?.specReplicas,
      );
  return paths;
}

function requireReplicas(context: VerbContext, { specReplicas }: ScalePaths): void {
  if (at(convertOut(context.definition, find(context).object), ...specReplicas) === undefined)
    throw internal(`the spec replicas field ".${specReplicas.join('.')}" does not exist`);
}

/** The Scale of an object. */
export function scaleOf({ definition }: VerbContext, object: KubeObject, paths: ScalePaths): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const replicas = at(object, ...paths.specReplicas);
  const current = at(object, ...paths.statusReplicas);
  const selector =
    paths.selector === undefined
      ? ''
      : selectorText(at(object, ...paths.selector), definition.custom === undefined);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: { ...(typeof replicas === 'number' && replicas !== 0 ? { replicas } : {}) },
    status: { replicas: typeof current === 'number' ? current : 0, ...(selector === '' ? {} : { selector }) },
  };
}

function selectorText(selector: Json | undefined, builtin: boolean): string {
  if (!builtin || typeof selector === 'string') return typeof selector === 'string' ? selector : '';
  const labels =
    at(selector, 'matchLabels') === undefined && at(selector, 'matchExpressions') === undefined
      ? objectAt({ selector }, 'selector')
      : objectAt(selector, 'matchLabels');
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(',');
}

function withReplicas(
  { definition, info }: VerbContext,
  current: KubeObject,
  wanted: KubeObject,
  paths: ScalePaths,
): KubeObject {
  const replicas = at(wanted, 'spec', 'replicas') ?? 0;
  if (typeof replicas !== 'number' || replicas < 0) {
    if (definition.custom !== undefined)
      throw invalidObject(definition.kind, definition.group, info.name, [
        invalid(`.${paths.specReplicas.join('.')}`, replicas, 'should be a non-negative integer'),
      ]);
    throw invalidObject('Scale', 'autoscaling', info.name, [
      invalid('spec.replicas', replicas, 'must be greater than or equal to 0'),
    ]);
  }
  const copy = cloneJson(current);
  let here: JsonObject = copy;
  for (const key of paths.specReplicas.slice(0, -1)) {
    const next = { ...asObject(here[key]) };
    here[key] = next;
    here = next;
  }
  here[paths.specReplicas.at(-1) ?? 'replicas'] = replicas;
  const { resourceVersion = '', uid = '' } = wanted.metadata;
  copy.metadata = { ...copy.metadata, resourceVersion, ...(uid === '' ? {} : { uid }) };
  return copy;
}
