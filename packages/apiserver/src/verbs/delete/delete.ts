/** DELETE of one object: preconditions, grace, finalizers, propagation. */
import { rfc3339 } from '@podvisor/base';
import type { Stored } from '../../object-store.ts';
import type { Attributes } from '../../admission/attributes.ts';
import { type VerbContext, warn } from '../../core.ts';
import type { ResourceDefinition } from '../../registry/definition.ts';
import { arrayAt, at, type JsonObject, type KubeObject, objectAt } from '../../wire/json.ts';
import { conflict, detailsOf, notFound } from '../../wire/status.ts';
import type { Answer } from '../answer.ts';
import { convertOut, prepareConversion } from '../convert.ts';
import { type DeleteOptions, deleteOptions } from './delete-options.ts';
import { finishDeletion } from './finish-deletion.ts';
import { orderMetadata, storedForm, storeKey } from '../serialize.ts';

export async function remove(context: VerbContext): Promise<Answer> {
  const options = await deleteOptions(context);
  const { definition, info } = context;
  const result = await deleteObject(
    context,
    storeKey(definition, definition.namespaced ? info.namespace : '', info.name),
    info.name,
    options,
  );
  if (result.gone && !returnsObject(definition))
    return { kind: 'other', code: 200, body: successStatus(definition, result.stored.object) };
  return { kind: 'object', code: 200, stored: result.stored };
}

/** Some kinds answer with the deleted object instead of a Status. */
function returnsObject({ group, plural }: ResourceDefinition): boolean {
  return (
    (group === '' && RETURNING.has(plural)) || (group === 'storage.k8s.io' && plural === 'storageclasses')
  );
}

const RETURNING = new Set([
  'pods',
  'services',
  'persistentvolumeclaims',
  'persistentvolumes',
  'serviceaccounts',
  'podtemplates',
  'resourcequotas',
]);

function successStatus(definition: ResourceDefinition, { metadata }: KubeObject): JsonObject {
  const details = { ...detailsOf(definition, metadata.name ?? '', { uid: metadata.uid ?? '' }) };
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { ...details } as JsonObject,
  };
}

export interface Deleted {
  readonly stored: Stored;
  /** False when the object stays for its finalizers or its grace period. */
  readonly gone: boolean;
}

/** Deletes or marks for deletion. */
export async function deleteObject(
  context: VerbContext,
  key: string,
  name: string,
  options: DeleteOptions,
): Promise<Deleted> {
  const { core, definition } = context;
  for (;;) {
    const before = core.store.latest(key);
    if (before === undefined) throw notFound(definition, name);
    checkPreconditions(definition, name, before, options);
    // Who deletes a collection names nothing: admission sees the object, not a name.
    const asked = context.info.verb === 'deletecollection' ? '' : name;
    const oldObject = await shownObject(definition, before.object);
    const attributes = attributesOf(context, asked, before, oldObject, options);
    await core.admission.mutate(attributes);
    await core.admission.validate(attributes);
    if (core.store.latest(key) !== before) continue;
    return markOrRemove(context, key, before, options);
  }
}

/** The object in the version of the request. Deletion works also while nobody converts: then as it is stored. */
async function shownObject(definition: ResourceDefinition, object: KubeObject): Promise<KubeObject> {
  try {
    await prepareConversion(definition, [object], 'out');
    return convertOut(definition, object);
  } catch {
    return object;
  }
}

function attributesOf(
  context: VerbContext,
  name: string,
  before: Stored,
  oldObject: KubeObject,
  options: DeleteOptions,
): Attributes {
  const { definition, user } = context;
  return {
    operation: 'DELETE',
    definition,
    subresource: '',
    namespace: before.object.metadata.namespace ?? '',
    name,
    object: undefined,
    oldObject,
    user,
    dryRun: options.dryRun,
    options: options.given,
    warn: (text) => warn(context, text),
  };
}

