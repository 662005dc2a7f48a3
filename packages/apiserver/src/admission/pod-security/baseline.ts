/** The checks of the level `baseline`: what no ordinary Pod needs. Pure; texts are Kubernetes'. */
import { arrayAt, at, type Json, stringAt } from '../../wire/json.ts';
import type { Check } from './checks.ts';
import {
  annotationsOf,
  containersNamed,
  containersOf,
  namesWhere,
  plural,
  podSecurityOf,
  quoted,
  securityOf,
  setters,
  sorted,
} from './pod-parts.ts';

const APP_ARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';
const PROFILES: readonly unknown[] = ['RuntimeDefault', 'Localhost'];

export const forbiddenAppArmor: Check = (pod) => {
  const isBad = (type: Json | undefined): boolean => type !== undefined && !PROFILES.includes(type);
  const ofPod = podSecurityOf(pod, 'appArmorProfile', 'type');
  const typeOf = (container: Json): Json | undefined => securityOf(container, 'appArmorProfile', 'type');
  const names = namesWhere(pod, (container) => isBad(typeOf(container)));
  const annotations = annotationsOf(pod)
    .filter(([key, value]) => key.startsWith(APP_ARMOR_ANNOTATION) && !isAllowedAppArmor(value))
    .map(([key, value]) => `${key}="${value}"`)
    .toSorted();
  const who = [
    setters(isBad(ofPod), names),
    ...(annotations.length === 0 ? [] : [plural(annotations.length, 'annotation')]),
  ]
    .filter((text) => text !== '')
    .join(' and ');
  if (who === '') return undefined;
  const types = [ofPod, ...containersOf(pod).map(typeOf)].filter(isBad).map(String);
  const values = [...sorted(types), ...annotations];
  return {
    reason: plural(values.length, 'forbidden AppArmor profile'),
    detail: `${who} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

function isAllowedAppArmor(value: string): boolean {
  return value === '' || value === 'runtime/default' || value.startsWith('localhost/');
}

const DEFAULT_CAPABILITIES = new Set([
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE'],
  ...['SETFCAP', 'SETGID', 'SETPCAP', 'SETUID', 'SYS_CHROOT'],
]);

export const nonDefaultCapabilities: Check = (pod) => {
  const added = (container: Json): string[] =>
    arrayAt(container, 'securityContext', 'capabilities', 'add')
      .map(String)
      .filter((name) => !DEFAULT_CAPABILITIES.has(name));
  const names = namesWhere(pod, (container) => added(container).length > 0);
  if (names.length === 0) return undefined;
  const forbidden = quoted(sorted(containersOf(pod).flatMap(added)));
  return {
    reason: 'non-default capabilities',
    detail: `${containersNamed(names)} must not include ${forbidden} in securityContext.capabilities.add`,
  };
};

export const hostNamespaces: Check = (pod) => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((key) => at(pod, 'spec', key) === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((key) => `${key}=true`).join(', ') };
};

export const hostPathVolumes: Check = (pod) => {
  const names = arrayAt(pod, 'spec', 'volumes')
    .filter((volume) => at(volume, 'hostPath') !== undefined)
    .map((volume) => stringAt(volume, 'name'));
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${plural(names.length, 'volume')} ${quoted(names)}` };
};

export const hostPorts: Check = (pod) => {
  const portsOf = (container: Json): string[] =>
    arrayAt(container, 'ports').flatMap((port) => {
      const number = at(port, 'hostPort');
      return typeof number === 'number' && number !== 0 ? [String(number)] : [];
    });
  const names = namesWhere(pod, (container) => portsOf(container).length > 0);
  if (names.length === 0) return undefined;
  const ports = sorted(containersOf(pod).flatMap(portsOf));
  const use = plural(names.length, 'uses', 'use');
  return {
    reason: 'hostPort',
    detail: `${containersNamed(names)} ${use} ${plural(ports.length, 'hostPort')} ${ports.join(', ')}`,
  };
};

/** A probe or hook that names a host makes the kubelet dial it. */
export const hostProbes: Check = (pod) => {
  const hostsOf = (container: Json): string[] =>
    [
      ...['livenessProbe', 'readinessProbe', 'startupProbe'].map((key) => at(container, key)),
      ...['postStart', 'preStop'].map((key) => at(container, 'lifecycle', key)),
    ]
      .flatMap((handler) => ['httpGet', 'tcpSocket'].map((key) => stringAt(handler, key, 'host')))
      .filter((host) => host !== '');
  const names = sorted(namesWhere(pod, (container) => hostsOf(container).length > 0));
  if (names.length === 0) return undefined;
  const hosts = sorted(containersOf(pod).flatMap(hostsOf));
  const use = plural(names.length, 'uses', 'use');
  const what = plural(hosts.length, 'probe or lifecycle host');
  return {
    reason: 'probe or lifecycle host',
    detail: `${containersNamed(names)} ${use} ${what} ${quoted(hosts)}`,
  };
};

