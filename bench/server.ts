/**
 * The API server alone in its own process: durable creates, a list of many objects, watchers, memory. With
 * `--against KUBECONFIG` the same is measured on another server in the same run, with `--http2` on the same server
 * over HTTP/2 first and HTTP/1.1 as the other, and the ratio is told.
 */
import { parseArgs } from 'node:util';
import { loadKubeconfig } from '@podvisor/kube';
import { withOwnServer } from './own-server.ts';
import { ApiLoad } from './server-load.ts';
import { Http1Transport, Http2Transport, type Transport } from './server-transport.ts';

interface Figures {
  readonly creates: Readonly<Record<string, number>>;
  readonly listMs: number;
  readonly listMegabytes: number;
  readonly watchers: Readonly<Record<string, WatchFigures>>;
  readonly bytesPerObject: number | undefined;
}

interface WatchFigures {
  /** From the write to the event at the last watcher, median. */
  readonly lastMs: number;
  readonly eventsPerSecond: number;
}

const CLIENTS = [1, 8, 32];
const WATCHERS = [100, 1000];
const SECONDS = 3;

export async function benchServer(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      against: { type: 'string' },
      http2: { type: 'boolean', default: false },
      objects: { type: 'string', default: '10000' },
    },
  });
  const objects = Number(values.objects);
  const overHttp1 = (): Promise<Figures> =>
    withOwnServer((access, rss) => measure(new Http1Transport(access), objects, rss));
  const own = values.http2
    ? await withOwnServer((access, rss) => measure(new Http2Transport(access), objects, rss))
    : await overHttp1();
  const other =
    values.against !== undefined
      ? await measure(new Http1Transport(loadKubeconfig(values.against)), objects, () => undefined)
      : values.http2
        ? await overHttp1()
        : undefined;
  report(own, other, objects);
}

async function measure(
  transport: Transport,
  objects: number,
  rss: () => number | undefined,
): Promise<Figures> {
  const load = new ApiLoad(transport, `bench-${process.pid}`);
  await load.begin();
  try {
    const creates: Record<string, number> = {};
    for (const clients of CLIENTS) creates[clients] = await load.createsPerSecond(clients, SECONDS);
    await load.clear();
    const before = rss();
    await load.fill(objects);
    const after = rss();
    const { ms, bytes } = await load.listTime();
    await load.clear();
    const watchers: Record<string, WatchFigures> = {};
    for (const count of WATCHERS) watchers[count] = await load.watchers(count);
    return {
      creates,
      listMs: ms,
      listMegabytes: bytes / 1e6,
      watchers,
      bytesPerObject: before === undefined || after === undefined ? undefined : (after - before) / objects,
    };
  } finally {
    await load.end();
  }
}

function report(own: Figures, other: Figures | undefined, objects: number): void {
  const line = (
    what: string,
    a: number,
    b: number | undefined,
    unit: string,
    more: 'better' | 'worse',
  ): void => {
    const shown = (n: number): string => (n >= 100 ? n.toFixed(0) : n.toFixed(1));
    const ratio = b === undefined ? '' : more === 'better' ? a / b : b / a;
    const beside =
      b === undefined || ratio === '' ? '' : `  other: ${shown(b)} ${unit}  = ${ratio.toFixed(2)} × as good`;
    console.log(`${what.padEnd(44)} ${shown(a).padStart(8)} ${unit}${beside}`);
  };
  for (const clients of CLIENTS)
    line(
      `durable creates of 3 KB, ${clients} clients`,
      own.creates[clients] ?? 0,
      other?.creates[clients],
      '/s',
      'better',
    );
  line(
    `list of ${objects} (${own.listMegabytes.toFixed(0)} MB), median`,
    own.listMs,
    other?.listMs,
    'ms',
    'worse',
  );
  for (const count of WATCHERS) {
    line(
      `event at the last of ${count} watchers, median`,
      own.watchers[count]?.lastMs ?? 0,
      other?.watchers[count]?.lastMs,
      'ms',
      'worse',
    );
    line(
      `events to ${count} watchers`,
      own.watchers[count]?.eventsPerSecond ?? 0,
      other?.watchers[count]?.eventsPerSecond,
      '/s',
      'better',
    );
  }
  if (own.bytesPerObject !== undefined)
    line('memory an object of 3 KB', own.bytesPerObject / 1024, undefined, 'KiB', 'worse');
}
