/** HorizontalPodAutoscalers. */
import { arrayAt, type JsonObject, objectAt } from '../../../wire/json.ts';
import type { KindRules } from '../../definition.ts';
import { ensure, fill, own } from '../fill.ts';
import { autoscalerErrors } from './validate.ts';

export const autoscalerRules: KindRules = {
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'minReplicas', 1);
    defaultBehavior(spec);
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
  validate: (object) => autoscalerErrors(objectAt(object, 'spec')),
};

/** Who says something of how to scale gets the rest of Kubernetes' habits, too. */
function defaultBehavior(spec: JsonObject): void {
  const behavior = own(spec, 'behavior');
  if (behavior === undefined) return;
  const [up, down] = [ensure(behavior, 'scaleUp'), ensure(behavior, 'scaleDown')];
  fill(up, 'stabilizationWindowSeconds', 0);
  fill(up, 'policies', [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ]);
  fill(down, 'policies', [{ type: 'Percent', value: 100, periodSeconds: 15 }]);
  for (const rules of [up, down]) fill(rules, 'selectPolicy', 'Max');
}

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
