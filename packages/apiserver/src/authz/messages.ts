/** The 403 that Kubernetes gives when RBAC says no. */
import { StatusError } from '@podvisor/base';
import type { UserInfo } from '../core.ts';
import { detailsOf } from '../wire/status.ts';
import type { Access } from './authorizer.ts';

export function forbiddenMessage(user: UserInfo, access: Access): StatusError {
  if (!access.isResource) {
    return new StatusError(
      'Forbidden',
      `forbidden: User "${user.username}" cannot ${access.verb} path "${access.path}"`,
      { details: {} },
    );
  }
  const { group, resource, subresource, name, namespace, verb } = access;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const what = name === '' ? `${qualified} is forbidden` : `${qualified} "${name}" is forbidden`;
  const where =
    namespace === '' || resource === 'namespaces'
      ? resource === 'namespaces' && namespace !== ''
        ? ` in the namespace "${namespace}"`
        : ' at the cluster scope'
      : ` in the namespace "${namespace}"`;
  const message = `${what}: User "${user.username}" cannot ${verb} resource "${subresource === '' ? resource : `${resource}/${subresource}`}" in API group "${group}"${where}`;
  return new StatusError('Forbidden', message, { details: detailsOf({ group, plural: resource }, name) });
}
