/** POST: decode, default, admit, validate, store. */
import { randomUUID } from 'node:crypto';
import { rfc3339, StatusError } from '@podvisor/base';
import type { Stored } from '../object-store.ts';
import type { Attributes } from '../admission/attributes.ts';
import { type VerbContext, warn } from '../core.ts';
import { trackUpdate } from '../managed/field-manager.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { invalidObject } from '../wire/field-errors.ts';
import type { JsonObject, KubeObject } from '../wire/json.ts';
import { alreadyExists, badRequest, forbiddenObject, ReasonlessError } from '../wire/status.ts';
import type { Answer } from './answer.ts';
import { convertIn, prepareConversion } from './convert.ts';
import { decodeBody, targetOf } from './decode-body.ts';
import { managedContext } from './managed-context.ts';
import { validateMetadata } from './metadata.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { ruleContext } from './rule-context.ts';
import { checkSize } from './object-size.ts';
import { storedForm, storeKey } from './serialize.ts';

export async function create(context: VerbContext): Promise<Answer> {
  const options = writeOptions(context, 'CreateOptions');
  const object = await decodeBody(context, targetOf(context.definition), options.fieldValidation);
  const { clock, onCreated } = context.core;
  const beganMs = clock.now();
  const stored = await createObject(context, object, options, true);
  if (!options.dryRun) onCreated?.(stored.object, beganMs);
  return { kind: 'object', code: 201, stored };
}

/** Creates from a decoded object. `track` is false when the caller has already written managed fields. */
export async function createObject(
  context: VerbContext,
  decoded: KubeObject,
  options: WriteOptions,
  track: boolean,
): Promise<Stored> {
  const { core, definition, info } = context;
  refuseWhileTerminating(context, decoded.metadata.name ?? '');
  let object: KubeObject = { ...decoded, metadata: { ...decoded.metadata } };
  placeInNamespace(definition, object, info.namespace);
  applyDefaults(definition, object);
  if (track) {
    object = trackUpdate(managedContext(context), undefined, object, {
      manager: options.fieldManager,
      operation: 'Update',
      apiVersion: definition.apiVersion,
      subresource: '',
    });
  }
  const attributes = createAttributes(context, options, object);
  object = (await core.admission.mutate(attributes)) ?? object;
  object = { ...object, metadata: { ...object.metadata } };
  afterAdmission(definition, object);
  const { resourceVersion } = object.metadata;
  prepareMetadata(core.clock.now(), object);
  nameObject(context, object);
  if (object['status'] !== undefined && isStatusOwn(definition)) object['status'] = {};
  definition.rules.prepareCreate?.(object, ruleContext(core));
  clearStatus(definition, object);
  validateNew(context, object);
  await core.admission.validate({ ...attributes, object, name: object.metadata.name ?? '' });
  for (const text of definition.rules.warnings?.(object) ?? []) warn(context, text);
  if (info.verb === 'create') refuseVersioned(resourceVersion);
  await prepareConversion(definition, [object], 'in');
  return storeNew(context, object, options.dryRun);
}

/** Somebody who sends the version of an object means one that is there. Kubernetes answers 500 without a reason. */
function refuseVersioned(resourceVersion: string | undefined): void {
  if (/^0*[1-9][0-9]*$/.test(resourceVersion ?? ''))
    throw new ReasonlessError(500, 'resourceVersion should not be set on objects to be created');
}

/** A CRD that is going takes no new objects. */
function refuseWhileTerminating({ core, definition }: VerbContext, name: string): void {
  if (definition.custom === undefined) return;
  const crd = core.store.latest(
    `apiextensions.k8s.io/customresourcedefinitions//${definition.plural}.${definition.group}`,
  )?.object;
  if (crd?.metadata.deletionTimestamp === undefined) return;
  throw forbiddenObject(
    definition,
    name,
    'create not allowed while custom resource definition is terminating',
  );
}

