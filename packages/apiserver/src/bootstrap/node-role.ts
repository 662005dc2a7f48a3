/** Homes of older versions gave every node what one node needs, by a binding of `system:node`. It is taken back. */
import type { Store } from '../object-store.ts';
import { keyOf } from '@podvisor/store';
import type { LocalClient } from '../local-client.ts';
import { arrayAt } from '../wire/json.ts';

const GROUP = 'rbac.authorization.k8s.io';
const NAME = 'system:node';

/** Who wants the binding as it is sets its annotation to `false`, as for all of Kubernetes' default roles. */
export async function withdrawNodeRole(store: Store, local: LocalClient): Promise<void> {
  const binding = store.get(keyOf(GROUP, 'clusterrolebindings', '', NAME))?.object;
  if (binding?.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] !== 'true') return;
  if (arrayAt(binding, 'subjects').length === 0) return;
  await local.mergePatch(`/apis/${GROUP}/v1/clusterrolebindings/${NAME}`, { subjects: null });
}
