/** Rules of a Pod's status. */
import { isIP } from 'node:net';
import { subdomainProblems } from '../../../verbs/metadata.ts';
import { type FieldError, forbidden, invalid } from '../../../wire/field-errors.ts';
import { arrayAt, at, type KubeObject, stringAt } from '../../../wire/json.ts';
import { labelKeyProblems } from '../../../wire/label-selector.ts';

const ADDRESS = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
const KUBERNETES_OWN = new Set(['PodScheduled', 'Ready', 'Initialized']);

export function podStatusErrors(pod: KubeObject, old: KubeObject): FieldError[] {
  const errors = arrayAt(pod, 'status', 'conditions').flatMap((condition, i) => {
    const type = stringAt(condition, 'type');
    return KUBERNETES_OWN.has(type)
      ? []
      : labelKeyProblems(type).map((text) => invalid(`status.conditions[${i}].Type`, type, text));
  });
  const nominated = stringAt(pod, 'status', 'nominatedNodeName');
  if (nominated !== '' && nominated !== stringAt(old, 'status', 'nominatedNodeName'))
    for (const text of subdomainProblems(nominated))
      errors.push(invalid('status.nominatedNodeName', nominated, text));
  const generation = at(pod, 'status', 'observedGeneration');
  if (typeof generation === 'number' && generation < 0)
    errors.push(invalid('status.observedGeneration', generation, 'must be a non-negative integer'));
  const quality = at(pod, 'status', 'qosClass');
  if (quality !== at(old, 'status', 'qosClass'))
    errors.push(invalid('status.qosClass', quality, 'field is immutable'));
  if (stringAt(pod, 'spec', 'nodeName') !== stringAt(old, 'spec', 'nodeName'))
    errors.push(forbidden('status.nodeName', 'may not be changed directly'));
  return [...errors, ...addressErrors(pod)];
}

/** One address of each family at most. */
function addressErrors(pod: KubeObject): FieldError[] {
  const addresses = arrayAt(pod, 'status', 'podIPs').map((entry) => stringAt(entry, 'ip'));
  const families = addresses.map((address) => isIP(address));
  const errors = addresses.flatMap((address, i) =>
    families[i] === 0 ? [invalid(`status.podIPs[${i}]`, address, ADDRESS)] : [],
  );
  if (addresses.length > 1 && errors.length === 0 && new Set(families).size !== addresses.length)
    errors.push(
      invalid(
        'status.podIPs',
        addresses.map((IP) => ({ IP })),
        'may specify no more than one IP for each IP family',
      ),
    );
  return errors;
}
