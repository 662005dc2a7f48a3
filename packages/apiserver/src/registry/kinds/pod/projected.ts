/** Rules of projected volumes: several sources, of which no two may write the same file. */
import { type FieldError, forbidden, invalid, required } from '../../../wire/field-errors.ts';
import { arrayAt, asObject, at, type Json, stringAt } from '../../../wire/json.ts';
import { unreservedPathErrors } from './paths.ts';
import { downwardFileErrors, itemErrors, modeErrors } from './volume-files.ts';

const KINDS = [
  ...['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'],
  ...['clusterTrustBundle', 'podCertificate'],
];
const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;

export function projectionErrors(source: Json, path: string): FieldError[] {
  const taken = new Set<string>();
  const conflicts = (items: readonly Json[], name?: string): FieldError[] =>
    items.flatMap((item) => {
      const file = stringAt(item, 'path');
      if (file === '') return [];
      if (taken.has(file)) return [invalid(path, name ?? file, 'conflicting duplicate paths')];
      taken.add(file);
      return [];
    });
  const sources = arrayAt(source, 'sources').flatMap((one, i) => {
    const where = `${path}.sources[${i}]`;
    const errors: FieldError[] = [];
    for (const kind of ['secret', 'configMap']) {
      const keys = at(one, kind);
      if (keys === undefined) continue;
      const name = stringAt(keys, 'name');
      if (name === '') errors.push(required(`${where}.${kind}.name`));
      errors.push(...itemErrors(keys, `${where}.${kind}`), ...conflicts(arrayAt(keys, 'items'), name));
    }
    const files = arrayAt(one, 'downwardAPI', 'items');
    errors.push(...files.flatMap((file) => downwardFileErrors(file, `${where}.downwardAPI`)));
    errors.push(...conflicts(files));
    const token = at(one, 'serviceAccountToken');
    if (token !== undefined) errors.push(...tokenErrors(token, `${where}.serviceAccountToken`, path));
    if (KINDS.filter((kind) => asObject(at(one, kind)) !== undefined).length > 1)
      errors.push(forbidden(where, 'may not specify more than 1 volume type per source'));
    return errors;
  });
  return [...modeErrors(source, path, 'defaultMode'), ...sources];
}

/** Kubernetes names the volume, not the source, when the path of a token is wrong. */
function tokenErrors(token: Json, path: string, volume: string): FieldError[] {
  const seconds = at(token, 'expirationSeconds');
  const errors: FieldError[] = [];
  const tooBad = (text: string): number =>
    errors.push(invalid(`${path}.expirationSeconds`, seconds, `may not specify a duration ${text}`));
  if (seconds === undefined) errors.push(required(`${path}.expirationSeconds`));
  else if (Number(seconds) < SHORTEST_SECONDS) tooBad('less than 10 minutes');
  else if (Number(seconds) > LONGEST_SECONDS) tooBad('larger than 2^32 seconds');
  const file = stringAt(token, 'path');
  return [
    ...errors,
    ...(file === '' ? [required(`${volume}.path`)] : unreservedPathErrors(file, `${volume}.path`)),
  ];
}
