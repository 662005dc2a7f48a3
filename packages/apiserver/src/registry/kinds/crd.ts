/** CustomResourceDefinitions: defaults of names, the cleanup finalizer, status only from the controller. */
import { asString, at, objectAt, stringAt } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { validateCrd, validateCrdUpdate } from '../../crd/validation/validate-crd.ts';
import { ensure, fill, own } from './fill.ts';

export const crdRules: KindRules = {
  hasGeneration: true,
  default: (object) => {
    const spec = ensure(object, 'spec');
    const names = ensure(spec, 'names');
    if (stringAt(names, 'singular') === '') names['singular'] = asString(names['kind']).toLowerCase();
    if (stringAt(names, 'listKind') === '') names['listKind'] = `${asString(names['kind'])}List`;
    fill(spec, 'conversion', { strategy: 'None' });
    const webhook = own(own(own(spec, 'conversion'), 'webhook'), 'clientConfig');
    fill(own(webhook, 'service'), 'port', 443);
  },
  prepareCreate: (object) => {
    object['status'] = {
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: storageVersions(object).slice(0, 1),
    };
  },
  validate: (object, { lookup }) => {
    const old = lookup('apiextensions.k8s.io/customresourcedefinitions', '', object.metadata.name ?? '');
    return [...validateCrd(object, old), ...(old === undefined ? [] : validateCrdUpdate(object, old))];
  },
};

function storageVersions(object: unknown): string[] {
  const versions = at(object, 'spec', 'versions');
  return Array.isArray(versions)
    ? versions.filter((v) => objectAt({ v }, 'v')['storage'] === true).map((v) => stringAt(v, 'name'))
    : [];
}
