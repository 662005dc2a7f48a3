/** Image names: `nginx` and `docker.io/library/nginx:latest` are the same. Pure. */
import { ImageError } from './types.ts';

export interface ImageReference {
  readonly registry: string;
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const NAME = /^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[a-z0-9]+:[0-9a-f]{32,}$/;

export function parseReference(text: string): ImageReference {
  const bad = (): ImageError =>
    new ImageError(
      'InvalidImageName',
      text,
      `Failed to apply default image tag "${text}": couldn't parse image name "${text}": invalid reference format`,
    );
  const at = text.indexOf('@');
  const digest = at < 0 ? undefined : text.slice(at + 1);
  const named = at < 0 ? text : text.slice(0, at);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const name = hasTag ? named.slice(0, colon) : named;
  const tag = hasTag ? named.slice(colon + 1) : digest === undefined ? 'latest' : undefined;
  const [first = '', ...rest] = name.split('/');
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const registry = hasRegistry ? first : 'docker.io';
  const path = hasRegistry ? rest.join('/') : name;
  const repository = registry === 'docker.io' && !path.includes('/') ? `library/${path}` : path;
  if (
    !NAME.test(repository) ||
    (tag !== undefined && !TAG.test(tag)) ||
    (digest !== undefined && !DIGEST.test(digest))
  ) {
    throw bad();
  }
  return {
    registry,
    repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** The full name; with a digest the tag says nothing more. */
export function formatReference({ registry, repository, tag, digest }: ImageReference): string {
  const name = `${registry}/${repository}`;
  return digest === undefined ? `${name}:${tag ?? 'latest'}` : `${name}@${digest}`;
}
