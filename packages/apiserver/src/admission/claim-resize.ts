/** A bound claim may ask for more only when its storage class can give more. */
import { parseQuantity } from '@podvisor/base';
import type { Store } from '../object-store.ts';
import { keyOf } from '@podvisor/store';
import { stringAt } from '../wire/json.ts';
import { forbiddenObject } from '../wire/status.ts';
import type { Plugin } from './chain.ts';

export function claimResize(store: Store): Plugin {
  return {
    validate: ({ definition, operation, subresource, object, oldObject, name }) => {
      if (definition.group !== '' || definition.plural !== 'persistentvolumeclaims') return;
      if (operation !== 'UPDATE' || subresource !== '') return;
      const asked = stringAt(object, 'spec', 'resources', 'requests', 'storage');
      const had = stringAt(oldObject, 'spec', 'resources', 'requests', 'storage');
      if (asked === '' || had === '' || parseQuantity(asked).compare(parseQuantity(had)) <= 0) return;
      if (stringAt(oldObject, 'status', 'phase') !== 'Bound')
        throw forbiddenObject(definition, name, 'Only bound persistent volume claims can be expanded');
      const className = stringAt(oldObject, 'spec', 'storageClassName');
      const found = store.latest(keyOf('storage.k8s.io', 'storageclasses', '', className))?.object;
      if (className !== '' && found?.['allowVolumeExpansion'] === true) return;
      throw forbiddenObject(
        definition,
        name,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
    },
  };
}
