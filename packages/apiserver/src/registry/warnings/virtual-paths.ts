/** Files of one volume that would lie on, or below, each other: only one of them would be there. */
import { arrayAt, at, type Json, stringAt } from '../../wire/json.ts';

interface VirtualPath {
  readonly path: string;
  /** Which source of a projected volume brings it; empty where a volume has one source. */
  readonly source: string;
}

export function virtualPathWarnings(volumes: readonly Json[]): string[] {
  return volumes.flatMap((volume) => {
    const name = JSON.stringify(stringAt(volume, 'name'));
    const tell = (what: string, paths: readonly VirtualPath[]): string[] =>
      overlaps(paths).map((text) => `volume ${name} (${what}): overlapping paths: ${text}`);
    return [
      ...tell(
        `ConfigMap ${JSON.stringify(stringAt(volume, 'configMap', 'name'))}`,
        items(volume, 'configMap'),
      ),
      ...tell(`Secret ${JSON.stringify(stringAt(volume, 'secret', 'secretName'))}`, items(volume, 'secret')),
      ...tell('DownwardAPI', items(volume, 'downwardAPI')),
      ...arrayAt(volume, 'projected', 'sources').flatMap((source) =>
        Object.keys(source ?? {}).length === 0 ? [`volume ${name} (Projected) has no sources provided`] : [],
      ),
      ...tell('Projected', arrayAt(volume, 'projected', 'sources').flatMap(projectedPaths)),
    ];
  });
}

function items(holder: Json | undefined, field: string, source = ''): VirtualPath[] {
  return arrayAt(holder, field, 'items').map((item) => ({ path: stringAt(item, 'path'), source }));
}

function projectedPaths(source: Json): VirtualPath[] {
  const named = (field: string, kind: string): VirtualPath[] =>
    items(source, field, `${kind} ${JSON.stringify(stringAt(source, field, 'name'))}`);
  const token = at(source, 'serviceAccountToken');
  return [
    ...named('configMap', 'ConfigMap'),
    ...named('secret', 'Secret'),
    ...items(source, 'downwardAPI', 'DownwardAPI'),
    ...(token === undefined ? [] : [{ path: stringAt(token, 'path'), source: 'ServiceAccountToken' }]),
  ];
}

/** Paths are compared with so many before them: nobody reads that many warnings. */
const COMPARED = 50;

function overlaps(paths: readonly VirtualPath[]): string[] {
  const plain = paths.map(({ path, source }) => ({ path: withoutSlashes(path), source }));
  return plain.flatMap((one, i) =>
    plain
      .slice(0, Math.min(i, COMPARED))
      .filter((other) => isWithin(one.path, other.path) || isWithin(other.path, one.path))
      .map((other) => `${inWords(one)} with ${inWords(other)}`),
  );
}

/** Without those at its end. */
function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function isWithin(path: string, other: string): boolean {
  return path !== '' && other !== '' && `${path}/`.startsWith(`${other}/`);
}

function inWords({ path, source }: VirtualPath): string {
  return source === '' ? JSON.stringify(path) : `${JSON.stringify(path)} (${source})`;
}
