/** The Table of HorizontalPodAutoscalers: what is measured against what is wanted. */
import { arrayAt, asObject, at, type Json, type KubeObject, stringAt } from '../../wire/json.ts';
import type { Printer } from '../definition.ts';
import { autoscalerV1Conversion } from '../autoscaler-conversion.ts';
import { name } from './core.ts';
import { AGE, age, column, NAME } from './plain.ts';

/** More metrics than this are only counted. */
const SHOWN = 2;

export const autoscalerPrinter: Printer = {
  columns: [
    NAME,
    column('Reference'),
    column('Targets'),
    column('MinPods'),
    column('MaxPods'),
    column('Replicas'),
    AGE,
  ],
  cells: (o, now) => [
    name(o),
    `${stringAt(o, 'spec', 'scaleTargetRef', 'kind')}/${stringAt(o, 'spec', 'scaleTargetRef', 'name')}`,
    targets(o.apiVersion === 'autoscaling/v1' ? autoscalerV1Conversion.toStorage(o) : o),
    String(at(o, 'spec', 'minReplicas') ?? '<unset>'),
    Number(at(o, 'spec', 'maxReplicas') ?? 0),
    Number(at(o, 'status', 'currentReplicas') ?? 0),
    age(o, now),
  ],
};

function targets(object: KubeObject): string {
  const wanted = arrayAt(object, 'spec', 'metrics');
  const found = arrayAt(object, 'status', 'currentMetrics');
  if (wanted.length === 0) return '<none>';
  const shown = wanted.slice(0, SHOWN).map((metric, i) => target(metric, found[i]));
  const more = wanted.length - SHOWN;
  return more > 0 ? `${shown.join(', ')} + ${more} more...` : shown.join(', ');
}

function target(metric: Json, found: Json | undefined): string {
  const type = stringAt(metric, 'type');
  const source = `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`;
  const [wanted, current] = [at(metric, source, 'target'), at(found, source, 'current')];
  const label = stringAt(metric, source, 'name') || stringAt(metric, source, 'metric', 'name');
  const amount = (of: Json | undefined): string | undefined => {
    const { averageUtilization, averageValue, value } = asObject(of) ?? {};
    if (averageUtilization !== undefined) return `${String(averageUtilization)}%`;
    const plain = averageValue ?? value;
    return plain === undefined ? undefined : String(plain);
  };
  const text = `${amount(current) ?? '<unknown>'}/${amount(wanted) ?? '<auto>'}`;
  return label === '' ? text : `${label}: ${text}`;
}
