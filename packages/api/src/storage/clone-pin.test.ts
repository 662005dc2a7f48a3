import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataSource, DataVolume } from '../types/index.ts';
import { withClonePin } from './clone-pin.ts';
import { resolveSource } from './data-volume-source.ts';

const GOLDEN = { kind: 'pvc', namespace: 'golden', name: 'image' } as const;
const NOTE = 'podvisor.io/clone-allowed-from';

function volume(spec: object, noted?: string): DataVolume {
  const annotations = noted === undefined ? {} : { [NOTE]: noted };
  return { metadata: { namespace: 'team', name: 'copy', annotations }, spec } as DataVolume;
}

const byReference = { sourceRef: { kind: 'DataSource', name: 'mine' } };
const leading = (source: object): DataSource =>
  ({ metadata: { namespace: 'team', name: 'mine' }, spec: { source } }) as DataSource;
const victim = { pvc: { namespace: 'victim', name: 'disk' } };

for (const [what, spec, noted, source, allowed] of [
  ['a claim of its own namespace', byReference, undefined, { pvc: { name: 'disk' } }, true],
  ['a DataSource that was pointed elsewhere since', byReference, undefined, victim, false],
  ['one that leads where it led', byReference, 'pvc victim/disk', victim, true],
  ['one that leads to another claim there', byReference, 'pvc victim/public', victim, false],
  ['one that led nowhere yet, where everything was asked for', byReference, 'pvc victim/', victim, true],
  ['one that was asked for elsewhere', byReference, 'pvc golden/', victim, false],
  ['a snapshot in place of a claim', byReference, 'pvc victim/disk', { snapshot: victim.pvc }, false],
  ['a source that nobody was asked about', { source: victim }, undefined, {}, false],
  ['a source that was asked for', { source: victim }, 'pvc victim/disk', {}, true],
  ['nothing of the cluster', { source: { blank: {} } }, undefined, {}, true],
] as const)
  test(`filled from ${what}: ${allowed ? 'yes' : 'no'}`, () => {
    const resolved = resolveSource(volume(spec, noted), () => leading(source));
    assert.equal(resolved !== undefined, allowed);
  });

test('a note of somebody else is taken off, or replaced by what was asked for', () => {
  const forged = volume({}, 'pvc victim/disk');
  assert.deepEqual(withClonePin(forged, undefined).metadata.annotations, {});
  assert.deepEqual(withClonePin(forged, GOLDEN).metadata.annotations, { [NOTE]: 'pvc golden/image' });
  const plain = volume({});
  assert.equal(withClonePin(plain, undefined), plain);
});
