/** Pods: defaults, validation, status, and what a selector may ask. */
import { isIP } from 'node:net';
import { type FieldError, invalid } from '../../../wire/field-errors.ts';
import { arrayAt, type KubeObject, objectAt, stringAt } from '../../../wire/json.ts';
import type { KindRules } from '../../definition.ts';
import { ensure, fill } from '../fill.ts';
import { defaultPodSpec } from './defaults.ts';
import { qosClass } from './qos.ts';
import { validatePodUpdate } from './update.ts';
import { validatePodSpec } from './validate.ts';

export const podRules: KindRules = {
  hasGeneration: true,
  selectable: [
    'spec.hostNetwork',
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.nominatedNodeName',
    'status.phase',
    'status.podIP',
    'status.podIPs',
  ],
  select: (object, field) => {
    if (field === 'spec.hostNetwork') return String(objectAt(object, 'spec')['hostNetwork'] === true);
    if (field === 'status.podIPs')
      return arrayAt(object, 'status', 'podIPs')
        .map((ip) => stringAt(ip, 'ip'))
        .join(',');
    const [part = '', key = ''] = field.split('.');
    return stringAt(object, part, key);
  },
  default: (object) => {
    defaultPodSpec(ensure(object, 'spec'), false);
    const status = objectAt(object, 'status');
    if (Object.keys(status).length === 0 && object['status'] === undefined) return;
    const own = ensure(object, 'status');
    fill(own, 'phase', 'Pending');
    const ip = stringAt(own, 'podIP');
    if (ip !== '' && stringAt(arrayAt(own, 'podIPs')[0], 'ip') !== ip) own['podIPs'] = [{ ip }];
  },
  prepareCreate: (object) => {
    const spec = ensure(object, 'spec');
    if (Number(spec['terminationGracePeriodSeconds'] ?? 0) < 0) spec['terminationGracePeriodSeconds'] = 1;
    object['status'] = { phase: 'Pending', ...gated(object), qosClass: qosClass(spec) };
  },
  prepareUpdate: (object, old) => {
    object['status'] = { ...objectAt(old, 'status') };
  },
  validate: (object) => validatePodSpec(objectAt(object, 'spec'), 'spec'),
  validateUpdate: (object, old) => validatePodUpdate(object, old),
  validateStatusUpdate: (object) => addressErrors(object),
};

function addressErrors(pod: KubeObject): FieldError[] {
  return arrayAt(pod, 'status', 'podIPs').flatMap((entry, i) =>
    isIP(stringAt(entry, 'ip')) === 0
      ? [
          invalid(
            `status.podIPs[${i}]`,
            stringAt(entry, 'ip'),
            'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          ),
        ]
      : [],
  );
}

/** A gated Pod says from the start why it is not scheduled. */
function gated(object: KubeObject): {
  conditions?: {
    type: string;
    status: string;
    lastProbeTime: null;
    lastTransitionTime: null;
    reason: string;
    message: string;
  }[];
} {
  if (arrayAt(object, 'spec', 'schedulingGates').length === 0) return {};
  return {
    conditions: [
      {
        type: 'PodScheduled',
        status: 'False',
        lastProbeTime: null,
        lastTransitionTime: null,
        reason: 'SchedulingGated',
        message: 'Scheduling is blocked due to non-empty scheduling gates',
      },
    ],
  };
}
