/** Rules of one container. */
import { labelProblems } from '../../../verbs/metadata.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../wire/field-errors.ts';
import { arrayAt, at, type Json, type JsonObject, objectAt, stringAt } from '../../../wire/json.ts';
import { repeats } from '../../../wire/repeats.ts';
import { envErrors, envFromErrors } from './env.ts';
import { type KnownVolumes, mountErrors } from './mounts.ts';
import { containerPortErrors, hostPortConflicts } from './ports.ts';
import { probeErrors } from './probes.ts';
import { validateResources } from './resources.ts';
import { containerSecurityErrors } from './security.ts';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const RESTART_POLICIES = ['Always', 'Never', 'OnFailure'];
const RESIZABLE = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];
const HOOKS = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];

export interface ContainerContext {
  readonly spec: JsonObject;
  readonly volumes: KnownVolumes;
  /** Names of the containers before this one; its own is added. */
  readonly taken: Set<string>;
}

/** A container that runs beside others. */
export function containerErrors(container: Json, path: string, context: ContainerContext): FieldError[] {
  return [
    ...commonErrors(container, path, context),
    ...probeErrors(container, path, context.spec),
    ...restartErrors(container, path),
  ];
}

/** A container that runs before the others, or beside them from then on (`restartPolicy: Always`). */
export function initContainerErrors(
  container: Json,
  path: string,
  list: string,
  context: ContainerContext,
): FieldError[] {
  const stays = stringAt(container, 'restartPolicy') === 'Always';
  return [
    ...commonErrors(container, path, context),
    ...restartErrors(container, path),
    ...hostPortConflicts([container], list),
    ...(stays
      ? probeErrors(container, path, context.spec)
      : HOOKS.filter((hook) => at(container, hook) !== undefined).map((hook) =>
          forbidden(`${path}.${hook}`, 'may not be set for init containers without restartPolicy=Always'),
        )),
  ];
}

/** What holds for containers of every sort. */
export function commonErrors(
  container: Json,
  path: string,
  { spec, volumes, taken }: ContainerContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const name = stringAt(container, 'name');
  if (name === '') errors.push(required(`${path}.name`));
  else if (taken.has(name)) errors.push(duplicate(`${path}.name`, name));
  else errors.push(...labelProblems(name).map((text) => invalid(`${path}.name`, name, text)));
  taken.add(name);
  const image = stringAt(container, 'image');
  if (image === '') errors.push(required(`${path}.image`));
  else if (image !== image.trim())
    errors.push(invalid(`${path}.image`, image, 'must not have leading or trailing whitespace'));
  const message = stringAt(container, 'terminationMessagePolicy');
  if (!MESSAGE_POLICIES.includes(message))
    errors.push(notSupported(`${path}.terminationMessagePolicy`, message, MESSAGE_POLICIES));
  const pull = stringAt(container, 'imagePullPolicy');
  if (!PULL_POLICIES.includes(pull))
    errors.push(notSupported(`${path}.imagePullPolicy`, pull, PULL_POLICIES));
  const claims = arrayAt(spec, 'resourceClaims').map((claim) => stringAt(claim, 'name'));
  return [
    ...errors,
    ...containerPortErrors(arrayAt(container, 'ports'), `${path}.ports`, spec),
    ...envErrors(arrayAt(container, 'env'), `${path}.env`),
    ...envFromErrors(arrayAt(container, 'envFrom'), `${path}.envFrom`),
    ...mountErrors(container, path, volumes),
    ...validateResources(objectAt(container, 'resources'), `${path}.resources`, { claims }),
    ...resizeErrors(arrayAt(container, 'resizePolicy'), `${path}.resizePolicy`, spec),
    ...containerSecurityErrors(at(container, 'securityContext'), `${path}.securityContext`, spec),
  ];
}

function restartErrors(container: Json, path: string): FieldError[] {
  const policy = at(container, 'restartPolicy');
  const where = `${path}.restartPolicy`;
  if (policy === undefined)
    return arrayAt(container, 'restartPolicyRules').length === 0
      ? []
      : [required(where, 'must specify restartPolicy when restart rules are used')];
  return typeof policy === 'string' && !RESTART_POLICIES.includes(policy)
    ? [notSupported(where, policy, RESTART_POLICIES)]
    : [];
}

function resizeErrors(policies: readonly Json[], path: string, spec: JsonObject): FieldError[] {
  const names = policies.map((policy) => stringAt(policy, 'resourceName'));
  const again = repeats(names);
  return policies.flatMap((policy, i) => {
    const [name, restart] = [names[i] ?? '', stringAt(policy, 'restartPolicy')];
    const errors: FieldError[] = again.has(i) ? [duplicate(`${path}[${i}]`, name)] : [];
    if (name === '') errors.push(required(path));
    else if (!RESIZABLE.includes(name)) errors.push(notSupported(path, name, RESIZABLE));
    if (restart === '') errors.push(required(path));
    else if (!RESIZE_POLICIES.includes(restart)) errors.push(notSupported(path, restart, RESIZE_POLICIES));
    if (spec['restartPolicy'] === 'Never' && restart === 'RestartContainer')
      errors.push(invalid(path, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'"));
    return errors;
  });
}