export const privilegedContainers: Check = (pod) => {
  const names = namesWhere(pod, (container) => securityOf(container, 'privileged') === true);
  if (names.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${containersNamed(names)} must not set securityContext.privileged=true`,
  };
};

export const procMount: Check = (pod) => {
  const isBad = (container: Json): boolean => (securityOf(container, 'procMount') ?? 'Default') !== 'Default';
  const names = namesWhere(pod, isBad);
  if (names.length === 0) return undefined;
  const types = containersOf(pod)
    .filter(isBad)
    .map((container) => String(securityOf(container, 'procMount')));
  const what = `securityContext.procMount to ${quoted(sorted(types))}`;
  return { reason: 'procMount', detail: `${containersNamed(names)} must not set ${what}` };
};

export function seLinuxOptions(allowedTypes: readonly string[]): Check {
  const isBadType = (options: Json | undefined): boolean =>
    !['', ...allowedTypes].includes(stringAt(options, 'type'));
  const isSet = (options: Json | undefined, key: string): boolean => stringAt(options, key) !== '';
  const isBad = (options: Json | undefined): boolean =>
    options !== undefined && (isBadType(options) || isSet(options, 'user') || isSet(options, 'role'));
  return (pod) => {
    const ofPod = podSecurityOf(pod, 'seLinuxOptions');
    const optionsOf = (container: Json): Json | undefined => securityOf(container, 'seLinuxOptions');
    const who = setters(
      isBad(ofPod),
      namesWhere(pod, (container) => isBad(optionsOf(container))),
    );
    if (who === '') return undefined;
    const all = [ofPod, ...containersOf(pod).map(optionsOf)].filter((options) => options !== undefined);
    const types = sorted(all.filter(isBadType).map((options) => stringAt(options, 'type')));
    const what = [
      ...(types.length === 0 ? [] : [`${plural(types.length, 'type')} ${quoted(types)}`]),
      ...['user', 'role']
        .filter((key) => all.some((options) => isSet(options, key)))
        .map((key) => `${key} may not be set`),
    ].join('; ');
    return {
      reason: 'seLinuxOptions',
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${what}`,
    };
  };
}

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

/** Before profiles had a field of their own, annotations named them. */
export const forbiddenSeccompAnnotations: Check = (pod) => {
  const keys = new Set([SECCOMP_POD, ...namesWhere(pod, () => true).map((name) => SECCOMP_CONTAINER + name)]);
  const isAllowed = (value: string): boolean =>
    value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
  const forbidden = annotationsOf(pod)
    .filter(([key, value]) => keys.has(key) && !isAllowed(value))
    .map(([key, value]) => `${key}="${value}"`)
    .toSorted();
  if (forbidden.length === 0) return undefined;
  const what = plural(forbidden.length, 'annotation');
  return { reason: 'seccompProfile', detail: `forbidden ${what} ${forbidden.join(', ')}` };
};

export const forbiddenSeccomp: Check = (pod) => {
  const isBad = (type: Json | undefined): boolean => type !== undefined && !PROFILES.includes(type);
  const ofPod = podSecurityOf(pod, 'seccompProfile', 'type');
  const typeOf = (container: Json): Json | undefined => securityOf(container, 'seccompProfile', 'type');
  const who = setters(
    isBad(ofPod),
    namesWhere(pod, (container) => isBad(typeOf(container))),
  );
  if (who === '') return undefined;
  const types = [ofPod, ...containersOf(pod).map(typeOf)].filter(isBad).map(String);
  const what = `securityContext.seccompProfile.type to ${quoted(sorted(types))}`;
  return { reason: 'seccompProfile', detail: `${who} must not set ${what}` };
};

/** Kernel settings that a Pod has for itself, by the version that came to allow them. */
const SAFE_SYSCTLS: readonly (readonly [since: number, name: string])[] = [
  [0, 'kernel.shm_rmid_forced'],
  [0, 'net.ipv4.ip_local_port_range'],
  [0, 'net.ipv4.tcp_syncookies'],
  [0, 'net.ipv4.ping_group_range'],
  [0, 'net.ipv4.ip_unprivileged_port_start'],
  [27, 'net.ipv4.ip_local_reserved_ports'],
  [29, 'net.ipv4.tcp_keepalive_time'],
  [29, 'net.ipv4.tcp_fin_timeout'],
  [29, 'net.ipv4.tcp_keepalive_intvl'],
  [29, 'net.ipv4.tcp_keepalive_probes'],
  [32, 'net.ipv4.tcp_rmem'],
  [32, 'net.ipv4.tcp_wmem'],
];

export function forbiddenSysctls(minor: number): Check {
  const safe = new Set(SAFE_SYSCTLS.filter(([since]) => since <= minor).map(([, name]) => name));
  return (pod) => {
    const forbidden = arrayAt(pod, 'spec', 'securityContext', 'sysctls')
      .map((sysctl) => stringAt(sysctl, 'name'))
      .filter((name) => !safe.has(name));
    if (forbidden.length === 0) return undefined;
    return { reason: 'forbidden sysctls', detail: forbidden.join(', ') };
  };
}

export const windowsHostProcess: Check = (pod) => {
  const who = setters(
    podSecurityOf(pod, 'windowsOptions', 'hostProcess') === true,
    namesWhere(pod, (container) => securityOf(container, 'windowsOptions', 'hostProcess') === true),
  );
  if (who === '') return undefined;
  const detail = `${who} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: 'hostProcess', detail };
};
