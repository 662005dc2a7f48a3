/**
 * What must be there before anybody may ask the API server anything: kinds, policies, and the roles of those who ask.
 * It is installed while the port is still closed, so that components which start beside the control plane are refused
 * nothing that they may do a second later. Objects that our webhooks judge are none of it: virt-api, which answers
 * those, waits for the port itself.
 */
import { type Clock, messageOf } from '@podvisor/base';
import type { KubeClient, Log } from '@podvisor/kube';
import type { Manifest } from '@podvisor/virt-operator';
import { installObjects } from './install.ts';

const KINDS: ReadonlySet<string> = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ServiceAccount',
  'ClusterRole',
  'ClusterRoleBinding',
  'Role',
  'RoleBinding',
]);

/** So long nobody is answered at most: a webhook that an administrator installed may not answer before the port is open. */
const PATIENCE_MS = 20_000;

export function isFoundation({ kind }: Pick<Manifest, 'kind'>): boolean {
  return kind !== undefined && KINDS.has(kind);
}

interface Installer {
  readonly client: Pick<KubeClient, 'find' | 'create' | 'patch'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Resolves with what is left to install when the server listens. Never rejects: where something could not be installed
 * it is told, and all objects are left, because an administrator can then mend what stands in the way.
 */
export async function installFoundations(
  { client, clock, log }: Installer,
  objects: readonly Manifest[],
  signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
): Promise<readonly Manifest[]> {
  try {
    await installObjects(client, objects.filter(isFoundation), clock, signal);
    return objects.filter((object) => !isFoundation(object));
  } catch (error) {
    log.warn(
      { error: messageOf(error) },
      'roles and kinds could not be installed before the API server listens, trying again when it does',
    );
    return objects;
  }
}
