/** `Impersonate-*` headers: acting as someone else, when RBAC allows it. */
import type { IncomingHttpHeaders } from 'node:http';
import { serviceAccountGroups } from '@podvisor/api';
import { setMember } from '@podvisor/base';
import type { Access, Authorizer } from '../authz/authorizer.ts';
import { forbiddenMessage } from '../authz/messages.ts';
import type { UserInfo } from '../core.ts';
import { goQuote } from '../wire/field-errors.ts';
import { badRequest } from '../wire/status.ts';
import { withAuthenticated } from './authenticator.ts';

const EXTRA = 'impersonate-extra-';

export function impersonate(authorizer: Authorizer, real: UserInfo, headers: IncomingHttpHeaders): UserInfo {
  const username = one(headers['impersonate-user']);
  const groups = many(headers['impersonate-group']);
  const uid = one(headers['impersonate-uid']);
  const extra = extras(headers);
  if (username === '') {
    if (groups.length === 0 && uid === '' && Object.keys(extra).length === 0) return real;
    throw badRequest(`requested ${shown(uid, groups, extra)} without impersonating a user name`);
  }
  const account = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username);
  if (account === null) check(authorizer, real, 'users', '', username);
  else check(authorizer, real, 'serviceaccounts', account[1] ?? '', account[2] ?? '');
  for (const group of groups) check(authorizer, real, 'groups', '', group);
  if (uid !== '') check(authorizer, real, 'uids', '', uid, 'authentication.k8s.io');
  for (const [key, values] of Object.entries(extra)) {
    for (const value of values)
      check(authorizer, real, 'userextras', '', value, 'authentication.k8s.io', key);
  }
  const own = account === null || groups.length > 0 ? groups : serviceAccountGroups(account[1] ?? '');
  const user: UserInfo = {
    username,
    groups: own,
    ...(uid === '' ? {} : { uid }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
  if (username === 'system:anonymous')
    return groups.length > 0 ? user : { ...user, groups: ['system:unauthenticated'] };
  return own.includes('system:unauthenticated') ? user : withAuthenticated(user);
}

function check(
  authorizer: Authorizer,
  user: UserInfo,
  resource: string,
  namespace: string,
  name: string,
  group = '',
  subresource = '',
): void {
  const access: Access = {
    verb: 'impersonate',
    isResource: true,
    group,
    resource,
    subresource,
    name,
    namespace,
    path: '',
  };
  if (!authorizer.authorize(user, access).allowed) throw forbiddenMessage(user, access);
}

/** What was asked for, as Go writes a value of its type. */
function shown(
  uid: string,
  groups: readonly string[],
  extra: Readonly<Record<string, readonly string[]>>,
): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(goQuote).join(', ')}}`;
  const entries = Object.entries(extra).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const pairs = entries.map(([key, values]) => `${goQuote(key)}:${list(values)}`);
  return (
    `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, ` +
    `Groups:${groups.length === 0 ? '[]string(nil)' : list(groups)}, ` +
    `Extra:map[string][]string${pairs.length === 0 ? '(nil)' : `{${pairs.join(', ')}}`}}`
  );
}

function one(value: string | string[] | undefined): string {
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
}

/** Node joins repeated headers with a comma. */
function many(value: string | string[] | undefined): string[] {
  const all = Array.isArray(value) ? value : value === undefined ? [] : value.split(',');
  return all.map((item) => item.trim()).filter((item) => item !== '');
}

function extras(headers: IncomingHttpHeaders): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(EXTRA)) continue;
    setMember(found, decodeURIComponent(name.slice(EXTRA.length)), many(value));
  }
  return found;
}
