/** Rules of container ports. */
import { duplicate, type FieldError, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { arrayAt, at, type Json, type JsonObject, stringAt } from '../../../wire/json.ts';
import { repeats } from '../../../wire/repeats.ts';
import { portNameProblems } from './probes.ts';

const RANGE = 'must be between 1 and 65535, inclusive';
const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

export function containerPortErrors(ports: readonly Json[], path: string, spec: JsonObject): FieldError[] {
  const names = ports.map((port) => stringAt(port, 'name'));
  const again = repeats(names);
  return ports.flatMap((port, i) => {
    const where = `${path}[${i}]`;
    const name = names[i] ?? '';
    const errors: FieldError[] = [];
    if (name !== '') {
      errors.push(...portNameProblems(name).map((text) => invalid(`${where}.name`, name, text)));
      if (again.has(i)) errors.push(duplicate(`${where}.name`, name));
    }
    const number = at(port, 'containerPort');
    if (number === 0 || number === undefined) errors.push(required(`${where}.containerPort`));
    else if (typeof number === 'number' && (number < 1 || number > 65535))
      errors.push(invalid(`${where}.containerPort`, number, RANGE));
    const host = at(port, 'hostPort');
    if (typeof host === 'number' && host !== 0) {
      if (host < 1 || host > 65535) errors.push(invalid(`${where}.hostPort`, host, RANGE));
      else if (spec['hostNetwork'] === true && host !== number)
        errors.push(
          invalid(`${where}.hostPort`, host, 'must match `containerPort` when `hostNetwork` is true'),
        );
    }
    const protocol = stringAt(port, 'protocol');
    if (!PROTOCOLS.includes(protocol)) errors.push(notSupported(`${where}.protocol`, protocol, PROTOCOLS));
    return errors;
  });
}

/** Ports of the node that two of these containers want at once. */
export function hostPortConflicts(containers: readonly Json[], path: string): FieldError[] {
  const taken = new Set<string>();
  return containers.flatMap((container, i) =>
    arrayAt(container, 'ports').flatMap((port, j) => {
      const number = Number(at(port, 'hostPort') ?? 0);
      if (number === 0) return [];
      const key = `${stringAt(port, 'protocol')}/${stringAt(port, 'hostIP')}/${number}`;
      if (taken.has(key)) return [duplicate(`${path}[${i}].ports[${j}].hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}
