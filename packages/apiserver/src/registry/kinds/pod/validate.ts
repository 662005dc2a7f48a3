/** The rules of a Pod's spec, in Kubernetes' words, wherever one stands: in a Pod or in a template. */
import { type FieldError, required } from '../../../wire/field-errors.ts';
import { arrayAt, type JsonObject, stringAt } from '../../../wire/json.ts';
import { affinityErrors } from './affinity.ts';
import { containerErrors, initContainerErrors } from './container.ts';
import { ephemeralErrors } from './ephemeral.ts';
import { hostPortConflicts } from './ports.ts';
import { podSecurityErrors } from './security.ts';
import { fieldErrors } from './spec-fields.ts';
import { spreadErrors } from './spread.ts';
import { podResourceErrors } from './pod-resources.ts';
import { systemErrors } from './systems.ts';
import { tolerationErrors } from './tolerations.ts';
import { volumeErrors } from './volumes.ts';

export function validatePodSpec(spec: JsonObject, path: string): FieldError[] {
  const errors = volumeErrors(arrayAt(spec, 'volumes'), `${path}.volumes`);
  // A volume that is wrong itself cannot be mounted either.
  const wrong = new Set(errors.map(({ field }) => field.slice(0, field.indexOf('].', path.length) + 1)));
  const volumes = new Map(
    arrayAt(spec, 'volumes')
      .filter((_, i) => !wrong.has(`${path}.volumes[${i}]`))
      .map((volume) => [stringAt(volume, 'name'), volume] as const),
  );
  const context = { spec, volumes, taken: new Set<string>() };
  const containers = arrayAt(spec, 'containers');
  if (containers.length === 0) errors.push(required(`${path}.containers`));
  containers.forEach((container, i) =>
    errors.push(...containerErrors(container, `${path}.containers[${i}]`, context)),
  );
  errors.push(...hostPortConflicts(containers, `${path}.containers`));
  const list = `${path}.initContainers`;
  arrayAt(spec, 'initContainers').forEach((container, i) =>
    errors.push(...initContainerErrors(container, `${list}[${i}]`, list, context)),
  );
  errors.push(...ephemeralErrors(spec, `${path}.ephemeralContainers`, context));
  return [
    ...errors,
    ...fieldErrors(spec, path),
    ...podSecurityErrors(spec, path),
    ...affinityErrors(spec, path),
    ...spreadErrors(arrayAt(spec, 'topologySpreadConstraints'), `${path}.topologySpreadConstraints`),
    ...systemErrors(spec, path),
    ...podResourceErrors(spec, path),
    ...tolerationErrors(arrayAt(spec, 'tolerations'), `${path}.tolerations`),
  ];
}
