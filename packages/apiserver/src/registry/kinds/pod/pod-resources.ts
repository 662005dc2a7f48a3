/** What a Pod asks for as a whole, and whether its containers fit into it. */
import { Amount, isQuantity, parseQuantity } from '@podvisor/base';
import { type FieldError, forbidden, invalid, notSupported } from '../../../wire/field-errors.ts';
import { arrayAt, asString, at, type JsonObject, objectAt, stringAt } from '../../../wire/json.ts';
import { validateResources } from './resources.ts';

const OF_PODS = ['cpu', 'hugepages-', 'memory'];

export function podResourceErrors(spec: JsonObject, path: string): FieldError[] {
  if ((spec['resources'] ?? undefined) === undefined) return [];
  if (stringAt(spec, 'os', 'name') === 'windows')
    return [forbidden(`${path}.resources`, 'may not be set for a windows pod')];
  const where = `${path}.resources`;
  const resources = objectAt(spec, 'resources');
  const claims =
    (resources['claims'] ?? undefined) === undefined
      ? []
      : [forbidden(`${where}.claims`, 'claims may not be set for Resources at pod-level')];
  const names = ['limits', 'requests'].flatMap((part) =>
    Object.keys(objectAt(resources, part))
      .filter((name) => !isOfPods(name))
      .map((name) => notSupported(`${where}.${part}[${name}]`, name, OF_PODS)),
  );
  const { limits, requests } = resources;
  const amounts = validateResources(
    { ...(limits === undefined ? {} : { limits }), ...(requests === undefined ? {} : { requests }) },
    where,
  ).filter(({ field }) => !names.some((error) => error.field === field));
  return [...claims, ...names, ...amounts, ...fitErrors(spec, where)];
}

const isOfPods = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

function fitErrors(spec: JsonObject, where: string): FieldError[] {
  const wanted = objectAt(spec, 'resources', 'requests');
  const most = objectAt(spec, 'resources', 'limits');
  const requests = Object.keys(wanted).flatMap((name) => {
    const [own, inside] = [amount(wanted[name]), containersAsk(spec, name)];
    return inside === undefined || inside.compare(own) <= 0
      ? []
      : [
          invalid(
            `${where}.requests[${name}]`,
            own.toString(),
            `must be greater than or equal to aggregate container requests of ${inside.toString()}`,
          ),
        ];
  });
  const limits = arrayAt(spec, 'containers').flatMap((container, i) =>
    Object.entries(objectAt(container, 'resources', 'limits')).flatMap(([name, value]) => {
      const own = most[name] === undefined ? undefined : amount(most[name]);
      return own === undefined || amount(value).compare(own) <= 0
        ? []
        : [
            invalid(
              `${where}.containers[${i}][${name}].limits`,
              amount(value).toString(),
              `must be less than or equal to pod limits of ${own.toString()}`,
            ),
          ];
    }),
  );
  return [...requests, ...limits];
}

function amount(value: unknown): Amount {
  return isQuantity(value) ? parseQuantity(asString(value)) : new Amount(0n);
}

/** Containers run together, with those that are started before them and stay; other init containers one by one. */
function containersAsk(spec: JsonObject, name: string): Amount | undefined {
  const asked = (container: unknown): Amount | undefined => {
    const value = at(container, 'resources', 'requests', name);
    return value === undefined ? undefined : amount(value);
  };
  const sum = (one: Amount | undefined, other: Amount | undefined): Amount | undefined =>
    one === undefined || other === undefined ? (one ?? other) : one.plus(other);
  const larger = (one: Amount | undefined, other: Amount | undefined): Amount | undefined =>
    one === undefined || (other !== undefined && other.compare(one) > 0) ? other : one;
  let staying: Amount | undefined;
  let peak: Amount | undefined;
  for (const container of arrayAt(spec, 'initContainers')) {
    const own = asked(container);
    if (stringAt(container, 'restartPolicy') === 'Always') {
      staying = sum(staying, own);
      peak = larger(peak, staying);
    } else peak = larger(peak, sum(staying, own));
  }
  const running = arrayAt(spec, 'containers').map(asked).reduce(sum, staying);
  return larger(peak, running);
}
