/** Names of images: what may stand before and behind them. Pure. */
import { InvalidArgumentError } from 'commander';
import { type ImageRecipe, IMAGES } from './recipes.ts';

/** The registry in the names of images that no registry has yet. */
export const LOCAL_PREFIX = 'podvisor.local';

/** As the distribution specification has it. */
const TAG = /^\w[\w.-]{0,127}$/;
const HOST = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::\d{1,5})?`;
const PART = String.raw`[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*`;
const PREFIX = new RegExp(`^${HOST}(?:/${PART})*$`);

const NAME = new RegExp(
  `^(?:${HOST}/)?${PART}(?:/${PART})*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
);

/** A name without a registry would mean Docker's. Throws where no image can have this name. */
export function withRegistry(name: string): string {
  if (!NAME.test(name))
    throw new Error(
      `"${name}" cannot be the name of an image: use small letters, digits and single ".", "_", "-" or "/" between them, then a tag, such as mine:1`,
    );
  const first = name.split('/')[0] ?? '';
  const hasRegistry = name.includes('/') && /[.:]|^localhost$/.test(first);
  return hasRegistry ? name : `${LOCAL_PREFIX}/${name}`;
}

export function tagArgument(text: string): string {
  if (!TAG.test(text))
    throw new InvalidArgumentError(
      'a tag has letters, digits, ".", "_" and "-", at most 128, such as v1.2.3',
    );
  return text;
}

/** Registry, and where in it: `registry.example.com/podvisor`. */
export function prefixArgument(text: string): string {
  if (text.includes('://'))
    throw new InvalidArgumentError('give the registry without a scheme: registry.example.com/podvisor');
  if (!PREFIX.test(text))
    throw new InvalidArgumentError('expected REGISTRY[:PORT][/PATH] in small letters, without a tag');
  return text;
}

export function referenceOf(prefix: string, name: string, tag: string): string {
  return `${prefix}/${name}:${tag}`;
}

/** A registry on this machine speaks plain HTTP, as it does for docker. */
export function isPlainRegistry(prefix: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?(?:\/|$)/.test(prefix);
}

/** The recipes of these names; all when there is none. Throws for a name that is none. */
export function chosenImages(names: readonly string[]): readonly ImageRecipe[] {
  for (const name of names)
    if (!IMAGES.some((image) => image.name === name))
      throw new Error(
        `there is no image "${name}"; there are ${IMAGES.map((image) => image.name).join(', ')}`,
      );
  return names.length === 0 ? IMAGES : IMAGES.filter(({ name }) => names.includes(name));
}
