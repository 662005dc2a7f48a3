/** What a client takes for granted when it writes: that the object is still the one, and the version, it read. */
import { memberOf } from '@podvisor/base';
import type { VerbContext } from '../../core.ts';
import type { ResourceDefinition } from '../../registry/definition.ts';
import { invalid, invalidObject } from '../../wire/field-errors.ts';
import type { KubeObject } from '../../wire/json.ts';
import { conflict, MODIFIED, ReasonlessError } from '../../wire/status.ts';

/** True when the client named a resourceVersion. Throws when it is not the current one, or the uid is not. */
export function checkPreconditions(
  { definition, info }: VerbContext,
  object: KubeObject,
  current: KubeObject,
): boolean {
  const { uid = '', resourceVersion = '' } = object.metadata;
  if (uid !== '' && uid !== current.metadata.uid && info.method === 'PUT') {
    const prefix =
      definition.group === '' || definition.custom === undefined
        ? definition.plural
        : `${definition.group}/${definition.plural}`;
    throw conflict(
      definition,
      info.name,
      `StorageError: invalid object, Code: 4, Key: /registry/${registryName(definition, prefix)}/${definition.namespaced ? `${info.namespace}/` : ''}${info.name}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current.metadata.uid ?? ''}`,
    );
  }
  if (resourceVersion === '' || resourceVersion === '0') {
    if (
      info.method === 'PUT' &&
      info.subresource !== 'scale' &&
      (definition.custom !== undefined || definition.rules.requiresVersionOnUpdate === true)
    ) {
      throw invalidObject(definition.plural, definition.group, info.name, [
        invalid('metadata.resourceVersion', 0, 'must be specified for an update'),
      ]);
    }
    return false;
  }
  if (!/^[0-9]+$/.test(resourceVersion))
    throw new ReasonlessError(500, `strconv.ParseUint: parsing "${resourceVersion}": invalid syntax`);
  if (resourceVersion !== current.metadata.resourceVersion) throw conflict(definition, info.name, MODIFIED);
  return true;
}

function registryName(definition: ResourceDefinition, fallback: string): string {
  const special: Readonly<Record<string, string>> = {
    nodes: 'minions',
    services: 'services/specs',
    endpoints: 'services/endpoints',
    replicationcontrollers: 'controllers',
    ingresses: 'ingress',
  };
  return memberOf(special, definition.plural) ?? fallback;
}
