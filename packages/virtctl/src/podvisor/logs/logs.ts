/** `podvisor logs [component]`: the lines of all processes in the order of time, and what comes, with `-f`. */
import { existsSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { KubeClient, resources } from '@podvisor/kube';
import {
  defaultHome,
  type InstanceConfig,
  type InstancePaths,
  instancePaths,
  readInstanceConfig,
} from '@podvisor/sys';
import { containerText, type LogRecord, parseLine } from './record.ts';
import { humanLine, jsonLine } from './render.ts';
import { isSelected, type Selection, sinceOf, type VmIdentity } from './select.ts';
import { directoriesOf, type Source, sourcesOf } from './sources.ts';
import { Tail } from './tail.ts';

export interface LogsFlags {
  readonly follow: boolean;
  /** `NAME` or `NAMESPACE/NAME`. */
  readonly vm?: string;
  readonly since?: string;
  readonly output: string;
}

/** Lines that come within this time are put in order before they are shown. */
const SETTLE_MS = 100;

/** Ends when all is shown or, with `follow`, with the signal. */
export async function logs(
  component: string | undefined,
  flags: LogsFlags,
  signal: AbortSignal,
  write: (line: string) => void = (line) => console.log(line),
  note: (line: string) => void = (line) => console.error(line),
): Promise<void> {
  if (flags.output !== 'text' && flags.output !== 'json')
    throw new Error(`--output ${flags.output}: expected text or json`);
  const paths = instancePaths(defaultHome());
  const config = readInstanceConfig(paths.home);
  if (component !== undefined) checkComponent(component, sourcesOf(paths, config));
  const selection: Selection = {
    ...(component === undefined ? {} : { component }),
    ...(flags.since === undefined ? {} : { sinceMs: sinceOf(flags.since, Date.now()) }),
    ...(flags.vm === undefined ? {} : { vm: await identityOf(paths, flags.vm) }),
  };
  const line = flags.output === 'json' ? jsonLine : humanLine;
  const reader = new Reader(paths, config);
  let shown = 0;
  const show = (): void => {
    for (const record of reader.read()) {
      if (!isSelected(record, selection)) continue;
      shown += 1;
      write(line(record));
    }
  };
  show();
  if (shown === 0 && flags.vm !== undefined) note(nothingLogged(selection));
  if (flags.follow) await followed(reader, show, signal);
}

/** Reads what was added to all files, in the order of time. */
class Reader {
  readonly #paths: InstancePaths;
  readonly #config: InstanceConfig;
  readonly #tails = new Map<string, Tail>();

  constructor(paths: InstancePaths, config: InstanceConfig) {
    this.#paths = paths;
    this.#config = config;
  }

  read(): readonly LogRecord[] {
    return sourcesOf(this.#paths, this.#config)
      .flatMap((source) => this.#records(source))
      .toSorted((a, b) => a.atMs - b.atMs);
  }

  /** What to watch, the directories of files among it. */
  directories(): ReadonlySet<string> {
    return new Set([
      ...directoriesOf(this.#paths, this.#config),
      ...[...this.#tails.keys()].map((path) => dirname(path)),
    ]);
  }

  #records({ path, component, isContainer }: Source): readonly LogRecord[] {
    const tail = this.#tails.get(path) ?? new Tail(path);
    this.#tails.set(path, tail);
    return tail.lines().map((line) => {
      const record = parseLine(isContainer ? containerText(line) : line, component, tail.lastMs);
      tail.lastMs = record.atMs;
      return record;
    });
  }
}

async function followed(reader: Reader, show: () => void, signal: AbortSignal): Promise<void> {
  const watched = new Map<string, { close(): void }>();
  let isSoon = false;
  const look = (): void => {
    isSoon = false;
    show();
    watchAll();
  };
  const soon = (): void => {
    if (isSoon) return;
    isSoon = true;
    setTimeout(look, SETTLE_MS);
  };
  const watchAll = (): void => {
    for (const directory of reader.directories())
      if (!watched.has(directory) && existsSync(directory)) watched.set(directory, watch(directory, soon));
    for (const [directory, watcher] of watched) {
      if (existsSync(directory)) continue;
      watcher.close();
      watched.delete(directory);
    }
  };
  watchAll();
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  for (const watcher of watched.values()) watcher.close();
}

/** A name that was mistyped, or a VM that nothing was logged about. */
function nothingLogged({ vm, component, sinceMs }: Selection): string {
  const where = `${component === undefined ? '' : ` by ${component}`}${sinceMs === undefined ? '' : ' in that time'}`;
  const known = vm === undefined || vm.uids.size > 0 ? '' : '; is that its name? kubectl get vm -A';
  return `nothing was logged about ${vm?.namespace}/${vm?.name}${where}${known}`;
}

/** Whose lines can be asked for. */
export function loggingComponents(sources: readonly Source[]): readonly string[] {
  return [...new Set([...sources.map((source) => source.component), 'virt-launcher'])].toSorted();
}

function checkComponent(component: string, sources: readonly Source[]): void {
  const known = loggingComponents(sources);
  if (known.some((name) => name === component || name.startsWith(`${component}-`))) return;
  throw new Error(`there is no log of ${component}; there are: ${known.join(', ')}`);
}

/** UIDs help to find lines that name only those; without an API server the name alone must do. */
async function identityOf(paths: InstancePaths, vm: string): Promise<VmIdentity> {
  const [name = '', namespace = 'default'] = vm.split('/').toReversed();
  const unknown = { namespace, name, uids: new Set<string>() };
  if (!existsSync(paths.kubeconfig)) return unknown;
  const client = KubeClient.fromKubeconfig(paths.kubeconfig, 'podvisor');
  const signal = AbortSignal.timeout(3_000);
  try {
    const [own, vmi, pods] = await Promise.all([
      client.find(resources.virtualMachines, { namespace, name }, signal),
      client.find(resources.virtualMachineInstances, { namespace, name }, signal),
      client.list(resources.pods, { namespace, labelSelector: `vm.kubevirt.io/name=${name}` }, signal),
    ]);
    const objects = [own, vmi, ...pods.items];
    const uids = objects.flatMap((object) => object?.metadata?.uid ?? []);
    return { namespace, name, uids: new Set(uids) };
  } catch {
    return unknown;
  } finally {
    await client.close();
  }
}
