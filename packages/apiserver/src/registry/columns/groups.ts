/** Tables of kinds outside the core group. */
import { arrayAt, asString, at, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import type { Column, Printer } from '../definition.ts';
import { labelText, name, orNone } from './core.ts';
import { AGE, age, ageOf, column, humanDuration, NAME } from './plain.ts';

const int = (title: string): Column => column(title, 'integer');
const wide = (title: string): Column => column(title, 'string', 1);
const WORKLOAD = [wide('Containers'), wide('Images')];
const containers = (o: KubeObject, ...path: string[]): [string, string] => {
  const list = arrayAt(o, ...path, 'containers');
  return [list.map((c) => stringAt(c, 'name')).join(','), list.map((c) => stringAt(c, 'image')).join(',')];
};
const TEMPLATE = ['spec', 'template', 'spec'];
const selector = (o: KubeObject): string => labelText(at(o, 'spec', 'selector', 'matchLabels'));
const count = (o: KubeObject, key: string): number => Number(at(o, 'status', key) ?? 0);

export const deploymentPrinter: Printer = {
  columns: [
    NAME,
    column('Ready'),
    column('Up-to-date'),
    column('Available'),
    AGE,
    ...WORKLOAD,
    wide('Selector'),
  ],
  cells: (o, now) => [
    name(o),
    `${count(o, 'readyReplicas')}/${Number(at(o, 'spec', 'replicas') ?? 0)}`,
    count(o, 'updatedReplicas'),
    count(o, 'availableReplicas'),
    age(o, now),
    ...containers(o, ...TEMPLATE),
    selector(o),
  ],
};
export const replicaSetPrinter: Printer = {
  columns: [NAME, int('Desired'), int('Current'), int('Ready'), AGE, ...WORKLOAD, wide('Selector')],
  cells: (o, now) => [
    name(o),
    Number(at(o, 'spec', 'replicas') ?? 0),
    count(o, 'replicas'),
    count(o, 'readyReplicas'),
    age(o, now),
    ...containers(o, ...TEMPLATE),
    selector(o),
  ],
};
export const statefulSetPrinter: Printer = {
  columns: [NAME, column('Ready'), AGE, ...WORKLOAD],
  cells: (o, now) => [
    name(o),
    `${count(o, 'readyReplicas')}/${Number(at(o, 'spec', 'replicas') ?? 0)}`,
    age(o, now),
    ...containers(o, ...TEMPLATE),
  ],
};
export const daemonSetPrinter: Printer = {
  columns: [
    NAME,
    int('Desired'),
    int('Current'),
    int('Ready'),
    int('Up-to-date'),
    int('Available'),
    column('Node Selector'),
    AGE,
    ...WORKLOAD,
    wide('Selector'),
  ],
  cells: (o, now) => [
    name(o),
    count(o, 'desiredNumberScheduled'),
    count(o, 'currentNumberScheduled'),
    count(o, 'numberReady'),
    count(o, 'updatedNumberScheduled'),
    count(o, 'numberAvailable'),
    labelText(at(o, ...TEMPLATE, 'nodeSelector')),
    age(o, now),
    ...containers(o, ...TEMPLATE),
    selector(o),
  ],
};
export const jobPrinter: Printer = {
  columns: [
    NAME,
    column('Status'),
    column('Completions'),
    column('Duration'),
    AGE,
    ...WORKLOAD,
    wide('Selector'),
  ],
  cells: (o, now) => {
    const state =
      ['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) =>
        arrayAt(o, 'status', 'conditions').some(
          (c) => stringAt(c, 'type') === type && stringAt(c, 'status') === 'True',
        ),
      ) ?? (o.metadata.deletionTimestamp === undefined ? 'Running' : 'Terminating');
    const start = stringAt(o, 'status', 'startTime');
    const end = stringAt(o, 'status', 'completionTime');
    const duration =
      start === '' ? '' : humanDuration((end === '' ? now : Date.parse(end)) - Date.parse(start));
    return [
      name(o),
      state,
      `${count(o, 'succeeded')}/${Number(at(o, 'spec', 'completions') ?? 1)}`,
      duration,
      age(o, now),
      ...containers(o, ...TEMPLATE),
      selector(o),
    ];
  },
};
export const cronJobPrinter: Printer = {
  columns: [
    NAME,
    column('Schedule'),
    column('Timezone'),
    column('Suspend', 'boolean'),
    int('Active'),
    column('Last Schedule'),
    AGE,
    ...WORKLOAD,
    wide('Selector'),
  ],
  cells: (o, now) => {
    const last = stringAt(o, 'status', 'lastScheduleTime');
    return [
      name(o),
      stringAt(o, 'spec', 'schedule'),
      orNone(stringAt(o, 'spec', 'timeZone')),
      at(o, 'spec', 'suspend') === true ? 'True' : 'False',
      arrayAt(o, 'status', 'active').length,
      last === '' ? '<none>' : ageOf(last, now),
      age(o, now),
      ...containers(o, 'spec', 'jobTemplate', 'spec', 'template', 'spec'),
      labelText(at(o, 'spec', 'jobTemplate', 'spec', 'selector', 'matchLabels')),
    ];
  },
};
export const leasePrinter: Printer = {
  columns: [NAME, column('Holder'), AGE],
  cells: (o, now) => [name(o), stringAt(o, 'spec', 'holderIdentity'), age(o, now)],
};

export const bindingPrinter: Printer = {
  columns: [NAME, column('Role'), AGE, wide('Users'), wide('Groups'), wide('ServiceAccounts')],
  cells: (o, now) => {
    const of = (kind: string): string =>
      arrayAt(o, 'subjects')
        .filter((s) => stringAt(s, 'kind') === kind)
        .map((s) =>
          kind === 'ServiceAccount'
            ? `${stringAt(s, 'namespace')}/${stringAt(s, 'name')}`
            : stringAt(s, 'name'),
        )
        .join(', ');
    return [
      name(o),
      `${stringAt(o, 'roleRef', 'kind')}/${stringAt(o, 'roleRef', 'name')}`,
      age(o, now),
      of('User'),
      of('Group'),
      of('ServiceAccount'),
    ];
  },
};
export const budgetPrinter: Printer = {
  columns: [NAME, column('Min Available'), column('Max Unavailable'), int('Allowed Disruptions'), AGE],
  cells: (o, now) => [
    name(o),
    String(at(o, 'spec', 'minAvailable') ?? 'N/A'),
    String(at(o, 'spec', 'maxUnavailable') ?? 'N/A'),
    count(o, 'disruptionsAllowed'),
    age(o, now),
  ],
};
export const networkPolicyPrinter: Printer = {
  columns: [NAME, column('Pod-Selector'), AGE],
  cells: (o, now) => [name(o), labelText(at(o, 'spec', 'podSelector', 'matchLabels')), age(o, now)],
};
export const ingressPrinter: Printer = {
  columns: [NAME, column('Class'), column('Hosts'), column('Address'), column('Ports'), AGE],
  cells: (o, now) => {
    const hosts = arrayAt(o, 'spec', 'rules')
      .map((r) => stringAt(r, 'host'))
      .filter((h) => h !== '');
    const address = arrayAt(o, 'status', 'loadBalancer', 'ingress')
      .map((i) => stringAt(i, 'ip') || stringAt(i, 'hostname'))
      .join(',');
    return [
      name(o),
      orNone(stringAt(o, 'spec', 'ingressClassName')),
      hosts.length === 0 ? '*' : hosts.join(','),
      address,
      arrayAt(o, 'spec', 'tls').length > 0 ? '80, 443' : '80',
      age(o, now),
    ];
  },
};
export const slicePrinter: Printer = {
  columns: [NAME, column('AddressType'), column('Ports'), column('Endpoints'), AGE],
  cells: (o, now) => [
    name(o),
    stringAt(o, 'addressType'),
    arrayAt(o, 'ports')
      .map((p) => String(at(p, 'port') ?? '*'))
      .join(',') || '<unset>',
    arrayAt(o, 'endpoints')
      .flatMap((e) => arrayAt(e, 'addresses').map(asString))
      .slice(0, 3)
      .join(',') || '<unset>',
    age(o, now),
  ],
};
export const storageClassPrinter: Printer = {
  columns: [
    NAME,
    column('Provisioner'),
    column('ReclaimPolicy'),
    column('VolumeBindingMode'),
    column('AllowVolumeExpansion'),
    AGE,
  ],
  cells: (o, now) => [
    o.metadata.annotations?.['storageclass.kubernetes.io/is-default-class'] === 'true'
      ? `${name(o)} (default)`
      : name(o),
    stringAt(o, 'provisioner'),
    stringAt(o, 'reclaimPolicy'),
    stringAt(o, 'volumeBindingMode'),
    at(o, 'allowVolumeExpansion') === true,
    age(o, now),
  ],
};
export const webhooksPrinter: Printer = {
  columns: [NAME, int('Webhooks'), AGE],
  cells: (o, now) => [name(o), arrayAt(o, 'webhooks').length, age(o, now)],
};
export const csrPrinter: Printer = {
  columns: [
    NAME,
    AGE,
    column('SignerName'),
    column('Requestor'),
    column('RequestedDuration'),
    column('Condition'),
  ],
  cells: (o, now) => {
    const types = arrayAt(o, 'status', 'conditions').map((c) => stringAt(c, 'type'));
    const seconds = at(o, 'spec', 'expirationSeconds');
    return [
      name(o),
      age(o, now),
      stringAt(o, 'spec', 'signerName'),
      stringAt(o, 'spec', 'username'),
      typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>',
      types.length === 0
        ? 'Pending'
        : [...types, ...(stringAt(o, 'status', 'certificate') === '' ? [] : ['Issued'])].join(','),
    ];
  },
};
export const priorityClassPrinter: Printer = {
  columns: [NAME, int('Value'), column('Global-Default', 'boolean'), AGE, column('PreemptionPolicy')],
  cells: (o, now) => [
    name(o),
    Number(at(o, 'value') ?? 0),
    at(o, 'globalDefault') === true,
    age(o, now),
    stringAt(o, 'preemptionPolicy'),
  ],
};
export const apiServicePrinter: Printer = {
  columns: [NAME, column('Service'), column('Available'), AGE],
  cells: (o, now) => {
    const service = objectAt(o, 'spec', 'service');
    const available = arrayAt(o, 'status', 'conditions').find((c) => stringAt(c, 'type') === 'Available');
    const status = stringAt(available, 'status') || 'Unknown';
    return [
      name(o),
      stringAt(service, 'name') === ''
        ? 'Local'
        : `${stringAt(service, 'namespace')}/${stringAt(service, 'name')}`,
      status === 'True' ? 'True' : `${status} (${stringAt(available, 'reason')})`,
      age(o, now),
    ];
  },
};
