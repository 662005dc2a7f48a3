/**
 * The rules of how a webhook is reached, the same for admission and conversion: an https URL or a Service, and the
 * versions of a review that it understands.
 */
import { label1035Problems, subdomainProblems } from '../verbs/metadata.ts';
import { type FieldError, invalid, required } from '../wire/field-errors.ts';
import { at, type Json, stringAt } from '../wire/json.ts';

const FORM = '; desired format: https://host[/path]';

export function webhookUrlErrors(given: string, path: string): FieldError[] {
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/.exec(given);
  const scheme = parts?.[1]?.toLowerCase() ?? '';
  const authority = parts?.[2] ?? '';
  const user = authority.includes('@') ? authority.slice(0, authority.lastIndexOf('@')) : '';
  const host = authority.slice(user === '' ? 0 : user.length + 1);
  const [beforeFragment = '', fragment = ''] = split(given, '#');
  const query = split(beforeFragment, '?')[1] ?? '';
  const errors: FieldError[] = [];
  if (scheme !== 'https') errors.push(invalid(path, scheme, `'https' is the only allowed URL scheme${FORM}`));
  if (host === '') errors.push(invalid(path, '', `host must be specified${FORM}`));
  if (user !== '') errors.push(invalid(path, user, 'user information is not permitted in the URL'));
  if (fragment !== '') errors.push(invalid(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') errors.push(invalid(path, query, 'query parameters are not permitted in the URL'));
  return errors;
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

export function webhookServiceErrors(service: Json, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ['name', 'namespace'])
    if (stringAt(service, key) === '') errors.push(required(`${path}.${key}`));
  const port = Number(at(service, 'port') ?? 443);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    errors.push(invalid(`${path}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  errors.push(...servicePathErrors(stringAt(service, 'path'), `${path}.path`));
  return errors;
}

function servicePathErrors(value: string, path: string): FieldError[] {
  if (value === '' || value === '/') return [];
  if (value === '//') return [invalid(path, value, 'segment[0] may not be empty')];
  const errors: FieldError[] = [];
  if (!value.startsWith('/')) errors.push(invalid(path, value, "must start with a '/'"));
  value
    .slice(1)
    .replace(/\/$/, '')
    .split('/')
    .forEach((segment, i) => {
      if (segment === '') errors.push(invalid(path, value, `segment[${i}] may not be empty`));
      else
        for (const problem of subdomainProblems(segment))
          errors.push(invalid(path, value, `segment[${i}]: ${problem}`));
    });
  return errors;
}

/** Versions of a review that this server can send. */
const REVIEWS = ['v1', 'v1beta1'];

/** `wanted` is said when there is none at all. */
export function reviewVersionErrors(versions: readonly string[], path: string, wanted = ''): FieldError[] {
  if (versions.length === 0) return [required(path, wanted)];
  const errors = versions.flatMap((version, i) =>
    versions.indexOf(version) < i
      ? [invalid(`${path}[${i}]`, version, 'duplicate version')]
      : label1035Problems(version).map((problem) => invalid(`${path}[${i}]`, version, problem)),
  );
  if (!versions.some((version) => REVIEWS.includes(version)))
    errors.push(invalid(path, versions, `must include at least one of ${REVIEWS.join(', ')}`));
  return errors;
}
