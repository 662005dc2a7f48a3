/** Tables of core kinds. */
import { memberOf } from '@podvisor/base';
import { arrayAt, asString, at, type Json, type KubeObject, objectAt, stringAt } from '../../wire/json.ts';
import type { Printer } from '../definition.ts';
import { AGE, age, ageOf, column, NAME } from './plain.ts';
import { podStatus } from './pod-status.ts';

export const name = (object: KubeObject): string => object.metadata.name ?? '';
export const orNone = (text: string): string => (text === '' ? '<none>' : text);
export const labelText = (labels: unknown): string =>
  orNone(
    Object.entries(objectAt({ labels }, 'labels'))
      .map(([key, value]) => `${key}=${String(value)}`)
      .join(','),
  );
const wide = (title: string): ReturnType<typeof column> => column(title, 'string', 1);

export const configMapPrinter: Printer = {
  columns: [NAME, column('Data'), AGE],
  cells: (o, now) => [
    name(o),
    Object.keys(objectAt(o, 'data')).length + Object.keys(objectAt(o, 'binaryData')).length,
    age(o, now),
  ],
};

export const secretPrinter: Printer = {
  columns: [NAME, column('Type'), column('Data'), AGE],
  cells: (o, now) => [name(o), stringAt(o, 'type'), Object.keys(objectAt(o, 'data')).length, age(o, now)],
};

export const agePrinter: Printer = { columns: [NAME, AGE], cells: (o, now) => [name(o), age(o, now)] };

export const namespacePrinter: Printer = {
  columns: [NAME, column('Status'), AGE],
  cells: (o, now) => [name(o), stringAt(o, 'status', 'phase'), age(o, now)],
};

export const podPrinter: Printer = {
  columns: [
    NAME,
    column('Ready'),
    column('Status'),
    column('Restarts'),
    AGE,
    wide('IP'),
    wide('Node'),
    wide('Nominated Node'),
    wide('Readiness Gates'),
  ],
  cells: (o, now) => {
    const { ready, total, reason, restarts } = podStatus(o, now);
    const gates = arrayAt(o, 'spec', 'readinessGates');
    const met = gates.filter((gate) =>
      arrayAt(o, 'status', 'conditions').some(
        (c) => stringAt(c, 'type') === stringAt(gate, 'conditionType') && stringAt(c, 'status') === 'True',
      ),
    ).length;
    return [
      name(o),
      `${ready}/${total}`,
      reason,
      restarts,
      age(o, now),
      orNone(stringAt(o, 'status', 'podIP')),
      orNone(stringAt(o, 'spec', 'nodeName')),
      orNone(stringAt(o, 'status', 'nominatedNodeName')),
      gates.length === 0 ? '<none>' : `${met}/${gates.length}`,
    ];
  },
  conditions: (o) => {
    const phase = stringAt(o, 'status', 'phase');
    if (phase === 'Succeeded')
      return [
        {
          type: 'Completed',
          status: 'True',
          reason: 'Succeeded',
          message: 'The pod has completed successfully.',
        },
      ];
    if (phase === 'Failed')
      return [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }];
    return [];
  },
};

