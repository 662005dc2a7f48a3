/**
 * PUT, and the common end of PATCH and apply: read the newest object, change it, admit, validate, store.
 * When someone else wrote meanwhile, a change that did not name a resourceVersion is tried again.
 */
import type { Stored } from '../../store/types.ts';
import type { Attributes } from '../admission/attributes.ts';
import { type VerbContext, warn } from '../core.ts';
import { trackUpdate } from '../managed/field-manager.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { deepEqual } from '@podvisor/base';
import { type FieldError, invalid, invalidObject } from '../wire/field-errors.ts';
import { arrayAt, at, cloneJson, type JsonObject, type KubeObject, objectAt } from '../wire/json.ts';
import { badRequest, conflict, MODIFIED, notFound, ReasonlessError } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { convertIn, convertOut, prepareConversion } from './convert.ts';
import { afterAdmission, applyDefaults, createObject, optionsObject } from './create.ts';
import { decodeBody, targetOf } from './decode-body.ts';
import { finishDeletion } from './finish-deletion.ts';
import { managedContext } from './managed-context.ts';
import { validateMetadata, validateMetadataUpdate } from './metadata.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { ruleContext } from './rule-context.ts';
import { storedForm, storeKey } from './serialize.ts';

const MAX_TRIES = 20;

/** Subresources that write what an ordinary update may not. */
const OWN_WAY: ReadonlySet<string> = new Set(['binding', 'finalize']);

/** Subresources that write a part of a Pod. */
const POD_PARTS: ReadonlySet<string> = new Set(['resize', 'ephemeralcontainers']);

export async function update(context: VerbContext): Promise<Answer> {
  const { definition, info, core } = context;
  const options = writeOptions(context, 'UpdateOptions');
  const object = await decodeBody(context, targetOf(definition), options.fieldValidation);
  checkNames(context, object);
  const key = storeKey(definition, definition.namespaced ? info.namespace : '', info.name);
  if (
    core.store.latest(key) === undefined &&
    definition.rules.createOnUpdate === true &&
    info.subresource === ''
  ) {
    return createByUpdate(context, object, options);
  }
  const stored = await updateObject(context, options, {
    kind: 'UpdateOptions',
    change: () => ({ object: { ...object, metadata: { ...object.metadata } }, tracked: false }),
  });
  return { kind: 'object', code: 200, stored };
}

async function createByUpdate(
  context: VerbContext,
  object: KubeObject,
  options: WriteOptions,
): Promise<Answer> {
  if ((object.metadata.uid ?? '') !== '') {
    throw conflict(
      context.definition,
      context.info.name,
      `Precondition failed: UID in precondition: ${object.metadata.uid ?? ''}, UID in object meta: `,
    );
  }
  return { kind: 'object', code: 201, stored: await createObject(context, object, options, true) };
}

