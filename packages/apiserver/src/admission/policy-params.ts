/** The objects that a binding hands to its policy as `params`. */
import type { Store } from '../object-store.ts';
import type { Registry } from '../registry/registry.ts';
import { at, type KubeObject, objectAt, stringAt } from '../wire/json.ts';
import { matcherOf } from '../wire/label-selector.ts';
import type { Attributes } from './attributes.ts';

export type Params =
  /** The policy is checked once for each; one `undefined`: once without. */
  | { readonly kind: 'found'; readonly objects: readonly (KubeObject | undefined)[] }
  | { readonly kind: 'failed'; readonly message: string };

export function paramsOf(
  store: Store,
  registry: Registry,
  policy: KubeObject,
  binding: KubeObject,
  { namespace }: Attributes,
): Params {
  const kind = objectAt(policy, 'spec', 'paramKind');
  const ref = at(binding, 'spec', 'paramRef');
  if (stringAt(kind, 'kind') === '' || ref === undefined || ref === null)
    return { kind: 'found', objects: [undefined] };
  const [group, version] = split(stringAt(kind, 'apiVersion'));
  const definition = registry.findKind(group, version, stringAt(kind, 'kind'));
  if (definition === undefined)
    return failed(
      `failed to find resource referenced by paramKind: '${stringAt(kind, 'apiVersion')}, Kind=${stringAt(kind, 'kind')}'`,
    );
  const where = definition.namespaced ? stringAt(ref, 'namespace') || namespace : '';
  const name = stringAt(ref, 'name');
  const selected = name === '' ? matcherOf(at(ref, 'selector')) : undefined;
  const objects = store
    .list(definition.collection)
    .map(({ object }) => object)
    .filter(({ metadata }) => (metadata.namespace ?? '') === where)
    .filter(({ metadata }) => selected?.(metadata.labels) ?? metadata.name === name);
  if (objects.length > 0) return { kind: 'found', objects };
  return stringAt(ref, 'parameterNotFoundAction') === 'Allow'
    ? { kind: 'found', objects: [] }
    : failed('no params found for policy binding with `Deny` parameterNotFoundAction');
}

function failed(message: string): Params {
  return { kind: 'failed', message: `failed to configure binding: ${message}` };
}

function split(apiVersion: string): [string, string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
