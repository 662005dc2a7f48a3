/** Who owns what after updates and applies, as steps on one Deployment. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { library } from '../registry/library.ts';
import type { JsonObject, KubeObject } from '../wire/json.ts';
import { applyConfig, type ManagedContext, trackUpdate } from './field-manager.ts';
import { type ManagerId, readManagers } from './managers.ts';
import { PathSet, pathText } from './path-set.ts';

const context: ManagedContext = {
  schema: library.struct('Deployment'),
  emptyObject: {},
  reset: new PathSet(),
  time: '2024-01-01T00:00:00Z',
};
const id = (manager: string, operation: ManagerId['operation']): ManagerId => ({
  manager,
  operation,
  apiVersion: 'apps/v1',
  subresource: '',
});
const deployment = (spec: JsonObject, metadata: KubeObject['metadata'] = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd', ...metadata },
  spec,
});
const apply = (live: KubeObject | undefined, manager: string, spec: JsonObject, force = false): KubeObject =>
  applyConfig(context, live, deployment(spec), id(manager, 'Apply'), force).object;
const update = (live: KubeObject | undefined, manager: string, spec: JsonObject): KubeObject =>
  trackUpdate(context, live, deployment(spec, live?.metadata), id(manager, 'Update'));

/** The paths below spec that each manager owns. */
function owners({ metadata }: KubeObject): Record<string, readonly string[]> {
  const walk = (set: PathSet, above: readonly string[]): string[] => [
    ...[...set.members].map((step) => pathText([...above, step])),
    ...[...set.children].flatMap(([step, child]) => walk(child, [...above, step])),
  ];
  return Object.fromEntries(
    [...readManagers(metadata).values()].map(({ manager, set }) => [manager, walk(set, []).toSorted()]),
  );
}

test('an apply owns what it says, and nothing else', () => {
  assert.deepEqual(owners(apply(undefined, 'a', { replicas: 1 })), { a: ['.spec.replicas'] });
});

test('who changes a field takes it from its owner, who keeps the rest', () => {
  const first = apply(undefined, 'a', { replicas: 1, paused: true });
  const second = update(first, 'u', { replicas: 2, paused: true });
  assert.deepEqual(owners(second), { a: ['.spec.paused'], u: ['.spec.replicas'] });
});

test('two appliers of the same value own it together', () => {
  const both = apply(apply(undefined, 'a', { replicas: 1 }), 'b', { replicas: 1 });
  assert.deepEqual(owners(both), { a: ['.spec.replicas'], b: ['.spec.replicas'] });
});

test('another value is a conflict that names its owner, unless it is forced: then it changes hands', () => {
  const first = apply(undefined, 'a', { replicas: 1 });
  assert.throws(
    () => apply(first, 'b', { replicas: 2 }),
    (error: Error) => error.message.includes('conflict with "a"') && error.message.includes('.spec.replicas'),
  );
  const forced = apply(first, 'b', { replicas: 2 }, true);
  assert.deepEqual(owners(forced), { b: ['.spec.replicas'] });
  assert.deepEqual(forced['spec'], { replicas: 2 });
});

test('what an applier no longer says goes, unless somebody else owns it', () => {
  const first = apply(undefined, 'a', { replicas: 1, paused: true });
  assert.deepEqual(apply(first, 'a', { replicas: 1 })['spec'], { replicas: 1 });
  const shared = apply(first, 'b', { paused: true });
  const left = apply(shared, 'a', { replicas: 1 });
  assert.deepEqual(left['spec'], { replicas: 1, paused: true });
  assert.deepEqual(owners(left), { a: ['.spec.replicas'], b: ['.spec.paused'] });
});

test('an item of a list belongs to who applied it; its key is part of its path', () => {
  const containers = (...names: readonly string[]): JsonObject => ({
    template: { spec: { containers: names.map((name) => ({ name, image: 'i' })) } },
  });
  const both = apply(apply(undefined, 'a', containers('x')), 'b', containers('y'));
  assert.deepEqual(
    (both['spec'] as { template: { spec: { containers: { name: string }[] } } }).template.spec.containers.map(
      ({ name }) => name,
    ),
    ['x', 'y'],
  );
  assert.ok(owners(both)['b']?.includes('.spec.template.spec.containers[name="y"].image'));
  const gone = apply(both, 'b', {});
  assert.deepEqual(gone['spec'], containers('x'));
});

test('the same apply again changes nothing', () => {
  const first = apply(undefined, 'a', { replicas: 1 });
  const again = applyConfig(context, first, deployment({ replicas: 1 }), id('a', 'Apply'), false);
  assert.equal(again.changed, false);
});

test('what was applied on the side of kubectl is no conflict for kubectl, and one for others', () => {
  const applied = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: { replicas: 1 },
  };
  const made = trackUpdate(
    context,
    undefined,
    deployment(
      { replicas: 1 },
      { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(applied) } },
    ),
    id('kubectl-client-side-apply', 'Update'),
  );
  assert.throws(() => apply(made, 'somebody', { replicas: 2 }), /conflict/);
  const taken = apply(made, 'kubectl', { replicas: 2 });
  assert.deepEqual(taken['spec'], { replicas: 2 });
  assert.deepEqual(
    JSON.parse(taken.metadata.annotations?.['kubectl.kubernetes.io/last-applied-configuration'] ?? '{}').spec,
    { replicas: 2 },
  );
});

test('an empty list of managed fields clears the history, and updates do not begin it again', () => {
  const first = update(undefined, 'u', { replicas: 1 });
  const cleared = trackUpdate(
    context,
    first,
    deployment({ replicas: 1 }, { managedFields: [] }),
    id('u', 'Update'),
  );
  assert.equal(cleared.metadata.managedFields, undefined);
  assert.deepEqual(owners(update(cleared, 'u', { replicas: 2 })), {});
});

test('a conflict in every field of a large body is told once for each, in time that grows with their number', () => {
  const labels = (value: string): JsonObject =>
    Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, value]));
  const template = (value: string): JsonObject => ({ template: { metadata: { labels: labels(value) } } });
  const live = apply(undefined, 'a', template('1'));
  assert.throws(
    () => apply(live, 'b', template('2')),
    (error: Error) => {
      assert.match(error.message, /^Apply failed with 20000 conflicts: conflicts with "a":\n- \./);
      assert.equal(error.message.split('\n').length, 20_001);
      return true;
    },
  );
});