/** Fills in name and namespace of the URL; throws 400 when the object says otherwise. */
export function checkNames({ info, definition }: VerbContext, object: KubeObject): void {
  const { metadata } = object;
  const name = metadata.name ?? '';
  if (name === '') metadata.name = info.name;
  else if (name !== info.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`);
  if (!definition.namespaced) {
    delete metadata.namespace;
    return;
  }
  if ((metadata.namespace ?? '') === '') metadata.namespace = info.namespace;
  else if (metadata.namespace !== info.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

/** How an update changes the object it finds. */
export interface Change {
  readonly kind: 'UpdateOptions' | 'PatchOptions';
  /** The new object from the newest one, in the version of the request; may be called several times. */
  change(current: KubeObject): { object: KubeObject; tracked: boolean; unchanged?: boolean };
  /** What admission sees instead of the object, for a subresource with a kind of its own. */
  readonly view?: {
    of(object: KubeObject): KubeObject;
    /** The object after admission changed what it saw. */
    into(object: KubeObject, seen: KubeObject): KubeObject;
  };
}

/** Runs the change until it meets no concurrent write. */
export async function updateObject(
  context: VerbContext,
  options: WriteOptions,
  change: Change,
): Promise<Stored> {
  const { core, definition, info } = context;
  const key = storeKey(definition, definition.namespaced ? info.namespace : '', info.name);
  for (let tries = 0; ; tries += 1) {
    const before = core.store.latest(key);
    if (before === undefined) throw notFound(definition, info.name);
    await prepareConversion(definition, [before.object], 'out');
    const current = convertOut(definition, before.object);
    const changed = change.change(current);
    if (changed.unchanged === true) return before;
    const preconditioned = checkPreconditions(context, changed.object, current);
    const object = await admitUpdate(context, options, { ...changed, view: change.view }, current);
    await prepareConversion(definition, [object], 'in');
    if (core.store.latest(key) !== before) {
      // A patch carries the version of the object that it was laid over; its own, if it names one, is checked anew.
      const isFixed = preconditioned && info.method === 'PUT';
      if (isFixed || tries >= MAX_TRIES) throw conflict(definition, info.name, MODIFIED);
      continue;
    }
    return storeUpdate(context, key, before, object, options.dryRun);
  }
}

/** True when the client named a resourceVersion. Throws when it is not the current one, or the uid is not. */
function checkPreconditions(
  { definition, info }: VerbContext,
  object: KubeObject,
  current: KubeObject,
): boolean {
  const { uid = '', resourceVersion = '' } = object.metadata;
  if (uid !== '' && uid !== current.metadata.uid && info.method === 'PUT') {
    const prefix =
      definition.group === '' || definition.custom === undefined
        ? definition.plural
        : `${definition.group}/${definition.plural}`;
    throw conflict(
      definition,
      info.name,
      `StorageError: invalid object, Code: 4, Key: /registry/${registryName(definition, prefix)}/${definition.namespaced ? `${info.namespace}/` : ''}${info.name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid ?? ''}`,
    );
  }
  if (resourceVersion === '' || resourceVersion === '0') {
    if (
      definition.rules.requiresVersionOnUpdate === true ||
      (definition.custom !== undefined && info.method === 'PUT' && info.subresource !== 'scale')
    ) {
      throw invalidObject(definition.plural, definition.group, info.name, [
        invalid(
          'metadata.resourceVersion',
          definition.custom === undefined ? resourceVersion : 0,
          'must be specified for an update',
        ),
      ]);
    }
    return false;
  }
  if (!/^[0-9]+$/.test(resourceVersion))
    throw new ReasonlessError(500, `strconv.ParseUint: parsing "${resourceVersion}": invalid syntax`);
  if (resourceVersion !== current.metadata.resourceVersion) throw conflict(definition, info.name, MODIFIED);
  return true;
}

function registryName(definition: ResourceDefinition, fallback: string): string {
  const special: Readonly<Record<string, string>> = {
    nodes: 'minions',
    services: 'services/specs',
    endpoints: 'services/endpoints',
    replicationcontrollers: 'controllers',
    ingresses: 'ingress',
  };
  return special[definition.plural] ?? fallback;
}

async function admitUpdate(
  context: VerbContext,
  options: WriteOptions,
  changed: { object: KubeObject; tracked: boolean; view: Change['view'] },
  current: KubeObject,
): Promise<KubeObject> {
  const { core, definition, info } = context;
  const { view } = changed;
  const seen = (object: KubeObject): KubeObject => view?.of(object) ?? object;
  let object = restrict(context, changed.object, current);
  applyDefaults(definition, object);
  if (!changed.tracked) object = track(context, options, current, object, changed.object);
  const shown = seen(object);
  const attributes: Attributes = {
    operation: 'UPDATE',
    definition,
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name,
    object: shown,
    oldObject: seen(current),
    user: context.user,
    dryRun: options.dryRun,
    // Whoever patches updates: admission sees UpdateOptions for both.
    options: optionsObject('UpdateOptions', options),
    warn: (text) => warn(context, text),
  };
  const admitted = await core.admission.mutate(attributes);
  if (admitted !== undefined && admitted !== shown) {
    object = view?.into(object, admitted) ?? { ...admitted, metadata: { ...admitted.metadata } };
    afterAdmission(definition, object);
  }
  prepare(context, object, current);
  validateUpdated(context, object, current);
  await core.admission.validate({ ...attributes, object: seen(object) });
  if (info.subresource === '')
    for (const text of definition.rules.warnings?.(object) ?? []) warn(context, text);
  return object;
}

/** Managed fields after the change; when nothing changed, the old ones with their old times. */
function track(
  context: VerbContext,
  options: WriteOptions,
  current: KubeObject,
  object: KubeObject,
  given: KubeObject,
): KubeObject {
  const { definition, info } = context;
  // Who owns what is decided by what was sent, also where the server then puts back what it had.
  const sent: KubeObject = POD_PARTS.has(info.subresource) ? cloneJson(given) : { ...object };
  if (POD_PARTS.has(info.subresource)) applyDefaults(definition, sent);
  const { deletionTimestamp: _, ...metadata } = object.metadata;
  const asked = given.metadata.deletionTimestamp;
  sent.metadata = { ...metadata, ...(asked === undefined ? {} : { deletionTimestamp: asked }) };
  const { managedFields } = trackUpdate(managedContext(context), current, sent, {
    manager: options.fieldManager,
    operation: 'Update',
    apiVersion: definition.apiVersion,
    subresource: info.subresource,
  }).metadata;
  const { managedFields: _old, ...rest } = object.metadata;
  return { ...object, metadata: managedFields === undefined ? rest : { ...rest, managedFields } };
}

/** Takes from the old object what this endpoint does not write. */
function restrict(
  { definition, info, core }: VerbContext,
  given: KubeObject,
  current: KubeObject,
): KubeObject {
  const object: KubeObject = { ...given, metadata: { ...given.metadata } };
  const { metadata } = object;
  const old = current.metadata;
  if (info.method !== 'PUT' && (metadata.uid ?? '') !== '' && metadata.uid !== old.uid) {
    // A patch that changes the uid is told so by validation.
    return {
      ...object,
      metadata: { ...metadata, creationTimestamp: old.creationTimestamp, generation: old.generation },
    };
  }
  for (const key of ['uid', 'creationTimestamp', 'generation', 'namespace'] as const) {
    if (old[key] === undefined) delete metadata[key];
    else Object.assign(metadata, { [key]: old[key] });
  }
  delete metadata['selfLink'];
  metadata.resourceVersion = old.resourceVersion;
  if (old.deletionTimestamp !== undefined) {
    metadata.deletionTimestamp = old.deletionTimestamp;
    if (old.deletionGracePeriodSeconds !== undefined)
      metadata.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
  const hasStatus =
    definition.custom === undefined
      ? definition.subresources.has('status')
      : definition.custom.statusSubresource;
  if (info.subresource === 'status') return statusOnly(definition, object, current);
  if (info.subresource === 'resize' || info.subresource === 'ephemeralcontainers')
    return podPart(info.subresource, object, current);
  // Binding writes spec and status together; scale only changes what it was given.
  if (info.subresource === 'binding') return object;
  if (hasStatus)
    for (const field of definition.rules.statusFields ?? ['status']) keepField(object, current, field);
  void core;
  return object;
}

/** What these subresources of a Pod write; the rest of what was sent is left. */
function podPart(
  subresource: 'resize' | 'ephemeralcontainers',
  object: KubeObject,
  current: KubeObject,
): KubeObject {
  const [now, before] = [objectAt(object, 'spec'), objectAt(current, 'spec')];
  const spec: JsonObject = { ...before };
  if (subresource === 'ephemeralcontainers') {
    if (now['ephemeralContainers'] !== undefined) spec['ephemeralContainers'] = now['ephemeralContainers'];
    return { ...current, metadata: object.metadata, spec };
  }
  for (const key of ['containers', 'initContainers']) {
    if (before[key] === undefined) continue;
    spec[key] = arrayAt(before, key).map((container) => {
      const sent = arrayAt(now, key).find((other) => at(other, 'name') === at(container, 'name'));
      const { resources, resizePolicy } = objectAt({ sent }, 'sent');
      return {
        ...objectAt({ container }, 'container'),
        ...(resources === undefined ? {} : { resources }),
        ...(resizePolicy === undefined ? {} : { resizePolicy }),
      };
    });
  }
  return { ...current, metadata: object.metadata, spec };
}

function statusOnly(definition: ResourceDefinition, object: KubeObject, current: KubeObject): KubeObject {
  const out: KubeObject = { ...current };
  for (const field of definition.rules.statusFields ?? ['status']) {
    if (object[field] === undefined) delete out[field];
    else out[field] = object[field];
  }
  // Custom resources keep all metadata; built-in kinds let labels, annotations and the like through.
  out.metadata =
    definition.custom === undefined
      ? object.metadata
      : {
          ...current.metadata,
          ...(object.metadata.managedFields === undefined
            ? {}
            : { managedFields: object.metadata.managedFields }),
        };
  return out;
}

function keepField(object: KubeObject, current: KubeObject, field: string): void {
  if (current[field] === undefined) delete object[field];
  else object[field] = current[field];
}

function prepare({ core, definition, info }: VerbContext, object: KubeObject, current: KubeObject): void {
  const context = ruleContext(core);
  if (info.subresource === 'status') definition.rules.prepareStatusUpdate?.(object, current);
  else if (!OWN_WAY.has(info.subresource)) definition.rules.prepareUpdate?.(object, current, context);
  const old = current.metadata.generation;
  if (old !== undefined) object.metadata.generation = old;
  if ((info.subresource === 'status' && definition.custom !== undefined) || info.subresource === 'binding')
    return;
  const counts = definition.custom !== undefined || definition.rules.hasGeneration === true;
  if (counts && definition.rules.fixedGeneration !== true && specChanged(definition, object, current))
    object.metadata.generation = (old ?? 0) + 1;
}

/** True when anything outside metadata and status changed. */
function specChanged(definition: ResourceDefinition, object: KubeObject, current: KubeObject): boolean {
  const skip = new Set(['metadata', 'apiVersion', 'kind']);
  const statusIsOwn = definition.custom === undefined ? true : definition.custom.statusSubresource;
  if (statusIsOwn) for (const field of definition.rules.statusFields ?? ['status']) skip.add(field);
  const keys = new Set([...Object.keys(object), ...Object.keys(current)]);
  for (const key of keys) if (!skip.has(key) && !deepEqual(object[key], current[key])) return true;
  return false;
}

function validateUpdated(
  { core, definition, info }: VerbContext,
  object: KubeObject,
  current: KubeObject,
): void {
  const context = ruleContext(core);
  const { rules, custom } = definition;
  // The real server checks metadata before and inside the kind's own rules, and names a problem each time.
  const metadata = [...validateMetadata(definition, object), ...validateMetadataUpdate(object, current)];
  const errors = [...metadata, ...metadata];
  if (info.subresource === 'status') errors.push(...(rules.validateStatusUpdate?.(object, current) ?? []));
  else if (info.subresource !== 'binding') {
    errors.push(...(rules.validate?.(object, context) ?? []));
    if (info.subresource !== 'resize' && info.subresource !== 'ephemeralcontainers')
      errors.push(...(rules.validateUpdate?.(object, current, context) ?? []));
  }
  const own = custom?.validate(object, current) ?? [];
  // The status is checked on its own: its messages name fields from there.
  errors.push(...(info.subresource === 'status' ? own.map(belowStatus) : own));
  if (errors.length > 0) throw invalidObject(definition.kind, definition.group, info.name, errors);
}

function belowStatus(error: FieldError): FieldError {
  return { ...error, message: error.message.replace(/(^|: )status\.(\S+ in body )/, '$1$2') };
}

async function storeUpdate(
  context: VerbContext,
  key: string,
  before: Stored,
  object: KubeObject,
  dryRun: boolean,
): Promise<Stored> {
  const { core, definition } = context;
  const kept = convertIn(definition, object);
  const finished = finishDeletion(kept);
  if (!finished && same(kept, before.object)) return before;
  if (dryRun)
    return {
      key,
      revision: before.revision,
      object: kept,
      text: storedForm(definition, key, kept, before.revision).text,
    };
  const stored = storedForm(definition, key, kept, core.store.nextRevision());
  await core.store.commit(stored, finished);
  if (!finished) return stored;
  // Who took the last finalizer away gets the object as it was: there is no newer one.
  const { resourceVersion } = before.object.metadata;
  return {
    ...stored,
    object: { ...stored.object, metadata: { ...stored.object.metadata, resourceVersion } },
    text: '',
  };
}

/** Equal but for managed-field times that an unchanged object would only have refreshed. */
function same(object: KubeObject, before: KubeObject): boolean {
  return deepEqual(withoutTimes(object), withoutTimes(before));
}

function withoutTimes(object: KubeObject): JsonObject {
  const { managedFields, ...metadata } = object.metadata;
  return {
    ...object,
    metadata: { ...metadata, managedFields: managedFields?.map(({ time: _time, ...entry }) => entry) },
  };
}
