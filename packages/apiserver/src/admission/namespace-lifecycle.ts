/** Nothing is created in a namespace that does not exist or is going; the system's namespaces stay. */
import { keyOf } from '@podvisor/store';
import type { Store } from '../object-store.ts';
import { forbiddenObject, notFound } from '../wire/status.ts';
import type { Attributes } from './attributes.ts';
import type { Plugin } from './chain.ts';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);
const NAMESPACES = { group: '', plural: 'namespaces' };

export function namespaceLifecycle(store: Store): Plugin {
  const check = ({ operation, definition, namespace, name, subresource }: Attributes): void => {
    const isNamespace = definition.group === '' && definition.plural === 'namespaces';
    if (isNamespace) {
      if (operation === 'DELETE' && IMMORTAL.has(name))
        throw forbiddenObject(NAMESPACES, name, 'this namespace may not be deleted');
      return;
    }
    if (!definition.namespaced || operation !== 'CREATE' || subresource !== '') return;
    const found = store.latest(keyOf('', 'namespaces', '', namespace))?.object;
    if (found === undefined) throw notFound(NAMESPACES, namespace);
    if (found.metadata.deletionTimestamp === undefined) return;
    throw forbiddenObject(
      definition,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      {
        causes: [
          {
            reason: 'NamespaceTerminating',
            message: `namespace ${namespace} is being terminated`,
            field: 'metadata.namespace',
          },
        ],
      },
    );
  };
  return {
    mutate: (attributes) => {
      check(attributes);
      return undefined;
    },
    validate: (attributes) => {
      if (attributes.operation === 'DELETE') check(attributes);
    },
  };
}
