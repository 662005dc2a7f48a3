/** Which config maps and secrets the volumes of a Pod show. Pure. */
import type { Pod } from '@podvisor/api';

/** `configmaps/namespace/name` or `secrets/namespace/name` of every volume and projected source. */
export function shownObjects(pod: Pod): ReadonlySet<string> {
  const shown = new Set<string>();
  const add = (plural: string, name: string | undefined): void => {
    if (name !== undefined) shown.add(`${plural}/${pod.metadata.namespace ?? ''}/${name}`);
  };
  for (const volume of pod.spec.volumes ?? []) {
    add('configmaps', volume.configMap?.name);
    add('secrets', volume.secret?.secretName);
    for (const source of volume.projected?.sources ?? []) {
      add('configmaps', source.configMap?.name);
      add('secrets', source.secret?.name);
    }
  }
  return shown;
}
