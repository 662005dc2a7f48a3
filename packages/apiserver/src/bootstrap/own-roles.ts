/**
 * Roles of the control plane's own parts are as this version has them, also in homes of older versions, where one
 * role let all controllers change every object. Who wants one otherwise sets its annotation to `false`, as for all of
 * Kubernetes' default roles; roles of people (`admin`, `edit`, …) may have been extended and are left alone.
 */
import { deepEqual } from '@podvisor/base';
import { keyOf } from '@podvisor/store';
import type { LocalClient } from '../local-client.ts';
import type { Store } from '../object-store.ts';
import type { ApiServerLog } from '../options.ts';
import { arrayAt, at, type JsonObject, stringAt } from '../wire/json.ts';

const GROUP = 'rbac.authorization.k8s.io';
const OWN = /^system:(?:kube-controller-manager|kube-scheduler|controller:.+)$/;

export async function restoreOwnRoles(
  { store, local, log }: { readonly store: Store; readonly local: LocalClient; readonly log: ApiServerLog },
  roles: readonly JsonObject[],
): Promise<void> {
  for (const role of roles) {
    const name = stringAt(role, 'metadata', 'name');
    if (stringAt(role, 'kind') !== 'ClusterRole' || !OWN.test(name)) continue;
    const stored = store.get(keyOf(GROUP, 'clusterroles', '', name))?.object;
    const rules = arrayAt(role, 'rules');
    if (stored?.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] !== 'true') continue;
    if (deepEqual(at(stored, 'rules'), rules)) continue;
    await local.mergePatch(`/apis/${GROUP}/v1/clusterroles/${name}`, { rules: [...rules] });
    log.warn({ role: name }, 'the role of a part of the control plane was another one; it has its own again');
  }
}
