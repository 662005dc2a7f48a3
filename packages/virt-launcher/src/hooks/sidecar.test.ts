import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byDeclaration, callsAt, type SidecarInfo } from './sidecar.ts';

const sidecar = (name: string, versions: string[], ...points: [string, number][]): SidecarInfo => ({
  socket: `/${name}.sock`,
  name,
  versions,
  hookPoints: points.map(([point, priority]) => ({ name: point, priority })),
});

test('higher priority first, equals as declared, newest version that both know', () => {
  const sidecars = [
    sidecar('a', ['v1alpha1'], ['OnDefineDomain', 0]),
    sidecar('b', ['v1alpha1', 'v1alpha2'], ['OnDefineDomain', 10]),
    sidecar('c', ['v1alpha3', 'v9'], ['OnDefineDomain', 0]),
    sidecar('d', ['v9'], ['OnDefineDomain', 99]),
    sidecar('e', ['v1alpha3'], ['PreCloudInitIso', 1]),
  ];
  assert.deepEqual(
    callsAt('OnDefineDomain', sidecars).map((call) => [call.sidecar.name, call.version]),
    [
      ['b', 'v1alpha2'],
      ['a', 'v1alpha1'],
      ['c', 'v1alpha3'],
    ],
  );
});

test('a version that does not know the point is not called', () => {
  const old = sidecar('old', ['v1alpha1'], ['PreCloudInitIso', 0], ['Shutdown', 0]);
  assert.deepEqual([...callsAt('PreCloudInitIso', [old]), ...callsAt('Shutdown', [old])], []);
});

test('ten comes after nine', () => {
  assert.deepEqual(['hook-sidecar-10', 'hook-sidecar-9'].toSorted(byDeclaration), [
    'hook-sidecar-9',
    'hook-sidecar-10',
  ]);
});
