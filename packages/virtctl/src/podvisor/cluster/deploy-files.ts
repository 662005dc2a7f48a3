/** The manifests of `deploy/`, as text. Pure. */
import { EMBEDDED_REGISTRY, EMBEDDED_TAG } from '@podvisor/sys';
import { kubevirtObject, type Manifest, operatorObjects } from '@podvisor/virt-operator';
import { dump } from 'js-yaml';

export const NAMESPACE = 'kubevirt';
const HEAD = '# Printed by `node scripts/generate-deploy.ts`; do not edit.\n';

/** Objects as one YAML stream. */
export function asYaml(objects: readonly Manifest[]): string {
  return objects
    .map((object) => dump(JSON.parse(JSON.stringify(object)), { lineWidth: -1, noRefs: true }))
    .join('---\n');
}

/** File name → content. Images are those of a bare home of this machine until somebody names a registry. */
export function deployFiles(): ReadonlyMap<string, string> {
  const operator = operatorObjects({
    namespace: NAMESPACE,
    registry: EMBEDDED_REGISTRY,
    tag: EMBEDDED_TAG,
    replicas: 2,
  });
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: ['operator.yaml', 'kubevirt.yaml'],
    images: [
      {
        name: `${EMBEDDED_REGISTRY}/virt-operator`,
        newName: `${EMBEDDED_REGISTRY}/virt-operator`,
        newTag: EMBEDDED_TAG,
      },
    ],
  };
  return new Map([
    ['operator.yaml', `${HEAD}${asYaml(operator)}`],
    ['kubevirt.yaml', `${HEAD}${asYaml([kubevirtObject(NAMESPACE)])}`],
    [
      'kustomization.yaml',
      `${HEAD}# Your registry: newName: REGISTRY/virt-operator and newTag: TAG; all other images follow from it.\n${dump(kustomization)}`,
    ],
  ]);
}
