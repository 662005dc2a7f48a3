/** What Kubernetes warns of in the containers of a Pod: annotations that became fields, variables and ports given twice. */
import { arrayAt, at, type Json, type JsonObject, objectAt, stringAt } from '../../wire/json.ts';
import { fractionWarnings } from './whole-bytes.ts';

const SECCOMP_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/';
const APPARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/';
const LISTS = ['initContainers', 'containers', 'ephemeralContainers'];

interface Container {
  readonly value: Json;
  readonly path: string;
}

function containersOf(spec: JsonObject, path: string): Container[] {
  return LISTS.flatMap((list) =>
    arrayAt(spec, list).map((value, i) => ({ value, path: `${path}.${list}[${i}]` })),
  );
}

export function containerWarnings(holder: JsonObject, prefix: string): string[] {
  const spec = objectAt(holder, 'spec');
  const annotations = objectAt(holder, 'metadata', 'annotations');
  const ofPod = at(spec, 'securityContext', 'appArmorProfile') ?? undefined;
  return containersOf(spec, `${prefix}spec`).flatMap(({ value, path }) => {
    const [seccomp, apparmor] = [SECCOMP_PREFIX, APPARMOR_PREFIX].map(
      (key) => `${key}${stringAt(value, 'name')}`,
    );
    const uses = (field: string): boolean => (at(value, 'securityContext', field) ?? undefined) !== undefined;
    const old = (key: string | undefined, field: string, since: string): string[] =>
      key === undefined || uses(field) || !(key in annotations)
        ? []
        : [`${prefix}metadata.annotations[${key}]: ${since}; use the "${field}" field instead`];
    return [
      ...old(seccomp, 'seccompProfile', 'non-functional in v1.27+'),
      // A Pod's own annotation is carried over into the field.
      ...(prefix === '' || ofPod !== undefined
        ? []
        : old(apparmor, 'appArmorProfile', 'deprecated since v1.30')),
      ...fractions(value, path),
      ...hiddenVariables(arrayAt(value, 'env'), `${path}.env`),
    ];
  });
}

function fractions(container: Json, path: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) =>
    ['limits', 'requests'].flatMap((part) =>
      fractionWarnings(at(container, 'resources', part), `${path}.resources.${part}`, [name]),
    ),
  );
}

/** A variable may be given again to add to it, and is hidden otherwise. */
function hiddenVariables(env: readonly Json[], path: string): string[] {
  const seen = new Set<string>();
  return env.flatMap((variable, i) => {
    const name = stringAt(variable, 'name');
    const isFirst = !seen.has(name);
    seen.add(name);
    const [value, reference] = [stringAt(variable, 'value'), `$(${name})`];
    const adds = value !== reference && value.includes(reference);
    const isTaken = (at(variable, 'valueFrom') ?? undefined) !== undefined;
    return isFirst || (adds && !isTaken)
      ? []
      : [
          `${path}[${i}]: hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`,
        ];
  });
}

interface Port {
  readonly path: string;
  readonly key: string;
  readonly name: string;
  readonly hostIp: string;
  readonly hostPort: number;
}

export function portWarnings(spec: JsonObject, path: string): string[] {
  const ports = containersOf(spec, path).flatMap((container) =>
    arrayAt(container.value, 'ports').map(
      (port, i): Port => ({
        path: `${container.path}.ports[${i}]`,
        key: `${Number(at(port, 'containerPort') ?? 0)}/${stringAt(port, 'protocol')}`,
        name: stringAt(port, 'name'),
        hostIp: stringAt(port, 'hostIP'),
        hostPort: Number(at(port, 'hostPort') ?? 0),
      }),
    ),
  );
  return [...portClashes(ports), ...nameClashes(ports)];
}

/** Ports of one number beyond these are not compared: nobody reads that many warnings. */
const COMPARED = 50;

function portClashes(ports: readonly Port[]): string[] {
  const before = new Map<string, Port[]>();
  return ports.flatMap((port) => {
    const others = before.get(port.key) ?? [];
    before.set(port.key, others);
    const told = others.flatMap((other) => {
      const how = clash(port, other);
      return how === undefined ? [] : [`${port.path}: ${how} port definition with ${other.path}`];
    });
    if (others.length < COMPARED) others.push(port);
    return told;
  });
}

function clash(port: Port, other: Port): string | undefined {
  const isSame = port.hostPort === other.hostPort;
  if (isSame && port.hostIp === other.hostIp) return 'duplicate';
  if (port.hostPort === 0 || other.hostPort === 0) return 'overlapping';
  return isSame && (port.hostIp === '') !== (other.hostIp === '') ? 'dangerously ambiguous' : undefined;
}

function nameClashes(ports: readonly Port[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ name, path }) => {
    const other = first.get(name);
    if (other === undefined) first.set(name, path);
    return name === '' || other === undefined
      ? []
      : [
          `${path}: duplicate port name ${JSON.stringify(name)} with ${other}, services and probes that select ports by name will use ${other}`,
        ];
  });
}
