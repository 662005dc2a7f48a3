/** The checks that the level `restricted` adds: what a Pod must do to be hardened. Pure; texts are Kubernetes'. */
import { arrayAt, at, type Json, stringAt } from '../../wire/json.ts';
import { forbiddenSeccomp } from './baseline.ts';
import type { Check } from './checks.ts';
import {
  containersNamed,
  containersOf,
  namesWhere,
  plural,
  podSecurityOf,
  quoted,
  securityOf,
  setters,
  sorted,
} from './pod-parts.ts';

export const privilegeEscalation: Check = (pod) => {
  const names = namesWhere(pod, (container) => securityOf(container, 'allowPrivilegeEscalation') !== false);
  if (names.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${containersNamed(names)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

export const unrestrictedCapabilities: Check = (pod) => {
  const listed = (container: Json, key: 'add' | 'drop'): string[] =>
    arrayAt(container, 'securityContext', 'capabilities', key).map(String);
  const added = (container: Json): string[] =>
    listed(container, 'add').filter((name) => name !== 'NET_BIND_SERVICE');
  const keeping = namesWhere(pod, (container) => !listed(container, 'drop').includes('ALL'));
  const adding = namesWhere(pod, (container) => added(container).length > 0);
  const details = [
    ...(keeping.length === 0
      ? []
      : [`${containersNamed(keeping)} must set securityContext.capabilities.drop=["ALL"]`]),
    ...(adding.length === 0
      ? []
      : [
          `${containersNamed(adding)} must not include ${quoted(sorted(containersOf(pod).flatMap(added)))} in securityContext.capabilities.add`,
        ]),
  ];
  if (details.length === 0) return undefined;
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const ALLOWED_VOLUMES = [
  ...['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim'],
  ...['projected', 'secret'],
];
const OTHER_VOLUMES = [
  ...['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'gitRepo', 'nfs', 'iscsi', 'glusterfs', 'rbd'],
  ...[
    'flexVolume',
    'cinder',
    'cephfs',
    'flocker',
    'fc',
    'azureFile',
    'vsphereVolume',
    'quobyte',
    'azureDisk',
  ],
  ...['photonPersistentDisk', 'portworxVolume', 'scaleIO', 'storageos'],
];

export const restrictedVolumes: Check = (pod) => {
  const has = (volume: Json, keys: readonly string[]): string | undefined =>
    keys.find((key) => at(volume, key) !== undefined);
  const bad = arrayAt(pod, 'spec', 'volumes').filter((volume) => has(volume, ALLOWED_VOLUMES) === undefined);
  if (bad.length === 0) return undefined;
  const names = quoted(bad.map((volume) => stringAt(volume, 'name')));
  const types = sorted(bad.map((volume) => has(volume, OTHER_VOLUMES) ?? 'unknown'));
  const what = plural(types.length, 'restricted volume type');
  return {
    reason: 'restricted volume types',
    detail: `${plural(bad.length, 'volume')} ${names} ${plural(bad.length, 'uses', 'use')} ${what} ${quoted(types)}`,
  };
};

export const runAsNonRoot: Check = (pod) => {
  const reason = 'runAsNonRoot != true';
  const ofPod = podSecurityOf(pod, 'runAsNonRoot');
  const of = (container: Json): Json | undefined => securityOf(container, 'runAsNonRoot');
  const who = setters(
    ofPod === false,
    namesWhere(pod, (container) => of(container) === false),
  );
  if (who !== '') return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = namesWhere(pod, (container) => of(container) === undefined && ofPod !== true);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersNamed(silent)} must set securityContext.runAsNonRoot=true` };
};

export const runAsRoot: Check = (pod) => {
  const who = setters(
    podSecurityOf(pod, 'runAsUser') === 0,
    namesWhere(pod, (container) => securityOf(container, 'runAsUser') === 0),
  );
  return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
};

export const unsetSeccomp: Check = (pod) => {
  const forbidden = forbiddenSeccomp(pod);
  if (forbidden !== undefined) return forbidden;
  if (podSecurityOf(pod, 'seccompProfile') !== undefined) return undefined;
  const silent = namesWhere(pod, (container) => securityOf(container, 'seccompProfile') === undefined);
  if (silent.length === 0) return undefined;
  const what = 'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
  return { reason: 'seccompProfile', detail: `pod or ${containersNamed(silent)} must set ${what}` };
};
