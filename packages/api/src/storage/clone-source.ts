/** What a DataVolume copies of the cluster, and whether somebody may. Pure but for the questions that it asks. */
import { type CloneRight, cloneRights, type CloneSource } from './clone-rights.ts';

interface Reference {
  readonly name?: string;
  readonly namespace?: string;
}
interface Sources {
  readonly pvc?: Reference;
  readonly snapshot?: Reference;
  readonly dataSource?: Reference;
}

/** As much of a DataVolume's spec as names a source. */
export interface CloneSpec {
  readonly source?: Sources;
  readonly sourceRef?: Reference;
}

/** Reads `spec.source` of a DataSource; undefined when there is none. */
export type FindSources = (namespace: string, name: string) => Promise<Sources | undefined>;

/** How many DataSources may point at each other. */
const MAX_HOPS = 4;

/** What the content is copied from; undefined: nothing of the cluster. */
export async function cloneSourceOf(
  { source, sourceRef }: CloneSpec,
  own: string,
  find: FindSources,
): Promise<CloneSource | undefined> {
  const direct = sourceIn(source, own);
  if (direct !== undefined) return direct;
  let name = sourceRef?.name ?? '';
  let from = sourceRef?.namespace || own;
  for (let hop = 0; name !== '' && hop < MAX_HOPS; hop += 1) {
    const next = await find(from, name);
    const end = sourceIn(next, from);
    if (end !== undefined) return end;
    name = next?.dataSource?.name ?? '';
    from = next?.dataSource?.namespace || from;
    // One that leads nowhere yet counts as a claim where it ends: it may lead there later.
    if (name === '' || hop === MAX_HOPS - 1) return { kind: 'pvc', namespace: from, name };
  }
  return undefined;
}

function sourceIn(sources: Sources | undefined, own: string): CloneSource | undefined {
  for (const kind of ['pvc', 'snapshot'] as const) {
    const { name = '', namespace = '' } = sources?.[kind] ?? {};
    if (name !== '' || namespace !== '') return { kind, namespace: namespace || own, name };
  }
  return undefined;
}

/** Whether who has these rights may copy the source into another namespace. */
export async function mayClone(
  source: CloneSource,
  has: (right: CloneRight) => Promise<boolean>,
): Promise<boolean> {
  for (const rights of cloneRights(source)) if (await hasAll(rights, has)) return true;
  return false;
}

async function hasAll(
  rights: readonly CloneRight[],
  has: (right: CloneRight) => Promise<boolean>,
): Promise<boolean> {
  for (const right of rights) if (!(await has(right))) return false;
  return true;
}
