/** Rules of security contexts, of a container and of a Pod. */
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../wire/field-errors.ts';
import { arrayAt, asObject, asString, at, type Json, type JsonObject, stringAt } from '../../../wire/json.ts';
import { repeats } from '../../../wire/repeats.ts';
import { descendingPathErrors } from './paths.ts';

const IDS = 'must be between 0 and 2147483647, inclusive';
const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const IPC_SYSCTLS = /^(kernel[./](sem|shm|msg)|fs[./]mqueue[./])/;
const NET_SYSCTLS = /^net[./]/;

/** A container's own context. */
export function containerSecurityErrors(
  context: Json | undefined,
  path: string,
  spec: JsonObject,
): FieldError[] {
  if (asObject(context) === undefined) return [];
  const errors = idErrors(context, path, ['runAsUser', 'runAsGroup']);
  const proc = at(context, 'procMount');
  if (typeof proc === 'string') {
    const where = `${path}.procMount`;
    if (!['Default', 'Unmasked'].includes(proc))
      errors.push(notSupported(where, proc, ['Default', 'Unmasked']));
    if (proc === 'Unmasked' && spec['hostUsers'] !== false)
      errors.push(invalid(where, proc, '`hostUsers` must be false to use `Unmasked`'));
  }
  errors.push(...seccompErrors(at(context, 'seccompProfile'), `${path}.seccompProfile`));
  if (at(context, 'allowPrivilegeEscalation') === false) {
    const refuse = (what: string): void => {
      errors.push(
        invalid(path, inGo(context), `cannot set \`allowPrivilegeEscalation\` to false and ${what}`),
      );
    };
    if (at(context, 'privileged') === true) refuse('`privileged` to true');
    if (arrayAt(context, 'capabilities', 'add').includes('CAP_SYS_ADMIN'))
      refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return [...errors, ...appArmorErrors(at(context, 'appArmorProfile'), `${path}.appArmorProfile`)];
}

/** What holds for all containers of a Pod, and the namespaces it shares with its node. */
export function podSecurityErrors(spec: JsonObject, path: string): FieldError[] {
  const context = at(spec, 'securityContext');
  const where = `${path}.securityContext`;
  const errors = idErrors(context, where, ['fsGroup', 'runAsUser', 'runAsGroup']);
  arrayAt(context, 'supplementalGroups').forEach((group, i) => {
    if (outOfRange(group)) errors.push(invalid(`${where}.supplementalGroups[${i}]`, group, IDS));
  });
  for (const [field, values] of Object.entries(POLICIES)) {
    const value = at(context, field);
    if (typeof value === 'string' && !values.includes(value))
      errors.push(notSupported(`${where}.${field}`, value, values));
  }
  errors.push(...sysctlErrors(spec, `${where}.sysctls`));
  errors.push(...seccompErrors(at(context, 'seccompProfile'), `${where}.seccompProfile`));
  errors.push(...appArmorErrors(at(context, 'appArmorProfile'), `${where}.appArmorProfile`));
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true)
    errors.push(
      invalid(
        `${path}.shareProcessNamespace`,
        true,
        'ShareProcessNamespace and HostPID cannot both be enabled',
      ),
    );
  if (spec['hostUsers'] === false)
    for (const [field, name] of HOST_NAMESPACES)
      if (spec[field] === true) errors.push(forbidden(`${path}.${name}`, 'when `hostUsers` is false'));
  return errors;
}

const POLICIES: Readonly<Record<string, readonly string[]>> = {
  fsGroupChangePolicy: ['Always', 'OnRootMismatch'],
  supplementalGroupsPolicy: ['Merge', 'Strict'],
  seLinuxChangePolicy: ['MountOption', 'Recursive'],
};
/** Field, and how Kubernetes spells it in its answer. */
const HOST_NAMESPACES = [
  ['hostNetwork', 'hostNetwork'],
  ['hostPID', 'HostPID'],
  ['hostIPC', 'HostIPC'],
] as const;

const outOfRange = (id: Json | undefined): boolean =>
  typeof id === 'number' && (id < 0 || id > 2_147_483_647);

