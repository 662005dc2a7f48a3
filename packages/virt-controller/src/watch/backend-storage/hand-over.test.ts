import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  clusterConfig,
  type MigrationState,
  type PersistentVolumeClaim,
  type VirtualMachineInstance,
  type VirtualMachineInstanceMigration,
} from '@podvisor/api';
import type { VolumeView } from '../vmi/volumes.ts';
import { buildTargetStateClaim, stateClaimsEnd, targetStateClaimName } from './hand-over.ts';
import { buildStateClaim, currentStateClaim, STATE_LABEL } from './state-claim.ts';

const vmi: VirtualMachineInstance = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'web', namespace: 'shop', uid: '1' },
  spec: { domain: { devices: { tpm: { persistent: true } } } },
};
const migration: VirtualMachineInstanceMigration = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstanceMigration',
  metadata: { name: 'move', namespace: 'shop', uid: 'm1' },
  spec: { vmiName: 'web' },
};
const config = clusterConfig();
const first = buildStateClaim(vmi, config);
const source = first.metadata.name ?? '';
const view = (...claims: readonly PersistentVolumeClaim[]): VolumeView => ({
  claim: (name) => claims.find(({ metadata }) => metadata.name === name),
  ownedClaims: () => claims,
  dataVolumePhase: () => undefined,
});
const made = buildTargetStateClaim(migration, vmi, view(first), config);
assert.ok(made);
const target = made.metadata.name ?? '';
const labelled = (claim: PersistentVolumeClaim, creationTimestamp: string): PersistentVolumeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, creationTimestamp, labels: { [STATE_LABEL]: 'web' } },
});

test('a claim for one node gets another beside it, which does not count yet; a shared one stays', () => {
  assert.notEqual(target, source);
  assert.equal(targetStateClaimName(migration, vmi, view(first)), target);
  assert.equal(currentStateClaim(vmi, [first, made]), source);
  const shared = { ...first, spec: { ...first.spec, accessModes: ['ReadWriteMany'] } };
  assert.equal(targetStateClaimName(migration, vmi, view(shared)), source);
  assert.equal(buildTargetStateClaim(migration, vmi, view(shared), config), undefined);
  assert.equal(buildTargetStateClaim(migration, vmi, view(first, made), config), undefined, 'made already');
});

test('the youngest that counts is the one', () => {
  const claims = [labelled(first, '2026-01-01T00:00:00Z'), labelled(made, '2026-01-01T00:01:00Z')];
  assert.equal(currentStateClaim(vmi, claims), target);
});

test('the claims end as the migration does', () => {
  const names = { sourcePersistentStatePVCName: source, targetPersistentStatePVCName: target };
  const end = (record: MigrationState | undefined, isOver: boolean, ...claims: PersistentVolumeClaim[]) =>
    stateClaimsEnd(migration, record && { ...names, ...record }, isOver, view(...claims))?.kind;
  const at = '2026-01-01T00:00:00Z';
  assert.equal(end({}, false, first, made), undefined, 'under way');
  assert.equal(end({ targetNodeDomainReadyTimestamp: at }, false, first, made), 'keep');
  assert.equal(end({ completed: true }, true, first, made), 'keep');
  assert.equal(end({ completed: true }, true, labelled(made, at)), undefined, 'done');
  assert.equal(end({ completed: true, failed: true }, true, first, made), 'drop');
  assert.equal(end(undefined, true, first, made), 'drop', 'failed before the hand-off');
  assert.equal(end(undefined, true, first), undefined, 'nothing was made');
  assert.equal(end({ completed: true, failed: true }, true, labelled(made, at)), undefined, 'it counts');
});
