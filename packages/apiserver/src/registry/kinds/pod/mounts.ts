/** Rules of where a container's volumes appear: directories (`volumeMounts`) and devices (`volumeDevices`). */
import {
  type FieldError,
  forbidden,
  invalid,
  notFoundValue,
  notSupported,
  required,
} from '../../../wire/field-errors.ts';
import { arrayAt, at, type Json, stringAt } from '../../../wire/json.ts';
import { repeats } from '../../../wire/repeats.ts';
import { backstepErrors, descendingPathErrors } from './paths.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];
const BLOCK_ONLY = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';

/** Volumes by name; one that is wrong itself is not among them. */
export type KnownVolumes = ReadonlyMap<string, Json>;

export function mountErrors(container: Json, path: string, volumes: KnownVolumes): FieldError[] {
  const mounts = arrayAt(container, 'volumeMounts');
  const devices = arrayAt(container, 'volumeDevices');
  return [
    ...directoryErrors(mounts, devices, `${path}.volumeMounts`, volumes, container),
    ...deviceErrors(devices, mounts, `${path}.volumeDevices`, volumes),
  ];
}

const textsAt = (list: readonly Json[], field: string): string[] => list.map((one) => stringAt(one, field));
const textSet = (list: readonly Json[], field: string): ReadonlySet<string> => new Set(textsAt(list, field));

function directoryErrors(
  mounts: readonly Json[],
  devices: readonly Json[],
  path: string,
  volumes: KnownVolumes,
  container: Json,
): FieldError[] {
  const targets = textsAt(mounts, 'mountPath');
  const again = repeats(targets);
  const [deviceNames, devicePaths] = [textSet(devices, 'name'), textSet(devices, 'devicePath')];
  return mounts.flatMap((mount, i) => {
    const where = `${path}[${i}]`;
    const [name, target] = [stringAt(mount, 'name'), targets[i] ?? ''];
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${where}.name`));
    if (!volumes.has(name)) errors.push(notFoundValue(`${where}.name`, name));
    if (target === '') errors.push(required(`${where}.mountPath`));
    if (again.has(i)) errors.push(invalid(`${where}.mountPath`, target, 'must be unique'));
    if (deviceNames.has(name))
      errors.push(invalid(`${where}.name`, name, 'must not already exist in volumeDevices'));
    if (devicePaths.has(target))
      errors.push(invalid(`${where}.mountPath`, target, 'must not already exist as a path in volumeDevices'));
    return [...errors, ...partErrors(mount, where, path), ...sharingErrors(mount, path, container)];
  });
}

/** Which part of the volume is shown. Kubernetes numbers the mount only where both fields are given. */
function partErrors(mount: Json, where: string, path: string): FieldError[] {
  const [part, expression] = [stringAt(mount, 'subPath'), stringAt(mount, 'subPathExpr')];
  return [
    ...descendingPathErrors(part, `${path}.subPath`),
    ...(part !== '' && expression !== ''
      ? [invalid(`${where}.subPathExpr`, expression, 'subPathExpr and subPath are mutually exclusive')]
      : []),
    ...descendingPathErrors(expression, `${path}.subPathExpr`),
  ];
}

/** Who sees what is mounted below, and who may write there. */
function sharingErrors(mount: Json, path: string, container: Json): FieldError[] {
  const errors: FieldError[] = [];
  const propagation = at(mount, 'mountPropagation');
  if (typeof propagation === 'string' && !PROPAGATIONS.includes(propagation))
    errors.push(notSupported(`${path}.mountPropagation`, propagation, PROPAGATIONS));
  if (propagation === 'Bidirectional' && at(container, 'securityContext', 'privileged') !== true)
    errors.push(
      forbidden(
        `${path}.mountPropagation`,
        'Bidirectional mount propagation is available only to privileged containers',
      ),
    );
  const recursive = at(mount, 'recursiveReadOnly');
  if (typeof recursive !== 'string' || recursive === 'Disabled') return errors;
  const where = `${path}.recursiveReadOnly`;
  if (!RECURSIVE.includes(recursive)) return [...errors, notSupported(where, recursive, RECURSIVE)];
  if (at(mount, 'readOnly') !== true)
    errors.push(forbidden(where, 'may only be specified when readOnly is true'));
  if (propagation !== undefined && propagation !== 'None')
    errors.push(forbidden(where, 'may only be specified when mountPropagation is None or not specified'));
  return errors;
}

function deviceErrors(
  devices: readonly Json[],
  mounts: readonly Json[],
  path: string,
  volumes: KnownVolumes,
): FieldError[] {
  const [names, places] = [textsAt(devices, 'name'), textsAt(devices, 'devicePath')];
  const [namesAgain, placesAgain] = [repeats(names), repeats(places)];
  const [mountNames, mountPaths] = [textSet(mounts, 'name'), textSet(mounts, 'mountPath')];
  return devices.flatMap((_, i) => {
    const where = `${path}[${i}]`;
    const [name, place] = [names[i] ?? '', places[i] ?? ''];
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(`${where}.name`));
    else if (namesAgain.has(i)) errors.push(invalid(`${where}.name`, name, 'must be unique'));
    if (volume === undefined) errors.push(notFoundValue(`${where}.name`, name));
    else if (at(volume, 'persistentVolumeClaim') === undefined && at(volume, 'ephemeral') === undefined)
      errors.push(invalid(`${where}.name`, name, BLOCK_ONLY));
    if (place === '') errors.push(required(`${where}.devicePath`));
    if (placesAgain.has(i)) errors.push(invalid(`${where}.devicePath`, place, 'must be unique'));
    if (backstepErrors(place, '').length > 0)
      errors.push(invalid(`${where}.devicePath`, place, "can not contain backsteps ('..')"));
    if (mountNames.has(name))
      errors.push(invalid(`${where}.name`, name, 'must not already exist in volumeMounts'));
    if (mountPaths.has(place))
      errors.push(invalid(`${where}.devicePath`, place, 'must not already exist as a path in volumeMounts'));
    return errors;
  });
}
