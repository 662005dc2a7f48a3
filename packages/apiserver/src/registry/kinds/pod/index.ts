/** Pods: defaults, validation, status, and what a selector may ask. */
import { arrayAt, type KubeObject, objectAt, stringAt } from '../../../wire/json.ts';
import type { KindRules } from '../../definition.ts';
import { ensure, fill } from '../fill.ts';
import { defaultPodSpec } from './defaults.ts';
import { ephemeralUpdateErrors } from './ephemeral.ts';
import { qosClass } from './qos.ts';
import { resizeErrors } from './resize.ts';
import { podStatusErrors } from './status.ts';
import { createErrors, validatePodUpdate } from './update.ts';
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
  validateCreate: createErrors,
  validateUpdate: (object, old) => validatePodUpdate(object, old),
  validatePart: (part, object, old) =>
    part === 'resize' ? resizeErrors(object, old) : ephemeralUpdateErrors(object, old),
  prepareStatusUpdate: (object, old) => {
    const before = stringAt(old, 'status', 'qosClass');
    if (before !== '') fill(ensure(object, 'status'), 'qosClass', before);
  },
  validateStatusUpdate: podStatusErrors,
};

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
