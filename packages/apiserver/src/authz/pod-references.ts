/** What a Pod needs of its namespace, by name: the objects that its kubelet may read for it. Pure. */
import { arrayAt, at, type KubeObject, stringAt } from '../wire/json.ts';

/** `secrets/name`, `configmaps/name`, `persistentvolumeclaims/name`, `serviceaccounts/name`. */
export function podReferences(pod: KubeObject): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (plural: string, name: string): void => {
    if (name !== '') found.add(`${plural}/${name}`);
  };
  add('serviceaccounts', stringAt(pod, 'spec', 'serviceAccountName'));
  for (const secret of arrayAt(pod, 'spec', 'imagePullSecrets')) add('secrets', stringAt(secret, 'name'));
  for (const volume of arrayAt(pod, 'spec', 'volumes')) {
    add('secrets', stringAt(volume, 'secret', 'secretName'));
    add('secrets', stringAt(volume, 'csi', 'nodePublishSecretRef', 'name'));
    add('configmaps', stringAt(volume, 'configMap', 'name'));
    add('persistentvolumeclaims', stringAt(volume, 'persistentVolumeClaim', 'claimName'));
    if (at(volume, 'ephemeral') !== undefined)
      add('persistentvolumeclaims', `${pod.metadata.name}-${stringAt(volume, 'name')}`);
    for (const source of arrayAt(volume, 'projected', 'sources')) {
      add('secrets', stringAt(source, 'secret', 'name'));
      add('configmaps', stringAt(source, 'configMap', 'name'));
    }
  }
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'])
    for (const container of arrayAt(pod, 'spec', list)) {
      for (const source of arrayAt(container, 'envFrom')) {
        add('secrets', stringAt(source, 'secretRef', 'name'));
        add('configmaps', stringAt(source, 'configMapRef', 'name'));
      }
      for (const variable of arrayAt(container, 'env')) {
        add('secrets', stringAt(variable, 'valueFrom', 'secretKeyRef', 'name'));
        add('configmaps', stringAt(variable, 'valueFrom', 'configMapKeyRef', 'name'));
      }
    }
  return found;
}