export const nodePrinter: Printer = {
  columns: [
    NAME,
    column('Status'),
    column('Roles'),
    AGE,
    column('Version'),
    wide('Internal-IP'),
    wide('External-IP'),
    wide('OS-Image'),
    wide('Kernel-Version'),
    wide('Container-Runtime'),
  ],
  cells: (o, now) => {
    const ready = arrayAt(o, 'status', 'conditions').find((c) => stringAt(c, 'type') === 'Ready');
    const status =
      ready === undefined
        ? 'Unknown'
        : stringAt(ready, 'status') === 'True'
          ? 'Ready'
          : stringAt(ready, 'status') === 'Unknown'
            ? 'NotReady'
            : 'NotReady';
    const roles = Object.keys(o.metadata.labels ?? {})
      .filter((key) => key.startsWith('node-role.kubernetes.io/'))
      .map((key) => key.slice('node-role.kubernetes.io/'.length))
      .toSorted();
    const address = (type: string): string =>
      orNone(
        stringAt(
          arrayAt(o, 'status', 'addresses').find((a) => stringAt(a, 'type') === type),
          'address',
        ),
      );
    const info = objectAt(o, 'status', 'nodeInfo');
    const unknown = (text: string): string => (text === '' ? '<unknown>' : text);
    return [
      name(o),
      at(o, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status,
      orNone(roles.join(',')),
      age(o, now),
      stringAt(info, 'kubeletVersion'),
      address('InternalIP'),
      address('ExternalIP'),
      unknown(stringAt(info, 'osImage')),
      unknown(stringAt(info, 'kernelVersion')),
      unknown(stringAt(info, 'containerRuntimeVersion')),
    ];
  },
};

export const servicePrinter: Printer = {
  columns: [
    NAME,
    column('Type'),
    column('Cluster-IP'),
    column('External-IP'),
    column('Port(s)'),
    AGE,
    wide('Selector'),
  ],
  cells: (o, now) => {
    const ports = arrayAt(o, 'spec', 'ports').map(
      (p) =>
        `${String(at(p, 'port'))}${Number(at(p, 'nodePort') ?? 0) > 0 ? `:${String(at(p, 'nodePort'))}` : ''}/${stringAt(p, 'protocol')}`,
    );
    return [
      name(o),
      stringAt(o, 'spec', 'type'),
      orNone(stringAt(o, 'spec', 'clusterIP')),
      externalIp(o),
      orNone(ports.join(',')),
      age(o, now),
      labelText(at(o, 'spec', 'selector')),
    ];
  },
};

function externalIp(o: KubeObject): string {
  const type = stringAt(o, 'spec', 'type');
  if (type === 'ExternalName') return stringAt(o, 'spec', 'externalName');
  const ips = arrayAt(o, 'spec', 'externalIPs').map(asString);
  if (type !== 'LoadBalancer') return orNone(ips.join(','));
  const ingress = arrayAt(o, 'status', 'loadBalancer', 'ingress').map(
    (i) => stringAt(i, 'ip') || stringAt(i, 'hostname'),
  );
  return [...ingress, ...ips].join(',') || '<pending>';
}

export const endpointsPrinter: Printer = {
  columns: [NAME, column('Endpoints'), AGE],
  cells: (o, now) => {
    const all = arrayAt(o, 'subsets').flatMap((subset) =>
      arrayAt(subset, 'addresses').flatMap((a) =>
        arrayAt(subset, 'ports').map((p) => `${stringAt(a, 'ip')}:${String(at(p, 'port'))}`),
      ),
    );
    return [
      name(o),
      all.length === 0
        ? '<none>'
        : all.length > 3
          ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...`
          : all.join(','),
      age(o, now),
    ];
  },
};

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const modes = (list: readonly Json[]): string =>
  [...new Set(list.map((m) => memberOf(MODES, asString(m)) ?? asString(m)))].join(',');

export const claimPrinter: Printer = {
  columns: [
    NAME,
    column('Status'),
    column('Volume'),
    column('Capacity'),
    column('Access Modes'),
    column('StorageClass'),
    column('VolumeAttributesClass'),
    AGE,
    wide('VolumeMode'),
  ],
  cells: (o, now) => {
    const bound = stringAt(o, 'spec', 'volumeName') !== '';
    const phase = o.metadata.deletionTimestamp === undefined ? stringAt(o, 'status', 'phase') : 'Terminating';
    return [
      name(o),
      phase,
      stringAt(o, 'spec', 'volumeName'),
      bound ? stringAt(o, 'status', 'capacity', 'storage') : '',
      bound ? modes(arrayAt(o, 'status', 'accessModes')) : '',
      stringAt(o, 'spec', 'storageClassName'),
      stringAt(o, 'spec', 'volumeAttributesClassName') || '<unset>',
      age(o, now),
      stringAt(o, 'spec', 'volumeMode'),
    ];
  },
};

export const volumePrinter: Printer = {
  columns: [
    NAME,
    column('Capacity'),
    column('Access Modes'),
    column('Reclaim Policy'),
    column('Status'),
    column('Claim'),
    column('StorageClass'),
    column('VolumeAttributesClass'),
    column('Reason'),
    AGE,
    wide('VolumeMode'),
  ],
  cells: (o, now) => {
    const claim = objectAt(o, 'spec', 'claimRef');
    const phase = o.metadata.deletionTimestamp === undefined ? stringAt(o, 'status', 'phase') : 'Terminating';
    return [
      name(o),
      stringAt(o, 'spec', 'capacity', 'storage'),
      modes(arrayAt(o, 'spec', 'accessModes')),
      stringAt(o, 'spec', 'persistentVolumeReclaimPolicy'),
      phase,
      stringAt(claim, 'name') === '' ? '' : `${stringAt(claim, 'namespace')}/${stringAt(claim, 'name')}`,
      stringAt(o, 'spec', 'storageClassName'),
      stringAt(o, 'spec', 'volumeAttributesClassName') || '<unset>',
      stringAt(o, 'status', 'reason'),
      age(o, now),
      stringAt(o, 'spec', 'volumeMode'),
    ];
  },
};

export const quotaPrinter: Printer = {
  columns: [NAME, column('Request'), column('Limit'), AGE],
  cells: (o, now) => {
    const [hard, used] = [objectAt(o, 'status', 'hard'), objectAt(o, 'status', 'used')];
    const part = (limits: boolean): string =>
      Object.keys(hard)
        .toSorted()
        .filter((key) => key.startsWith('limits') === limits)
        .map((key) => `${key}: ${String(memberOf(used, key) ?? 0)}/${String(hard[key])}`)
        .join(', ');
    return [name(o), part(false), part(true), age(o, now)];
  },
};

export const eventPrinter: Printer = {
  columns: [
    column('Last Seen'),
    column('Type'),
    column('Reason'),
    column('Object'),
    wide('Subobject'),
    wide('Source'),
    column('Message'),
    wide('First Seen'),
    wide('Count'),
    wide('Name'),
  ],
  cells: (o, now) => {
    const first = at(o, 'firstTimestamp') ?? at(o, 'eventTime');
    const last = at(o, 'lastTimestamp') ?? first;
    const ref = objectAt(o, 'involvedObject');
    return [
      ageOf(last, now),
      stringAt(o, 'type'),
      stringAt(o, 'reason'),
      `${stringAt(ref, 'kind').toLowerCase()}/${stringAt(ref, 'name')}`,
      stringAt(ref, 'fieldPath'),
      [stringAt(o, 'source', 'component') || stringAt(o, 'reportingComponent'), stringAt(o, 'source', 'host')]
        .filter((s) => s !== '')
        .join(', '),
      stringAt(o, 'message').trim(),
      ageOf(first, now),
      at(o, 'count') ?? 1,
      name(o),
    ];
  },
};