function idErrors(context: Json | undefined, path: string, fields: readonly string[]): FieldError[] {
  return fields
    .filter((field) => outOfRange(at(context, field)))
    .map((field) => invalid(`${path}.${field}`, at(context, field), IDS));
}

function seccompErrors(profile: Json | undefined, path: string): FieldError[] {
  if (asObject(profile) === undefined) return [];
  const type = stringAt(profile, 'type');
  const local = at(profile, 'localhostProfile');
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.type`, 'type is required when seccompProfile is set'));
  else if (!PROFILES.includes(type)) errors.push(notSupported(`${path}.type`, type, PROFILES));
  const where = `${path}.localhostProfile`;
  if (type === 'Localhost' && local === undefined)
    errors.push(required(where, 'must be set when seccomp type is Localhost'));
  else if (type === 'Localhost') errors.push(...descendingPathErrors(asString(local), where));
  else if (local !== undefined)
    errors.push(
      invalid(
        where,
        { Type: type, LocalhostProfile: local },
        'can only be set when seccomp type is Localhost',
      ),
    );
  return errors;
}

function appArmorErrors(profile: Json | undefined, path: string): FieldError[] {
  if (asObject(profile) === undefined) return [];
  const type = stringAt(profile, 'type');
  const local = at(profile, 'localhostProfile');
  if (type === '') return [required(`${path}.type`, 'type is required when appArmorProfile is set')];
  if (!PROFILES.includes(type)) return [notSupported(`${path}.type`, type, PROFILES)];
  const where = `${path}.localhostProfile`;
  if (type !== 'Localhost')
    return local === undefined
      ? []
      : [invalid(where, local, 'can only be set when AppArmor type is Localhost')];
  const name = local === undefined ? '' : asString(local);
  if (name !== name.trim()) return [invalid(where, name, 'must not be padded with whitespace')];
  return name === '' ? [required(where, 'must be set when AppArmor type is Localhost')] : [];
}

function sysctlErrors(spec: JsonObject, path: string): FieldError[] {
  const names = arrayAt(spec, 'securityContext', 'sysctls').map((sysctl) => stringAt(sysctl, 'name'));
  const again = repeats(names);
  return names.flatMap((name, i) => {
    const where = `${path}[${i}].name`;
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(where));
    else if (name.length > 253 || !new RegExp(SYSCTL).test(name))
      errors.push(invalid(where, name, `must have at most 253 characters and match regex ${SYSCTL}`));
    else if (again.has(i)) errors.push(duplicate(where, name));
    if (spec['hostNetwork'] === true && NET_SYSCTLS.test(name))
      errors.push(invalid(where, name, "may not be specified when 'hostNetwork' is true"));
    if (spec['hostIPC'] === true && IPC_SYSCTLS.test(name))
      errors.push(invalid(where, name, "may not be specified when 'hostIPC' is true"));
    return errors;
  });
}

/** The context as Kubernetes' own structure shows it: every field, in its order, by its name there. */
function inGo(context: Json | undefined): JsonObject {
  const named = (value: Json | undefined): Json => {
    const object = asObject(value);
    if (object === undefined) return value ?? null;
    return Object.fromEntries(Object.entries(object).map(([key, inner]) => [capital(key), inner ?? null]));
  };
  return Object.fromEntries(
    CONTEXT_FIELDS.map((field) => [
      capital(field),
      field === 'capabilities' && asObject(at(context, field)) !== undefined
        ? { Add: at(context, field, 'add') ?? null, Drop: at(context, field, 'drop') ?? null }
        : named(at(context, field)),
    ]),
  );
}

const CONTEXT_FIELDS = [
  ...['capabilities', 'privileged', 'seLinuxOptions', 'windowsOptions', 'runAsUser', 'runAsGroup'],
  ...['runAsNonRoot', 'readOnlyRootFilesystem', 'allowPrivilegeEscalation', 'procMount', 'seccompProfile'],
  'appArmorProfile',
];

const capital = (name: string): string =>
  name === 'seLinuxOptions' ? 'SELinuxOptions' : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
