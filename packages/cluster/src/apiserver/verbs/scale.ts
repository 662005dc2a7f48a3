/** The scale subresource: a view of `spec.replicas`, `status.replicas` and the selector of an object. */
import type { VerbContext } from '../core.ts';
import type { ScalePaths } from '../registry/definition.ts';
import { mergePatch, parseMergePatch } from '../patch/merge-patch.ts';
import { jsonPatch } from '../patch/json-patch.ts';
import { invalid, invalidObject } from '../wire/field-errors.ts';
import {
  asObject,
  at,
  cloneJson,
  type Json,
  type JsonObject,
  type KubeObject,
  objectAt,
  parseJson,
  stringAt,
} from '../wire/json.ts';
import { badRequest, internal, methodNotAllowed } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { convertOut } from './convert.ts';
import { find } from './get.ts';
import { writeOptions } from './options.ts';
import { unsupportedPatch } from './patch.ts';
import { updateObject } from './update.ts';

const BUILTIN: ScalePaths = {
  specReplicas: ['spec', 'replicas'],
  statusReplicas: ['status', 'replicas'],
  selector: ['spec', 'selector'],
};

export async function scale(context: VerbContext): Promise<Answer> {
  const { info, definition } = context;
  const paths = definition.custom?.scale ?? BUILTIN;
  if (info.verb === 'get') requireReplicas(context, paths);
  if (info.verb === 'get')
    return {
      kind: 'other',
      code: 200,
      body: scaleOf(context, convertOut(definition, find(context).object), paths),
    };
  if (info.verb !== 'update' && info.verb !== 'patch') throw methodNotAllowed();
  const options = writeOptions(context, info.verb === 'update' ? 'UpdateOptions' : 'PatchOptions');
  const text = await context.readBody();
  const type = (context.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
  const stored = await updateObject(context, options, {
    kind: info.verb === 'update' ? 'UpdateOptions' : 'PatchOptions',
    change: (current) => {
      const before = scaleOf(context, current, paths);
      if (type === 'application/strategic-merge-patch+json' && definition.custom !== undefined)
        throw unsupportedPatch();
      const wanted =
        info.verb === 'update'
          ? parsed(text)
          : type === 'application/json-patch+json'
            ? jsonPatch(text)(cloneJson(before))
            : (mergePatch(before, parseMergePatch(text, type)) as JsonObject);
      const name = stringAt(wanted, 'metadata', 'name');
      if (name !== '' && name !== info.name)
        throw badRequest(
          `the name of the object (${name}) does not match the name on the URL (${info.name})`,
        );
      return { object: withReplicas(context, current, wanted, paths), tracked: false };
    },
  });
  return { kind: 'other', code: 200, body: scaleOf(context, convertOut(definition, stored.object), paths) };
}

function requireReplicas(context: VerbContext, { specReplicas }: ScalePaths): void {
  if (at(convertOut(context.definition, find(context).object), ...specReplicas) === undefined)
    throw internal(`the spec replicas field ".${specReplicas.join('.')}" does not exist`);
}

function parsed(text: string): JsonObject {
  const value = asObject(parseJson(text));
  if (value === undefined) throw badRequest('the object provided is unrecognized (must be of type Scale)');
  return value;
}

/** The Scale of an object. */
export function scaleOf({ definition }: VerbContext, object: KubeObject, paths: ScalePaths): JsonObject {
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
  wanted: JsonObject,
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
    here[key] = { ...asObject(here[key]) };
    here = here[key] as JsonObject;
  }
  here[paths.specReplicas.at(-1) ?? 'replicas'] = replicas;
  const version = stringAt(wanted, 'metadata', 'resourceVersion');
  copy.metadata = { ...copy.metadata, resourceVersion: version };
  const uid = stringAt(wanted, 'metadata', 'uid');
  if (uid !== '') copy.metadata.uid = uid;
  return copy;
}
