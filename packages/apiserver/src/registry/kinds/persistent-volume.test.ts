import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, KubeObject } from '../../wire/json.ts';
import { volumeRules } from './persistent-volume.ts';

const AFFINITY = {
  required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'In', values: ['a'] }] }] },
};

function volume(spec: JsonObject): KubeObject {
  const object = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v' },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...spec },
  } as unknown as KubeObject;
  volumeRules.default?.(object);
  return object;
}

const named = (errors: readonly { reason: string; field: string }[]): string[] =>
  errors.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);

/** Reason and field of each cause. */
const written: readonly [spec: JsonObject, causes: readonly string[]][] = [
  [{ hostPath: { path: '/a' } }, []],
  [{ local: { path: '/a' }, nodeAffinity: AFFINITY }, []],
  [{ csi: { driver: 'd.x', volumeHandle: 'h' }, volumeAttributesClassName: 'fast' }, []],
  [{}, ['Required spec']],
  [{ hostPath: { path: '/a' }, nfs: { server: 's', path: '/b' } }, ['Forbidden spec.nfs']],
  [{ hostPath: { path: '/a', type: 'Foo' } }, ['NotSupported spec.hostPath.type']],
  [{ hostPath: { path: '/a/../b' } }, ['Invalid spec.hostPath.path']],
  [
    { hostPath: { path: '//' }, persistentVolumeReclaimPolicy: 'Recycle' },
    ['Forbidden spec.persistentVolumeReclaimPolicy'],
  ],
  [{ local: { path: '' } }, ['Required spec.local.path', 'Required spec.nodeAffinity']],
  [{ nfs: { path: 'a' } }, ['Required spec.nfs.server', 'Invalid spec.nfs.path']],
  [{ iscsi: { targetPortal: 'p', iqn: 'x' } }, ['Invalid spec.iscsi.iqn']],
  [{ rbd: {} }, ['Required spec.rbd.monitors', 'Required spec.rbd.image']],
  [{ fc: {} }, ['Required spec.fc.targetWWNs']],
  [
    { azureFile: { secretName: 's', shareName: 't', secretNamespace: '' } },
    ['Required spec.azureFile.secretNamespace'],
  ],
  [
    { csi: { driver: 'a b', volumeHandle: '' } },
    ['Invalid spec.csi.driver', 'Required spec.csi.volumeHandle'],
  ],
  [
    {
      csi: {
        driver: 'd',
        volumeHandle: 'h',
        nodeStageSecretRef: { name: 'n' },
        controllerPublishSecretRef: {},
      },
    },
    [
      'Required spec.csi.controllerPublishSecretRef.name',
      'Required spec.csi.controllerPublishSecretRef.namespace',
      'Required spec.csi.nodeStageSecretRef.namespace',
    ],
  ],
  [
    { hostPath: { path: '/a' }, volumeAttributesClassName: '' },
    ['Required spec.volumeAttributesClassName', 'Required spec.csi'],
  ],
];

for (const [spec, causes] of written)
  test(`a PersistentVolume is written: ${JSON.stringify(spec)}`, () => {
    assert.deepEqual(named(volumeRules.validate?.(volume(spec), undefined as never) ?? []), causes);
  });

const changed: readonly [old: JsonObject, spec: JsonObject, causes: readonly string[]][] = [
  [{ hostPath: { path: '/a' } }, { hostPath: { path: '/a' }, storageClassName: 'x' }, []],
  [{ hostPath: { path: '/a' } }, { hostPath: { path: '/b' } }, ['Forbidden spec.persistentvolumesource']],
  [{ hostPath: { path: '/a' } }, { hostPath: { path: '/a' }, volumeMode: 'Block' }, ['Invalid volumeMode']],
  [{ hostPath: { path: '/a' } }, { hostPath: { path: '/a' }, nodeAffinity: AFFINITY }, []],
  [
    { local: { path: '/a' }, nodeAffinity: AFFINITY },
    { local: { path: '/a' }, nodeAffinity: { required: { nodeSelectorTerms: [] } } },
    ['Invalid nodeAffinity'],
  ],
];

for (const [old, spec, causes] of changed)
  test(`a PersistentVolume is changed: ${JSON.stringify(spec)}`, () => {
    assert.deepEqual(
      named(volumeRules.validateUpdate?.(volume(spec), volume(old), undefined as never) ?? []),
      causes,
    );
  });
