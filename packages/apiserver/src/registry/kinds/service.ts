/** Services: ports, cluster IPs and node ports, and the defaults that depend on the type. */
import { invalid } from '../../wire/field-errors.ts';
import { arrayAt, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { ensure, fill, ownItems } from './fill.ts';
import { allocate, forget, forgetAddresses, keepNodePorts, takenErrors } from './service-addresses.ts';
import { releaseSecond } from './service-families.ts';
import { validateService } from './service-validation.ts';

export const serviceRules: KindRules = {
  nameRule: 'label',
  createOnUpdate: true,
  selectable: ['spec.clusterIP', 'spec.type'],
  default: (object) => defaultService(ensure(object, 'spec')),
  prepareCreate: (object, context) => {
    const spec = ensure(object, 'spec');
    allocate(spec, context);
    object['status'] = { loadBalancer: {} };
  },
  prepareUpdate: (object, old, context) => {
    const spec = ensure(object, 'spec');
    const before = objectAt(old, 'spec');
    if (before['type'] === 'ExternalName' && spec['type'] !== 'ExternalName')
      forget(spec, before, ['externalName']);
    if (stringAt(spec, 'type') === 'ExternalName') {
      forgetAddresses(spec, before);
      return;
    }
    for (const key of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) {
      const kept = before[key];
      if (spec[key] === undefined && kept !== undefined) spec[key] = kept;
    }
    releaseSecond(spec, before);
    keepNodePorts(spec, before);
    allocate(spec, context);
  },
  validate: (object, context) => {
    const errors = validateService(object);
    return errors.length > 0 ? errors : takenErrors(object, context);
  },
  validateUpdate: (object, old) => {
    const [now, before] = [stringAt(object, 'spec', 'clusterIP'), stringAt(old, 'spec', 'clusterIP')];
    if (
      before === '' ||
      now === before ||
      stringAt(old, 'spec', 'type') === 'ExternalName' ||
      stringAt(object, 'spec', 'type') === 'ExternalName'
    )
      return [];
    return [invalid('spec.clusterIPs[0]', arrayAt(object, 'spec', 'clusterIPs'), 'may not change once set')];
  },
};

function defaultService(spec: JsonObject): void {
  fill(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'ClientIP')
    fill(ensure(ensure(spec, 'sessionAffinityConfig'), 'clientIP'), 'timeoutSeconds', 10800);
  fill(spec, 'type', 'ClusterIP');
  for (const port of ownItems(spec, 'ports')) {
    fill(port, 'protocol', 'TCP');
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '')
      port['targetPort'] = port['port'] ?? 0;
  }
  const type = spec['type'];
  if (type === 'NodePort' || type === 'LoadBalancer') fill(spec, 'externalTrafficPolicy', 'Cluster');
  if (type !== 'ExternalName') fill(spec, 'internalTrafficPolicy', 'Cluster');
  if (type === 'LoadBalancer') fill(spec, 'allocateLoadBalancerNodePorts', true);
}
