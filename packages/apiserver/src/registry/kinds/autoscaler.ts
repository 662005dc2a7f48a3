/** HorizontalPodAutoscalers. */
import { type FieldError, invalid, required } from '../../wire/field-errors.ts';
import { arrayAt, at, objectAt, stringAt } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { ensure, fill } from './fill.ts';

export const autoscalerRules: KindRules = {
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'minReplicas', 1);
    if (arrayAt(spec, 'metrics').length === 0) {
      spec['metrics'] = [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ];
    }
  },
  prepareCreate: (object) => {
    object['status'] = { desiredReplicas: 0, currentMetrics: null };
  },
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    const errors: FieldError[] = [];
    const [min, max] = [Number(at(spec, 'minReplicas') ?? 1), Number(at(spec, 'maxReplicas') ?? 0)];
    if (min < 1) errors.push(invalid('spec.minReplicas', min, 'must be greater than or equal to 1'));
    if (max < 1) errors.push(invalid('spec.maxReplicas', max, 'must be greater than 0'));
    if (max < min)
      errors.push(invalid('spec.maxReplicas', max, 'must be greater than or equal to `minReplicas`'));
    for (const field of ['kind', 'name'])
      if (stringAt(spec, 'scaleTargetRef', field) === '')
        errors.push(required(`spec.scaleTargetRef.${field}`));
    return errors;
  },
};

/** The face of v1: its one CPU target has the same default. */
export const autoscalerV1Rules: KindRules = {
  ...autoscalerRules,
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'minReplicas', 1);
    fill(spec, 'targetCPUUtilizationPercentage', 80);
  },
  prepareCreate: (object) => {
    object['status'] = { currentReplicas: 0, desiredReplicas: 0 };
  },
};
