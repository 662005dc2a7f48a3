/** What Kubernetes refuses of a Pod's volumes: where, what, and the causes that a kube-apiserver names. */
import { refusals } from './testing/refusals.ts';

refusals('volumes', [
  [
    'spec.volumes',
    [
      { name: 'v', emptyDir: {} },
      { name: 'v', emptyDir: {} },
    ],
    ['Duplicate spec.volumes[1].name'],
  ],
  ['spec.volumes.0.name', 'A', ['Invalid spec.volumes[0].name']],
  ['spec.volumes.0.name', '', ['Required spec.volumes[0].name']],
  [
    'spec.volumes.0',
    { name: 'v', emptyDir: {}, hostPath: { path: '/x' } },
    ['Forbidden spec.volumes[0].hostPath'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', emptyDir: { sizeLimit: '-1' } },
    ['Forbidden spec.volumes[0].emptyDir.sizeLimit'],
  ],
  ['spec.volumes.0', { name: 'v', hostPath: { path: '' } }, ['Required spec.volumes[0].hostPath.path']],
  ['spec.volumes.0', { name: 'v', hostPath: { path: '../x' } }, ['Invalid spec.volumes[0].hostPath.path']],
  ['spec.volumes.0', { name: 'v', hostPath: { path: '/a/../b' } }, ['Invalid spec.volumes[0].hostPath.path']],
  [
    'spec.volumes.0',
    { name: 'v', hostPath: { path: '/x', type: 'Foo' } },
    ['NotSupported spec.volumes[0].hostPath.type'],
  ],
  ['spec.volumes.0', { name: 'v', configMap: {} }, ['Required spec.volumes[0].configMap.name']],
  [
    'spec.volumes.0',
    { name: 'v', configMap: { name: 'x', defaultMode: 512 } },
    ['Invalid spec.volumes[0].configMap.defaultMode'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', configMap: { name: 'x', defaultMode: -1 } },
    ['Invalid spec.volumes[0].configMap.defaultMode'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', configMap: { name: 'x', items: [{}] } },
    ['Required spec.volumes[0].configMap.items[0].key', 'Required spec.volumes[0].configMap.items[0].path'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', configMap: { name: 'x', items: [{ key: 'a', path: '../b' }] } },
    ['Invalid spec.volumes[0].configMap.items[0].path'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', configMap: { name: 'x', items: [{ key: 'a', path: '/b' }] } },
    ['Invalid spec.volumes[0].configMap.items[0].path'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', configMap: { name: 'x', items: [{ key: 'a', path: 'b', mode: 600 }] } },
    ['Invalid spec.volumes[0].configMap.items[0].mode'],
  ],
  ['spec.volumes.0', { name: 'v', secret: {} }, ['Required spec.volumes[0].secret.secretName']],
  [
    'spec.volumes.0',
    { name: 'v', secret: { secretName: '' } },
    ['Required spec.volumes[0].secret.secretName'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', secret: { secretName: 'x', items: [{ key: 'a', path: '..b' }] } },
    ['Invalid spec.volumes[0].secret.items[0].path'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', persistentVolumeClaim: {} },
    ['Required spec.volumes[0].persistentVolumeClaim.claimName'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', downwardAPI: { items: [{ path: 'a' }] } },
    ['Required spec.volumes[0].downwardAPI'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', downwardAPI: { items: [{ path: '', fieldRef: { fieldPath: 'metadata.name' } }] } },
    ['Required spec.volumes[0].downwardAPI.path'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'spec.nodeName' } }] } },
    ['NotSupported spec.volumes[0].downwardAPI.fieldRef.fieldPath'],
  ],
  [
    'spec.volumes.0',
    {
      name: 'v',
      downwardAPI: {
        items: [
          {
            path: 'a',
            fieldRef: { fieldPath: 'metadata.name' },
            resourceFieldRef: { resource: 'limits.cpu', containerName: 'c' },
          },
        ],
      },
    },
    ['Invalid spec.volumes[0].downwardAPI'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', downwardAPI: { items: [{ path: 'a', resourceFieldRef: { resource: 'limits.cpu' } }] } },
    ['Required spec.volumes[0].downwardAPI.resourceFieldRef.containerName'],
  ],
  [
    'spec.volumes.0',
    {
      name: 'v',
      downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' }, mode: 1000 }] },
    },
    ['Invalid spec.volumes[0].downwardAPI.mode'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', projected: { sources: [{ secret: { name: 'x' }, configMap: { name: 'y' } }] } },
    ['Forbidden spec.volumes[0].projected.sources[0]'],
  ],
  [
    'spec.volumes.0',
    {
      name: 'v',
      projected: {
        sources: [
          { secret: { name: 'x', items: [{ key: 'a', path: 'b' }] } },
          { configMap: { name: 'y', items: [{ key: 'a', path: 'b' }] } },
        ],
      },
    },
    ['Invalid spec.volumes[0].projected'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', projected: { sources: [{ serviceAccountToken: {} }] } },
    ['Required spec.volumes[0].projected.path'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'a', expirationSeconds: 5 } }] } },
    ['Invalid spec.volumes[0].projected.sources[0].serviceAccountToken.expirationSeconds'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', projected: { defaultMode: 1000, sources: [] } },
    ['Invalid spec.volumes[0].projected.defaultMode'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', nfs: {} },
    [
      'Invalid spec.volumes[0].nfs.path',
      'Required spec.volumes[0].nfs.path',
      'Required spec.volumes[0].nfs.server',
    ],
  ],
  ['spec.volumes.0', { name: 'v', nfs: { server: 'a', path: 'b' } }, ['Invalid spec.volumes[0].nfs.path']],
  ['spec.volumes.0', { name: 'v', csi: {} }, ['Required spec.volumes[0].csi.driver']],
  ['spec.volumes.0', { name: 'v', csi: { driver: 'A b' } }, ['Invalid spec.volumes[0].csi.driver']],
  [
    'spec.volumes.0',
    { name: 'v', csi: { driver: 'a.b', nodePublishSecretRef: {} } },
    ['Required spec.volumes[0].csi.nodePublishSecretRef.name'],
  ],
  ['spec.volumes.0', { name: 'v', image: {} }, ['Required spec.volumes[0].image.reference']],
  [
    'spec.volumes.0',
    { name: 'v', image: { reference: 'x', pullPolicy: 'Foo' } },
    ['NotSupported spec.volumes[0].image.pullPolicy'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', ephemeral: {} },
    ['Required spec.volumes[0].ephemeral.volumeClaimTemplate'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    [
      'Required spec.volumes[0].ephemeral.volumeClaimTemplate.spec.accessModes',
      'Required spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources[storage]',
    ],
  ],
  [
    'spec.volumes.0',
    { name: 'v', iscsi: {} },
    ['Required spec.volumes[0].iscsi.iqn', 'Required spec.volumes[0].iscsi.targetPortal'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', iscsi: { targetPortal: 'a', iqn: 'x', lun: 0 } },
    ['Invalid spec.volumes[0].iscsi.iqn'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', rbd: {} },
    ['Required spec.volumes[0].rbd.image', 'Required spec.volumes[0].rbd.monitors'],
  ],
  ['spec.volumes.0', { name: 'v', cephfs: {} }, ['Required spec.volumes[0].cephfs.monitors']],
  ['spec.volumes.0', { name: 'v', fc: {} }, ['Required spec.volumes[0].fc.targetWWNs']],
  ['spec.volumes.0', { name: 'v', gitRepo: {} }, ['Required spec.volumes[0].gitRepo.repository']],
  [
    'spec.volumes.0',
    { name: 'v', awsElasticBlockStore: {} },
    ['Required spec.volumes[0].awsElasticBlockStore.volumeID'],
  ],
  [
    'spec.volumes.0',
    { name: 'v', glusterfs: {} },
    ['Required spec.volumes[0].glusterfs.endpoints', 'Required spec.volumes[0].glusterfs.path'],
  ],
  ['spec.volumes.0', { name: 'v', flexVolume: {} }, ['Required spec.volumes[0].flexVolume.driver']],
]);
