/** The environment of a container: image, then envFrom, then env with `$(NAME)` filled in. */
import { memberOf } from '@podvisor/base';
import type { ConfigMap, Container, EnvVar, Pod, Secret } from '@podvisor/api';
import { fieldValue, type PodFacts, resourceValue } from '../pod/field-path.ts';

/** Reads a config map or secret of the Pod's namespace; undefined when there is none. */
export interface KeyedObjects {
  configMap(name: string): Promise<ConfigMap | undefined>;
  secret(name: string): Promise<Secret | undefined>;
}

/** A config map, secret or key that the container needs is not there (yet). */
export class ContainerConfigError extends Error {
  override readonly name = 'ContainerConfigError';
}

export async function containerEnvironment(
  pod: Pod,
  container: Container,
  imageEnv: readonly string[],
  facts: PodFacts,
  objects: KeyedObjects,
): Promise<ReadonlyMap<string, string>> {
  const env = new Map<string, string>();
  for (const line of imageEnv) {
    const split = line.indexOf('=');
    if (split > 0) env.set(line.slice(0, split), line.slice(split + 1));
  }
  for (const source of container.envFrom ?? []) {
    for (const [key, value] of await allKeys(source, objects)) env.set(`${source.prefix ?? ''}${key}`, value);
  }
  for (const variable of container.env ?? []) {
    const value = await variableValue(pod, container, variable, env, facts, objects);
    if (value !== undefined) env.set(variable.name, value);
  }
  return env;
}

type EnvFrom = NonNullable<Container['envFrom']>[number];

async function allKeys(
  source: EnvFrom,
  objects: KeyedObjects,
): Promise<readonly (readonly [string, string])[]> {
  if (source.configMapRef !== undefined) {
    const { name = '', optional } = source.configMapRef;
    const found = await objects.configMap(name);
    if (found === undefined && optional !== true)
      throw new ContainerConfigError(`configmap "${name}" not found`);
    return Object.entries(found?.data ?? {});
  }
  if (source.secretRef !== undefined) {
    const { name = '', optional } = source.secretRef;
    const found = await objects.secret(name);
    if (found === undefined && optional !== true)
      throw new ContainerConfigError(`secret "${name}" not found`);
    return Object.entries(found?.data ?? {}).map(([key, value]) => [key, decode(value)] as const);
  }
  return [];
}

async function variableValue(
  pod: Pod,
  container: Container,
  variable: EnvVar,
  env: ReadonlyMap<string, string>,
  facts: PodFacts,
  objects: KeyedObjects,
): Promise<string | undefined> {
  const from = variable.valueFrom;
  if (from === undefined) return expand(variable.value ?? '', env);
  if (from.fieldRef !== undefined) return fieldValue(pod, from.fieldRef.fieldPath, facts);
  if (from.resourceFieldRef !== undefined) return resourceValue(pod, container, from.resourceFieldRef, facts);
  if (from.configMapKeyRef !== undefined) {
    const { name = '', key, optional } = from.configMapKeyRef;
    const found = await objects.configMap(name);
    return required(memberOf(found?.data, key), optional, `key ${key} of configmap "${name}" not found`);
  }
  if (from.secretKeyRef !== undefined) {
    const { name = '', key, optional } = from.secretKeyRef;
    const data = memberOf((await objects.secret(name))?.data, key);
    return required(
      data === undefined ? undefined : decode(data),
      optional,
      `key ${key} of secret "${name}" not found`,
    );
  }
  return '';
}

function required(
  value: string | undefined,
  optional: boolean | undefined,
  message: string,
): string | undefined {
  if (value === undefined && optional !== true) throw new ContainerConfigError(message);
  return value;
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}

/** `$(NAME)` becomes the variable's value, `$$` a dollar sign; an unknown name stays as it is. */
export function expand(text: string, env: ReadonlyMap<string, string>): string {
  // Each character is looked at once: an expression would look for the end anew from each `$(` that has none.
  const lastEnd = text.lastIndexOf(')');
  let expanded = '';
  let done = 0;
  for (let at = text.indexOf('$'); at !== -1; at = text.indexOf('$', Math.max(at + 1, done))) {
    const next = text.charAt(at + 1);
    const end = next === '(' && at < lastEnd ? text.indexOf(')', at) : -1;
    if (next !== '$' && end <= at + 2) continue;
    const whole = next === '$' ? '$$' : text.slice(at, end + 1);
    expanded += text.slice(done, at) + (next === '$' ? '$' : (env.get(whole.slice(2, -1)) ?? whole));
    done = at + whole.length;
  }
  return expanded + text.slice(done);
}
