/** What a cluster's API server was asked to write, by its own count: the difference of two looks at its `/metrics`. */

/** Writes by what was written, as `verb resource/subresource`. */
export type Writes = ReadonlyMap<string, number>;

const WRITING = new Set(['POST', 'PUT', 'PATCH', 'APPLY', 'DELETE', 'DELETECOLLECTION']);
/** Signs of life and of a node's own state come all the time, with or without a start; reviews and tokens store nothing. */
const OTHERS =
  /^(leases|nodes|csinodes|endpoints|endpointslices|tokenreviews|subjectaccessreviews|selfsubjectaccessreviews|selfsubjectreviews)$/;

/** All writes that were answered with success so far, in the text that Prometheus reads. Pure. */
export function writesIn(metrics: string): Writes {
  const writes = new Map<string, number>();
  for (const line of metrics.split('\n')) {
    const found = /^apiserver_request_total\{(.*)\} (\S+)$/.exec(line);
    if (found === null) continue;
    const labels = new Map([...(found[1] ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, k, v]) => [k, v]));
    const [verb = '', resource = '', part = ''] = ['verb', 'resource', 'subresource'].map((k) =>
      labels.get(k),
    );
    const isStored =
      WRITING.has(verb) &&
      labels.get('code')?.startsWith('2') === true &&
      (labels.get('dry_run') ?? '') === '' &&
      part !== 'token' &&
      !OTHERS.test(resource);
    if (!isStored) continue;
    const key = `${verb} ${resource}${part === '' ? '' : `/${part}`}`;
    writes.set(key, (writes.get(key) ?? 0) + Number(found[2]));
  }
  return writes;
}

/** What came between two looks. Pure. */
export function writesBetween(before: Writes, after: Writes): Writes {
  const rows = [...after].map(([key, count]) => [key, count - (before.get(key) ?? 0)] as const);
  return new Map(rows.filter(([, count]) => count > 0));
}

/** The mean of several runs: `5.0 and 3.0 events: POST pods 1.0, …`, the most frequent first. Pure. */
export function describeWrites(runs: readonly Writes[]): string {
  const keys = [...new Set(runs.flatMap((run) => [...run.keys()]))];
  const rows = keys
    .map(
      (key) =>
        [key, runs.reduce((sum, run) => sum + (run.get(key) ?? 0), 0) / Math.max(1, runs.length)] as const,
    )
    .toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  const isEvent = (key: string): boolean => / events$/.test(key);
  const sum = (of: (key: string) => boolean): string =>
    rows.reduce((total, [key, mean]) => total + (of(key) ? mean : 0), 0).toFixed(1);
  const list = rows.filter(([key]) => !isEvent(key)).map(([key, mean]) => `${key} ${mean.toFixed(1)}`);
  return `${sum((key) => !isEvent(key))} and ${sum(isEvent)} of events: ${list.join(', ')}`;
}