function checkPreconditions(
  definition: ResourceDefinition,
  name: string,
  { object }: Stored,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== object.metadata.uid) {
    throw conflict(
      { group: definition.group, plural: definition.kind },
      name,
      `the UID in the precondition (${uid}) does not match the UID in record (${object.metadata.uid ?? ''}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion) {
    throw conflict(
      { group: definition.group, plural: definition.kind },
      name,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${object.metadata.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}

async function markOrRemove(
  { core, definition }: VerbContext,
  key: string,
  before: Stored,
  options: DeleteOptions,
): Promise<Deleted> {
  const marked = mark(definition, before.object, options, core.clock.now());
  if (finishDeletion(marked)) {
    // Pods are marked before they go, also when nothing is waited for: watchers see both.
    const last = isPod(definition) ? marked : before.object;
    if (last === marked && !options.dryRun)
      void core.store
        .commit(storedForm(definition, key, marked, core.store.nextRevision()))
        .catch(() => undefined);
    const gone = options.dryRun
      ? { ...before, object: before.object, text: '' }
      : storedForm(definition, key, last, core.store.nextRevision());
    if (!options.dryRun) await core.store.commit(gone, true);
    // The answer shows the object as it was when it went.
    return { stored: { ...gone, object: withMark(before.object, marked, gone), text: '' }, gone: true };
  }
  if (options.dryRun) return { stored: { ...before, object: marked, text: '' }, gone: false };
  if (
    JSON.stringify(marked.metadata) === JSON.stringify(before.object.metadata) &&
    marked['status'] === before.object['status']
  )
    return { stored: before, gone: false };
  const stored = storedForm(definition, key, marked, core.store.nextRevision());
  await core.store.commit(stored);
  return { stored, gone: false };
}

function withMark(before: KubeObject, marked: KubeObject, { object }: Stored): KubeObject {
  const graceful = marked.metadata.deletionGracePeriodSeconds !== undefined && before.kind === 'Pod';
  const metadata = graceful
    ? {
        ...object.metadata,
        deletionTimestamp: marked.metadata.deletionTimestamp,
        deletionGracePeriodSeconds: marked.metadata.deletionGracePeriodSeconds,
        ...(marked.metadata.generation === undefined ? {} : { generation: marked.metadata.generation }),
      }
    : object.metadata;
  return { ...before, metadata: orderMetadata(metadata) };
}

/** The object with its deletion noted: timestamp, grace, and the finalizers that the propagation asks for. */
function mark(
  definition: ResourceDefinition,
  object: KubeObject,
  options: DeleteOptions,
  nowMs: number,
): KubeObject {
  const metadata = { ...object.metadata };
  const finalizers = propagationFinalizers(metadata.finalizers ?? [], options);
  const finalizersChanged = finalizers.join() !== (metadata.finalizers ?? []).join();
  if (finalizers.length === 0) delete metadata.finalizers;
  else metadata.finalizers = finalizers;
  const grace = graceSeconds(definition, object, options);
  if (metadata.deletionTimestamp === undefined) {
    metadata.deletionTimestamp = rfc3339(nowMs + grace * 1000);
    if (definition.kind !== 'Namespace' || definition.group !== '')
      metadata.deletionGracePeriodSeconds = grace;
    if (metadata.generation !== undefined) metadata.generation += 1;
  } else if (grace < (metadata.deletionGracePeriodSeconds ?? 0)) {
    const started =
      Date.parse(metadata.deletionTimestamp) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    metadata.deletionTimestamp = rfc3339(Math.max(nowMs, started + grace * 1000));
    metadata.deletionGracePeriodSeconds = grace;
    if (metadata.generation !== undefined) metadata.generation += 1;
  } else if (!finalizersChanged) return { ...object, metadata };
  const marked: KubeObject = { ...object, metadata };
  if (isCrd(definition)) return terminatingCrd(marked, object, rfc3339(nowMs));
  if (definition.kind === 'Namespace' && definition.group === '') {
    marked['status'] = { ...(object['status'] as JsonObject | undefined), phase: 'Terminating' };
  }
  return marked;
}

function isPod({ group, kind }: ResourceDefinition): boolean {
  return group === '' && kind === 'Pod';
}

function isCrd({ group, plural }: ResourceDefinition): boolean {
  return group === 'apiextensions.k8s.io' && plural === 'customresourcedefinitions';
}

/** A definition stays until its objects are gone; the CRD controller takes the finalizer away. */
function terminatingCrd(marked: KubeObject, before: KubeObject, now: string): KubeObject {
  const metadata = {
    ...marked.metadata,
    ...(before.metadata.generation === undefined ? {} : { generation: before.metadata.generation }),
  };
  delete metadata.deletionGracePeriodSeconds;
  metadata.finalizers = [
    ...new Set([...(metadata.finalizers ?? []), 'customresourcecleanup.apiextensions.k8s.io']),
  ];
  const condition = {
    type: 'Terminating',
    status: 'True',
    lastTransitionTime: now,
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  const status = objectAt(marked, 'status');
  const others = arrayAt(status, 'conditions').filter((c) => at(c, 'type') !== 'Terminating');
  return { ...marked, metadata, status: { ...status, conditions: [...others, condition] } };
}

/** Only Pods end gracefully, and only when a node runs them. */
function graceSeconds(definition: ResourceDefinition, object: KubeObject, options: DeleteOptions): number {
  if (definition.kind !== 'Pod' || definition.group !== '') return 0;
  if (at(object, 'spec', 'nodeName') === undefined || at(object, 'spec', 'nodeName') === '') return 0;
  const phase = at(object, 'status', 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return 0;
  const own = at(object, 'spec', 'terminationGracePeriodSeconds');
  const asked = options.gracePeriodSeconds ?? (typeof own === 'number' ? own : 30);
  return Math.max(asked < 0 ? 1 : asked, 0);
}

function propagationFinalizers(
  finalizers: readonly string[],
  { propagationPolicy, orphanDependents }: DeleteOptions,
): string[] {
  const rest = finalizers.filter((f) => f !== 'orphan' && f !== 'foregroundDeletion');
  if (propagationPolicy === 'Orphan' || orphanDependents === true) return [...rest, 'orphan'];
  if (propagationPolicy === 'Foreground') return [...rest, 'foregroundDeletion'];
  if (propagationPolicy === 'Background' || orphanDependents === false) return rest;
  return [...finalizers];
}