function placeInNamespace(definition: ResourceDefinition, object: KubeObject, namespace: string): void {
  if (!definition.namespaced) {
    delete object.metadata.namespace;
    return;
  }
  const given = object.metadata.namespace ?? '';
  if (given !== '' && given !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  object.metadata.namespace = namespace;
}

export function applyDefaults(definition: ResourceDefinition, object: KubeObject): void {
  definition.custom?.default(object);
  definition.rules.default?.(object);
}

/** Webhooks may have added anything: prune and default again. */
export function afterAdmission(definition: ResourceDefinition, object: KubeObject): void {
  definition.custom?.prune(object);
  applyDefaults(definition, object);
}

function prepareMetadata(nowMs: number, object: KubeObject): void {
  const { metadata } = object;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata['selfLink'];
  delete metadata.resourceVersion;
  metadata.uid = randomUUID();
  metadata.creationTimestamp = rfc3339(nowMs);
}

/** A status with a path of its own is written there and nowhere else. */
function isStatusOwn({ custom, rules, subresources }: ResourceDefinition): boolean {
  return custom === undefined && subresources.has('status') && rules.statusOnCreate !== true;
}

function clearStatus(definition: ResourceDefinition, object: KubeObject): void {
  const { metadata } = object;
  if (definition.custom !== undefined) {
    if (definition.custom.statusSubresource) delete object['status'];
    metadata.generation = 1;
  } else if (definition.rules.hasGeneration === true) metadata.generation = 1;
  else if ((metadata.generation ?? 0) >= 0) delete metadata.generation;
}

function validateNew(context: VerbContext, object: KubeObject): void {
  const { definition, core } = context;
  const errors = [
    ...validateMetadata(definition, object),
    ...(definition.custom?.validate(object, undefined) ?? []),
    ...(definition.rules.validate?.(object, ruleContext(core)) ?? []),
    ...(definition.rules.validateCreate?.(object) ?? []),
  ];
  if (errors.length === 0) return;
  const name = object.metadata.name ?? '';
  throw invalidObject(definition.kind, definition.group, name, errors);
}

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Fills in a generated name. */
function nameObject({ definition, core }: VerbContext, object: KubeObject): void {
  const { metadata } = object;
  if ((metadata.name ?? '') !== '' || (metadata.generateName ?? '') === '') return;
  const base = (metadata.generateName ?? '').slice(0, 58);
  for (let tries = 0; tries < 8; tries += 1) {
    const bytes = crypto.getRandomValues(new Uint8Array(5));
    const suffix = [...bytes].map((byte) => SUFFIX_LETTERS[byte % SUFFIX_LETTERS.length]).join('');
    metadata.name = `${base}${suffix}`;
    if (core.store.latest(storeKey(definition, metadata.namespace ?? '', metadata.name)) === undefined)
      return;
  }
}

function createAttributes(context: VerbContext, options: WriteOptions, object: KubeObject): Attributes {
  const { definition, info, user } = context;
  return {
    operation: 'CREATE',
    definition,
    subresource: '',
    namespace: info.namespace,
    name: object.metadata.name ?? '',
    object,
    oldObject: undefined,
    user,
    dryRun: options.dryRun,
    options: optionsObject('CreateOptions', options),
    warn: (text) => warn(context, text),
    annotate: (key, value) => void context.auditAnnotations?.set(key, value),
  };
}

/** The options as an admission webhook sees them. */
export function optionsObject(kind: string, { given }: WriteOptions): JsonObject {
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(given.dryRun === undefined ? {} : { dryRun: given.dryRun }),
    ...(given.fieldManager === undefined ? {} : { fieldManager: given.fieldManager }),
    ...(given.fieldValidation === undefined ? {} : { fieldValidation: given.fieldValidation }),
  };
}

function beingDeleted(definition: ResourceDefinition, name: string): StatusError {
  const error = alreadyExists(definition, name);
  return new StatusError('AlreadyExists', `object is being deleted: ${error.message}`, {
    details: error.details,
  });
}

async function storeNew(
  { core, definition }: VerbContext,
  object: KubeObject,
  dryRun: boolean,
): Promise<Stored> {
  const name = object.metadata.name ?? '';
  const key = storeKey(definition, object.metadata.namespace ?? '', name);
  const existing = core.store.latest(key);
  if (existing !== undefined)
    throw existing.object.metadata.deletionTimestamp === undefined
      ? alreadyExists(definition, name)
      : beingDeleted(definition, name);
  const kept = convertIn(definition, object);
  if (dryRun)
    return {
      key,
      revision: 0,
      object: kept,
      text: storedForm(definition, key, kept, 0).text.replace(/"resourceVersion":"0",?/, ''),
    };
  const stored = storedForm(definition, key, kept, core.store.nextRevision());
  checkSize(stored);
  await core.store.commit(stored);
  return stored;
}
