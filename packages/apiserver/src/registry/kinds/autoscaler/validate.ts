/** What a HorizontalPodAutoscaler may ask for: its target, its metrics, how fast it may scale. */
import { parseQuantity } from '@podvisor/base';
import { pathNameProblems } from '../../../verbs/metadata.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { arrayAt, asString, at, type Json, type JsonObject, objectAt, stringAt } from '../../../wire/json.ts';

const SOURCES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const MOST_WINDOW_SECONDS = 3600;
const MOST_PERIOD_SECONDS = 1800;

export function autoscalerErrors(spec: JsonObject): FieldError[] {
  const [min, max] = [Number(at(spec, 'minReplicas') ?? 1), Number(at(spec, 'maxReplicas') ?? 0)];
  const metrics = arrayAt(spec, 'metrics');
  const scalesToZero = metrics.some((metric) => ['Object', 'External'].includes(stringAt(metric, 'type')));
  return [
    ...(min < 1 ? [invalid('spec.minReplicas', min, 'must be greater than or equal to 1')] : []),
    ...(max < 1 ? [invalid('spec.maxReplicas', max, 'must be greater than 0')] : []),
    ...(max < min
      ? [invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...targetReferenceErrors(objectAt(spec, 'scaleTargetRef'), 'spec.scaleTargetRef'),
    ...metrics.flatMap((metric, i) => metricErrors(metric, `spec.metrics[${i}]`)),
    ...(min === 0 && !scalesToZero
      ? [
          forbidden(
            'spec.metrics',
            'must specify at least one Object or External metric to support scaling to zero replicas',
          ),
        ]
      : []),
    ...['scaleUp', 'scaleDown'].flatMap((way) =>
      at(spec, 'behavior', way) === undefined
        ? []
        : scalingErrors(objectAt(spec, 'behavior', way), `spec.behavior.${way}`),
    ),
  ];
}

function targetReferenceErrors(reference: JsonObject, path: string): FieldError[] {
  const apiVersion = stringAt(reference, 'apiVersion');
  const parts = apiVersion.split('/');
  const names = ['kind', 'name'].flatMap((field) => {
    const value = stringAt(reference, field);
    if (value === '') return [required(`${path}.${field}`)];
    return pathNameProblems(value).map((problem) => invalid(`${path}.${field}`, value, problem));
  });
  if (parts.length > 2)
    return [
      ...names,
      invalid(`${path}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${apiVersion}`),
    ];
  // A group may be left out where the core group has the kind.
  return parts.length === 1 && stringAt(reference, 'kind') !== 'ReplicationController'
    ? [...names, invalid(`${path}.apiVersion`, apiVersion, 'apiVersion must specify API group')]
    : names;
}

/** The field that a type of metric is described in: Resource has `resource`. */
const fieldOf = (type: string): string => `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;

function metricErrors(metric: Json, path: string): FieldError[] {
  const type = stringAt(metric, 'type');
  if (type === '') {
    return [
      required(`${path}.type`, 'must specify a metric source type'),
      notSupported(`${path}.type`, type, SOURCES),
    ];
  }
  if (!SOURCES.includes(type)) return [notSupported(`${path}.type`, type, SOURCES)];
  const field = fieldOf(type);
  const others = SOURCES.map(fieldOf).filter((other) => other !== field && at(metric, other) !== undefined);
  const source = at(metric, field);
  return [
    ...(source === undefined
      ? [required(`${path}.${field}`, 'must populate information for the given metric source')]
      : sourceErrors(type, source, `${path}.${field}`)),
    ...others.map((other) => forbidden(`${path}.${other}`, 'must populate the given metric source only')),
  ];
}

function sourceErrors(type: string, source: Json, path: string): FieldError[] {
  const isResource = type === 'Resource' || type === 'ContainerResource';
  const target = objectAt(source, 'target');
  const name = isResource ? stringAt(source, 'name') : stringAt(source, 'metric', 'name');
  const errors: FieldError[] = [];
  if (name === '')
    errors.push(
      isResource
        ? required(`${path}.name`, 'must specify a resource name')
        : required(`${path}.metric.name`, 'must specify a metric name'),
    );
  if (type === 'ContainerResource' && stringAt(source, 'container') === '')
    errors.push(required(`${path}.container`, 'must specify a container'));
  errors.push(...targetErrors(target, `${path}.target`));
  if (isResource && ['averageUtilization', 'averageValue'].every((key) => target[key] === undefined))
    errors.push(
      required(
        `${path}.target.averageUtilization`,
        'must set either a target raw value or a target utilization',
      ),
    );
  if (type === 'Pods' && target['averageValue'] === undefined)
    errors.push(required(`${path}.target.averageValue`, 'must specify a positive target averageValue'));
  return errors;
}

function targetErrors(target: JsonObject, path: string): FieldError[] {
  const type = stringAt(target, 'type');
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'must specify a metric target type'));
  if (!['Utilization', 'Value', 'AverageValue'].includes(type))
    errors.push(invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue'));
  const share = target['averageUtilization'];
  if (typeof share === 'number' && share < 1)
    errors.push(invalid(`${path}.averageUtilization`, share, 'must be greater than 0'));
  for (const key of ['value', 'averageValue']) {
    const amount = target[key];
    if (amount !== undefined && parseQuantity(asString(amount)).nano <= 0n)
      errors.push(invalid(`${path}.${key}`, amount, 'must be positive'));
  }
  return errors;
}

function scalingErrors(rules: JsonObject, path: string): FieldError[] {
  const window = rules['stabilizationWindowSeconds'];
  const select = stringAt(rules, 'selectPolicy');
  const policies = arrayAt(rules, 'policies');
  const errors: FieldError[] = [];
  if (typeof window === 'number' && window < 0)
    errors.push(
      invalid(`${path}.stabilizationWindowSeconds`, window, 'must be greater than or equal to zero'),
    );
  if (typeof window === 'number' && window > MOST_WINDOW_SECONDS)
    errors.push(
      invalid(
        `${path}.stabilizationWindowSeconds`,
        window,
        `must be less than or equal to ${MOST_WINDOW_SECONDS}`,
      ),
    );
  if (!['Max', 'Min', 'Disabled'].includes(select))
    errors.push(notSupported(`${path}.selectPolicy`, select, ['Disabled', 'Max', 'Min']));
  if (policies.length === 0) errors.push(required(`${path}.policies`, 'must specify at least one Policy'));
  policies.forEach((policy, i) => errors.push(...policyErrors(policy, `${path}.policies[${i}]`)));
  return errors;
}

function policyErrors(policy: Json, path: string): FieldError[] {
  const type = stringAt(policy, 'type');
  const [value, period] = [Number(at(policy, 'value') ?? 0), Number(at(policy, 'periodSeconds') ?? 0)];
  return [
    ...(type === 'Pods' || type === 'Percent'
      ? []
      : [notSupported(`${path}.type`, type, ['Percent', 'Pods'])]),
    ...(value > 0 ? [] : [invalid(`${path}.value`, value, 'must be greater than zero')]),
    ...(period > 0 ? [] : [invalid(`${path}.periodSeconds`, period, 'must be greater than zero')]),
    ...(period > MOST_PERIOD_SECONDS
      ? [invalid(`${path}.periodSeconds`, period, `must be less than or equal to ${MOST_PERIOD_SECONDS}`)]
      : []),
  ];
}
