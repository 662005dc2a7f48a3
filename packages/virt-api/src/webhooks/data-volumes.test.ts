/** What a DataVolume must look like, and who may fill a disk from another namespace. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataSource } from '@podvisor/api';
import { applyJsonPatch } from '@podvisor/base';
import { webhookContextForTests } from '../testing/webhook-context.ts';
import type { Subject } from './context.ts';
import { mutateDataVolume, validateDataVolume } from './data-volumes.ts';
import type { AdmissionRequest } from './review.ts';

interface World {
  /** `namespace/resource/subresource` that the user may create. */
  readonly rights?: readonly string[];
  readonly sources?: Readonly<Record<string, DataSource['spec']['source']>>;
  readonly user?: string;
  readonly asked?: Subject[];
  /** Happens after the mutation. */
  between?(): Promise<void> | void;
  /** Annotations that the user wrote. */
  readonly annotations?: Readonly<Record<string, string>>;
}

async function problemWith(
  spec: object,
  world: World = {},
  request: Partial<AdmissionRequest> = {},
): Promise<string | undefined> {
  const asked: AdmissionRequest = {
    uid: 'u',
    resource: { group: 'cdi.kubevirt.io', version: 'v1beta1', resource: 'datavolumes' },
    operation: 'CREATE',
    namespace: 'team',
    name: 'copy',
    user: world.user ?? 'bob',
    userGroups: ['staff'],
    userExtra: {},
    object: { metadata: { name: 'copy', annotations: world.annotations }, spec },
    oldObject: undefined,
    dryRun: false,
    ...request,
  };
  const context = {
    ...webhookContextForTests,
    findDataSource: async (namespace, name) => {
      const source = world.sources?.[`${namespace}/${name}`];
      return source === undefined ? undefined : { metadata: { namespace, name }, spec: { source } };
    },
    isAllowed: async (subject, { namespace, resource, subresource }) => {
      world.asked?.push(subject);
      return world.rights?.includes(`${namespace}/${resource}/${subresource}`) === true;
    },
  } satisfies Parameters<typeof validateDataVolume>[1];
  // As the API server does: what is validated is what was mutated.
  const mutated = asked.operation === 'CREATE' ? await mutateDataVolume(asked, context) : undefined;
  const object = structuredClone(asked.object) as object;
  if (mutated?.kind === 'mutated') applyJsonPatch(object, mutated.patch);
  await world.between?.();
  const answer = await validateDataVolume({ ...asked, object }, context);
  assert.equal(answer.kind, 'validated');
  if (answer.kind !== 'validated' || answer.allowed) return undefined;
  assert.equal(answer.code, 403);
  return answer.message;
}

const blank = { source: { blank: {} } };
for (const [what, spec, problem] of [
  ['one storage, one source', { storage: {}, ...blank }, undefined],
  ['a claim of its own that names what fills it', { pvc: { dataSource: {} } }, undefined],
  ['two storages', { pvc: {}, storage: {}, ...blank }, /both target storage and target pvc/],
  ['no storage', blank, /Missing Data volume PVC/],
  ['no source', { storage: {} }, /either Source or SourceRef/],
  ['an empty source', { storage: {}, source: {} }, /Missing Data volume source/],
  ['two sources', { storage: {}, source: { blank: {}, upload: {} } }, /Multiple Data volume sources/],
  ['a source and a reference', { storage: {}, ...blank, sourceRef: {} }, /either Source or SourceRef/],
  ['a reference to something else', { storage: {}, sourceRef: { kind: 'X', name: 'y' } }, /kind X/],
] as const)
  test(`a DataVolume with ${what} is ${problem === undefined ? 'taken' : 'refused'}`, async () => {
    const found = await problemWith(spec);
    if (problem === undefined) assert.equal(found, undefined);
    else assert.match(found ?? '', problem);
  });

test('what it is filled from does not change', async () => {
  const spec = { storage: {}, ...blank };
  const update = {
    operation: 'UPDATE',
    oldObject: { spec: { storage: {}, source: { upload: {} } } },
  } as const;
  assert.match((await problemWith(spec, {}, update)) ?? '', /Cannot update DataVolume Spec/);
  assert.equal(await problemWith(spec, {}, { ...update, oldObject: { spec } }), undefined);
});

const pvc = { pvc: { namespace: 'golden', name: 'image' } };
const snapshot = { snapshot: { namespace: 'golden', name: 'image' } };
for (const [what, source, rights, expected] of [
  ['a claim, no right', pvc, [], false],
  ['a claim, the right made for it', pvc, ['golden/datavolumes/source'], true],
  ['a claim, Pods may be created beside it', pvc, ['golden/pods/'], true],
  ['a claim, Pods may be created elsewhere', pvc, ['team/pods/'], false],
  ['a snapshot, the right made for it', snapshot, ['golden/datavolumes/source'], true],
  ['a snapshot, Pods may be created beside it', snapshot, ['golden/pods/'], false],
  ['a snapshot, everything may be created beside it', snapshot, ['golden/pods/', 'golden/pvcs/'], true],
] as const)
  test(`${what}: ${expected ? 'allowed' : 'refused'}`, async () => {
    const found = await problemWith({ storage: {}, source }, { rights });
    if (expected) assert.equal(found, undefined);
    else assert.match(found ?? '', /User bob has insufficient permissions in clone source namespace golden/);
  });

test('a reference counts where it leads, also when that leads nowhere yet', async () => {
  const spec = { storage: {}, sourceRef: { kind: 'DataSource', namespace: 'public', name: 'linux' } };
  const sources = { 'public/linux': { dataSource: { namespace: 'golden', name: 'later' } } };
  assert.match((await problemWith(spec, { sources })) ?? '', /clone source namespace golden/);
  assert.equal(await problemWith(spec, { sources, rights: ['golden/pods/'] }), undefined);
  const nowhere = { storage: {}, sourceRef: { kind: 'DataSource', namespace: 'golden', name: 'later' } };
  assert.match((await problemWith(nowhere)) ?? '', /clone source namespace golden/);
});

test('the question is asked in the name of who asks, and not of virt-controller, which asked it itself', async () => {
  const asked: Subject[] = [];
  await problemWith({ storage: {}, source: pvc }, { asked });
  assert.deepEqual(asked[0], { user: 'bob', groups: ['staff'], extra: {} });
  const user = 'system:serviceaccount:kubevirt:kubevirt-controller';
  assert.equal(await problemWith({ storage: {}, source: pvc }, { user }), undefined);
});

test('a DataSource that is pointed elsewhere while the DataVolume is made is noticed', async () => {
  const sources: Record<string, DataSource['spec']['source']> = {
    'team/mine': { pvc: { name: 'own', namespace: 'team' } },
  };
  const between = (): void => void (sources['team/mine'] = pvc);
  const spec = { storage: {}, sourceRef: { kind: 'DataSource', name: 'mine' } };
  assert.match((await problemWith(spec, { sources, between })) ?? '', /changed while it was made/);
});

test('nobody writes the note of what was allowed but who asked', async () => {
  const annotations = { 'podvisor.io/clone-allowed-from': 'pvc victim/disk' };
  const spec = { storage: {}, ...blank };
  assert.equal(await problemWith(spec, { annotations }), undefined, 'it is taken off');
  const update = { operation: 'UPDATE', oldObject: { metadata: { name: 'copy' }, spec } } as const;
  assert.match((await problemWith(spec, { annotations }, update)) ?? '', /Cannot change the annotation/);
});
