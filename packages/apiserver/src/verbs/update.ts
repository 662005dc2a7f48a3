/**
 * PUT, and the common end of PATCH and apply: read the newest object, change it, admit, validate, store.
 * When someone else wrote meanwhile, a change that did not name a resourceVersion is tried again.
 */
import type { Stored } from '../object-store.ts';
import type { Attributes } from '../admission/attributes.ts';
import { type VerbContext, warn } from '../core.ts';
import { trackUpdate } from '../managed/field-manager.ts';
import { cloneJson, type KubeObject } from '../wire/json.ts';
import { badRequest, conflict, MODIFIED, notFound } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { convertOut, prepareConversion } from './convert.ts';
import { afterAdmission, applyDefaults, createObject, optionsObject } from './create.ts';
import { decodeBody, targetOf } from './decode-body.ts';
import { managedContext } from './managed-context.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { checkPreconditions } from './delete/preconditions.ts';
import { storeKey } from './serialize.ts';
import { storeUpdate } from './store-update.ts';
import { prepareUpdated, validateUpdated } from './updated-rules.ts';
import { isPodPart, keepUnwritten } from './written-part.ts';

const MAX_TRIES = 20;

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

/** Fills in the namespace of the URL; throws 400 when the object has no name, or says otherwise than the URL. */
export function checkNames({ info, definition }: VerbContext, object: KubeObject): void {
  const { metadata } = object;
  const name = metadata.name ?? '';
  if (name === '')
    throw badRequest(
      `the name of the object (${info.name} based on URL) was undeterminable: name must be provided`,
    );
  if (name !== info.name)
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
  /** The caller has asked admission about what was sent; the object itself is not its business. */
  readonly isAdmitted?: boolean;
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
    const object =
      change.isAdmitted === true
        ? prepared(context, changed.object, current)
        : await admitUpdate(context, options, { ...changed, view: change.view }, current);
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

/** The new object after the kind's own rules. */
function prepared(context: VerbContext, changed: KubeObject, current: KubeObject): KubeObject {
  const object = keepUnwritten(context, changed, current);
  applyDefaults(context.definition, object);
  prepareUpdated(context, object, current);
  validateUpdated(context, object, current);
  return object;
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
  let object = keepUnwritten(context, changed.object, current);
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
    annotate: (key, value) => void context.auditAnnotations?.set(key, value),
  };
  const admitted = await core.admission.mutate(attributes);
  if (admitted !== undefined && admitted !== shown) {
    object = view?.into(object, admitted) ?? { ...admitted, metadata: { ...admitted.metadata } };
    afterAdmission(definition, object);
  }
  prepareUpdated(context, object, current);
  validateUpdated(context, object, current);
  await core.admission.validate({ ...attributes, object: seen(object) });
  if (info.subresource === '')
    for (const text of definition.rules.warnings?.(object, current) ?? []) warn(context, text);
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
  const sent: KubeObject = isPodPart(info.subresource) ? cloneJson(given) : { ...object };
  if (isPodPart(info.subresource)) applyDefaults(definition, sent);
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
