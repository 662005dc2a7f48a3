/** Keeps the embedded image from tenants, and notes on Pods and templates that its use was granted (rule.ts). */
import { EMBEDDED_IMAGE_GRANT } from '@podvisor/sys';
import {
  asObject,
  at,
  isObject,
  type JsonObject,
  type KubeObject,
  objectAt,
  stringAt,
} from '../../wire/json.ts';
import { forbiddenObject } from '../../wire/status.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin } from '../chain.ts';
import { templatePath } from '../pod-templates.ts';
import {
  embeddedImageProblem,
  type EmbeddedImageUsers,
  type PodLike,
  standingOf,
  usesEmbeddedImage,
} from './rule.ts';

export function embeddedImage(users: EmbeddedImageUsers): Plugin {
  return {
    mutate: (attributes) => {
      const { object } = attributes;
      const path = pathOf(attributes);
      if (object === undefined || path === undefined) return undefined;
      const pod = podAt(object, path);
      if (pod === undefined) return undefined;
      const granted = grantFor(users, attributes, path, pod);
      return stringAt(pod, 'metadata', 'annotations', EMBEDDED_IMAGE_GRANT) === granted
        ? undefined
        : withGrant(object, path, granted);
    },
    validate: (attributes) => {
      const { object, oldObject, definition, name, user } = attributes;
      const path = pathOf(attributes);
      const pod = object === undefined || path === undefined ? undefined : podAt(object, path);
      if (pod === undefined || path === undefined || !usesEmbeddedImage(pod)) return;
      const problem = embeddedImageProblem(
        standingOf(user, users),
        pod,
        oldObject === undefined ? undefined : podAt(oldObject, path),
        stringAt(pod, 'metadata', 'annotations', EMBEDDED_IMAGE_GRANT) !== '',
      );
      if (problem !== undefined) throw forbiddenObject(definition, name, problem);
    },
  };
}

/** Who granted the use: from now on when the sender may, as it was when they only change something else. */
function grantFor(
  users: EmbeddedImageUsers,
  { oldObject, user }: Attributes,
  path: readonly string[],
  pod: PodLike,
): string {
  if (!usesEmbeddedImage(pod)) return '';
  const standing = standingOf(user, users);
  if (standing === 'copier') return stringAt(pod, 'metadata', 'annotations', EMBEDDED_IMAGE_GRANT);
  const before = oldObject === undefined ? undefined : podAt(oldObject, path);
  const had = stringAt(before, 'metadata', 'annotations', EMBEDDED_IMAGE_GRANT);
  return standing === 'tenant' || had !== '' ? had : user.username;
}

/** Where the Pod or its template is in an object of this kind; undefined: the kind has none. */
function pathOf({ operation, definition, subresource }: Attributes): readonly string[] | undefined {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined;
  if (definition.group === '' && definition.plural === 'pods')
    return subresource === '' || subresource === 'ephemeralcontainers' ? [] : undefined;
  return subresource === '' ? templatePath(definition) : undefined;
}

function podAt(object: KubeObject, path: readonly string[]): PodLike | undefined {
  return path.length === 0 ? object : asObject(at(object, ...path));
}

/** A copy with the note; an empty one is taken away. */
function withGrant(object: KubeObject, path: readonly string[], granted: string): KubeObject {
  const { [EMBEDDED_IMAGE_GRANT]: _, ...others } = objectAt(object, ...path, 'metadata', 'annotations');
  const annotations = granted === '' ? others : { ...others, [EMBEDDED_IMAGE_GRANT]: granted };
  const set = (value: JsonObject, keys: readonly string[]): JsonObject => {
    const [key, ...rest] = keys;
    if (key === undefined) return annotations;
    const inner = value[key];
    return { ...value, [key]: set(isObject(inner) ? inner : {}, rest) };
  };
  return { ...object, ...set(object, [...path, 'metadata', 'annotations']) };
}
