/** CustomResourceDefinitions: defaults of names, the cleanup finalizer, status only from the controller. */
import { asString, at, objectAt, stringAt } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { validateCrd, validateCrdUpdate } from '../../crd/validate-crd.ts';
import { ensure, fill, own, ownItems } from './fill.ts';

const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';

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
    for (const version of ownItems(spec, 'versions')) for (const column of ownItems(version, 'additionalPrinterColumns')) void column;
  },
  prepareCreate: (object) => {
    object['status'] = { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: storageVersions(object) };
    const { metadata } = object;
    if (!(metadata.finalizers ?? []).includes(CLEANUP)) metadata.finalizers = [...(metadata.finalizers ?? []), CLEANUP];
  },
  validate: (object) => validateCrd(object),
  validateUpdate: (object, old) => validateCrdUpdate(object, old),
};

function storageVersions(object: unknown): string[] {
  const versions = at(object, 'spec', 'versions');
  return Array.isArray(versions) ? versions.filter((v) => objectAt({ v }, 'v')['storage'] === true).map((v) => stringAt(v, 'name')) : [];
}
