/** A Template of OpenShift that holds one VirtualMachine becomes a VirtualMachineTemplate. Pure. */
import { at, listOf, plainOf, present, textOf } from '../plain.ts';

const KEPT = ['name', 'namespace', 'labels', 'annotations'];
const PARAMETER_FIELDS = ['name', 'displayName', 'description', 'value', 'generate', 'from', 'required'];

export function convertedTemplate(openShift: unknown): unknown {
  const objects = listOf(at(openShift, 'objects'));
  if (objects.length !== 1)
    throw new Error(`template must contain exactly one object, found ${objects.length}`);
  const parameters = listOf(at(openShift, 'parameters'));
  return present({
    apiVersion: 'template.kubevirt.io/v1beta1',
    kind: 'VirtualMachineTemplate',
    metadata: picked(at(openShift, 'metadata'), KEPT),
    spec: {
      virtualMachine: objects[0],
      parameters:
        parameters.length === 0
          ? undefined
          : parameters.map((parameter) => ({ name: '', ...picked(parameter, PARAMETER_FIELDS) })),
      message: textOf(at(openShift, 'message')),
    },
  });
}

/** The fields that are set to something. */
function picked(value: unknown, keys: readonly string[]): Record<string, unknown> {
  const fields = plainOf(value);
  return Object.fromEntries(keys.flatMap((key) => (fields[key] ? [[key, fields[key]] as const] : [])));
}
