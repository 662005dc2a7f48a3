/** `authorizer` in expressions of policies and webhooks. */
import { serviceAccountGroups } from '@podvisor/api';
import type { Authorizer } from '../authz/authorizer.ts';
import { CelAuthorizer } from '../crd/cel/cel-authorizer.ts';
import type { Attributes } from './attributes.ts';

/** What the user of the request, or a service account, may do. */
export function askerOf(authorizer: Authorizer, attributes: Attributes): CelAuthorizer {
  const { definition, subresource, namespace, name, user } = attributes;
  const { group, plural: resource } = definition;
  return new CelAuthorizer(
    (question, account) =>
      authorizer.authorize(account === undefined ? user : { username: account, groups: groupsOf(account) }, {
        ...question,
        version: '*',
        isResource: question.path === '',
      }),
    undefined,
    undefined,
    { group, resource, subresource, namespace, name },
  );
}

/** Of `system:serviceaccount:<namespace>:<name>`. */
function groupsOf(account: string): string[] {
  return [...serviceAccountGroups(account.split(':')[2] ?? ''), 'system:authenticated'];
}
