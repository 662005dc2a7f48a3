/** Tables of kinds that are looked at less often. */
import { controllerOf } from '@podvisor/api';
import { arrayAt, asString, at, type Json, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import type { Column, Printer } from '../definition.ts';
import { labelText, name } from './core.ts';
import { replicaSetPrinter } from './groups.ts';
import { AGE, age, column, NAME } from './plain.ts';

const int = (title: string): Column => column(title, 'integer');
const flag = (title: string): Column => column(title, 'boolean');

/** Name, then the given columns, then the age. */
function table(columns: readonly Column[], cells: (object: KubeObject) => Json[]): Printer {
  return { columns: [NAME, ...columns, AGE], cells: (o, now) => [name(o), ...cells(o), age(o, now)] };
}

const orUnset = (text: string): string => (text === '' ? '<unset>' : text);

export const onlyAgePrinter: Printer = table([], () => []);

export const replicationControllerPrinter: Printer = {
  ...replicaSetPrinter,
  cells: (o, now) => [...replicaSetPrinter.cells(o, now).slice(0, -1), labelText(at(o, 'spec', 'selector'))],
};

export const componentStatusPrinter: Printer = {
  columns: [NAME, column('Status'), column('Message'), column('Error')],
  cells: (o) => {
    const healthy = arrayAt(o, 'conditions').find((c) => stringAt(c, 'type') === 'Healthy');
    const status = stringAt(healthy, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
    return [name(o), status, stringAt(healthy, 'message'), stringAt(healthy, 'error')];
  },
};

export const podTemplatePrinter: Printer = {
  columns: [NAME, column('Containers'), column('Images'), column('Pod Labels')],
  cells: (o) => {
    const containers = arrayAt(o, 'template', 'spec', 'containers');
    return [
      name(o),
      containers.map((c) => stringAt(c, 'name')).join(','),
      containers.map((c) => stringAt(c, 'image')).join(','),
      labelText(at(o, 'template', 'metadata', 'labels')),
    ];
  },
};

export const controllerRevisionPrinter: Printer = table([column('Controller'), int('Revision')], (o) => {
  const owner = controllerOf(o);
  const group = owner?.apiVersion.split('/').slice(0, -1).join('') ?? '';
  const kind = `${owner?.kind.toLowerCase() ?? ''}${group === '' ? '' : `.${group}`}`;
  return [owner === undefined ? '<none>' : `${kind}/${owner.name}`, Number(at(o, 'revision') ?? 0)];
});

export const ingressClassPrinter: Printer = table([column('Controller'), column('Parameters')], (o) => {
  const parameters = objectAt(o, 'spec', 'parameters');
  const group = stringAt(parameters, 'apiGroup');
  const kind = `${stringAt(parameters, 'kind')}${group === '' ? '' : `.${group}`}`;
  const shown = stringAt(parameters, 'name') === '' ? '<none>' : `${kind}/${stringAt(parameters, 'name')}`;
  return [stringAt(o, 'spec', 'controller'), shown];
});

export const runtimeClassPrinter: Printer = table([column('Handler')], (o) => [stringAt(o, 'handler')]);

export const csiDriverPrinter: Printer = table(
  [
    flag('AttachRequired'),
    flag('PodInfoOnMount'),
    flag('StorageCapacity'),
    column('TokenRequests'),
    flag('RequiresRepublish'),
    column('Modes'),
  ],
  (o) => {
    const spec = objectAt(o, 'spec');
    return [
      at(spec, 'attachRequired') !== false,
      at(spec, 'podInfoOnMount') === true,
      at(spec, 'storageCapacity') === true,
      orUnset(
        arrayAt(spec, 'tokenRequests')
          .map((request) => stringAt(request, 'audience'))
          .join(','),
      ),
      at(spec, 'requiresRepublish') === true,
      arrayAt(spec, 'volumeLifecycleModes').map(asString).join(',') || '<none>',
    ];
  },
);

export const csiNodePrinter: Printer = table([int('Drivers')], (o) => [arrayAt(o, 'spec', 'drivers').length]);

export const attachmentPrinter: Printer = table(
  [column('Attacher'), column('PV'), column('Node'), flag('Attached')],
  (o) => [
    stringAt(o, 'spec', 'attacher'),
    stringAt(o, 'spec', 'source', 'persistentVolumeName'),
    stringAt(o, 'spec', 'nodeName'),
    at(o, 'status', 'attached') === true,
  ],
);

export const attributesClassPrinter: Printer = table([column('DriverName')], (o) => [
  stringAt(o, 'driverName'),
]);

export const policyPrinter: Printer = table([int('Validations'), column('ParamKind')], (o) => {
  const kind = objectAt(o, 'spec', 'paramKind');
  const shown =
    stringAt(kind, 'kind') === '' ? '' : `${stringAt(kind, 'apiVersion')}/${stringAt(kind, 'kind')}`;
  return [arrayAt(o, 'spec', 'validations').length, orUnset(shown)];
});

export const policyBindingPrinter: Printer = table([column('PolicyName'), column('ParamRef')], (o) => {
  const ref = objectAt(o, 'spec', 'paramRef');
  const [namespace, refName] = [stringAt(ref, 'namespace'), stringAt(ref, 'name')];
  const shown = refName === '' ? '' : namespace === '' ? `*/${refName}` : `${namespace}/${refName}`;
  return [stringAt(o, 'spec', 'policyName'), orUnset(shown)];
});

export const flowSchemaPrinter: Printer = {
  columns: [
    NAME,
    column('PriorityLevel'),
    int('MatchingPrecedence'),
    column('DistinguisherMethod'),
    AGE,
    column('MissingPL'),
  ],
  cells: (o, now) => {
    const dangling = arrayAt(o, 'status', 'conditions').find((c) => stringAt(c, 'type') === 'Dangling');
    return [
      name(o),
      stringAt(o, 'spec', 'priorityLevelConfiguration', 'name') || '<none>',
      Number(at(o, 'spec', 'matchingPrecedence') ?? 0),
      stringAt(o, 'spec', 'distinguisherMethod', 'type') || '<none>',
      age(o, now),
      stringAt(dangling, 'status') || '?',
    ];
  },
};

export const priorityLevelPrinter: Printer = table(
  [
    column('Type'),
    column('NominalConcurrencyShares'),
    column('Queues'),
    column('HandSize'),
    column('QueueLengthLimit'),
  ],
  (o) => {
    const limited = objectAt(o, 'spec', 'limited');
    const queuing = objectAt(limited, 'limitResponse', 'queuing');
    const shares =
      at(limited, 'nominalConcurrencyShares') ?? at(o, 'spec', 'exempt', 'nominalConcurrencyShares');
    const shown = (value: Json | undefined): Json => (value === undefined ? '<none>' : value);
    return [
      stringAt(o, 'spec', 'type'),
      shown(shares),
      shown(queuing['queues']),
      shown(queuing['handSize']),
      shown(queuing['queueLengthLimit']),
    ];
  },
);

export const serviceCidrPrinter: Printer = table([column('CIDRs')], (o) => [
  arrayAt(o, 'spec', 'cidrs').map(asString).join(','),
]);

export const ipAddressPrinter: Printer = {
  columns: [NAME, column('ParentRef')],
  cells: (o) => {
    const ref = objectAt(o, 'spec', 'parentRef');
    const kind = [stringAt(ref, 'resource'), stringAt(ref, 'group')].filter((part) => part !== '').join('.');
    const where = [stringAt(ref, 'namespace'), stringAt(ref, 'name')].filter((part) => part !== '').join('/');
    return [name(o), `${kind}/${where}`];
  },
};
