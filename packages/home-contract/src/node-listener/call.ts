/**
 * Calls on the socket between the control plane and the node agent, and their parser. The node agent is
 * root and the control plane is not: whatever becomes part of a path there is parsed here, whole.
 */
import type { ExecOptions, LogOptions, PodRef } from './node-proxy.ts';
import type { Content, VolumeMode } from './volume-data.ts';

export type Call =
  | {
      readonly method: 'logs';
      readonly pod: PodRef;
      readonly container: string;
      readonly options: LogOptions;
    }
  | {
      readonly method: 'exec';
      readonly pod: PodRef;
      readonly container: string;
      readonly command: readonly string[];
      readonly options: ExecOptions;
    }
  | {
      readonly method: 'attach';
      readonly pod: PodRef;
      readonly container: string;
      readonly options: ExecOptions;
    }
  | { readonly method: 'portForward'; readonly pod: PodRef; readonly port: number }
  | { readonly method: 'usage' }
  | {
      readonly method: 'makeVolume';
      readonly name: string;
      readonly mode: VolumeMode;
      readonly bytes: number;
      readonly content: Content;
    }
  | {
      readonly method: 'growVolume';
      readonly name: string;
      readonly mode: VolumeMode;
      readonly bytes: number;
    }
  | { readonly method: 'removeVolume' | 'removeSnapshot' | 'hasSnapshot'; readonly name: string }
  | {
      readonly method: 'takeSnapshot';
      readonly name: string;
      readonly volumeName: string;
      readonly writers: readonly string[];
    };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;
const VOLUME = /^(pvc|snapshot)-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Throws, naming the field, when the text is not a call. */
export function parseCall(text: string): Call {
  const call = new Fields(JSON.parse(text), 'call');
  const method = call.text('method');
  switch (method) {
    case 'usage':
      return { method };
    case 'logs':
      return {
        method,
        pod: podOf(call),
        container: call.shaped('container', LABEL),
        options: logOptions(call),
      };
    case 'exec':
      return {
        method,
        pod: podOf(call),
        container: call.shaped('container', LABEL),
        command: call.texts('command'),
        options: execOptions(call),
      };
    case 'attach':
      return {
        method,
        pod: podOf(call),
        container: call.shaped('container', LABEL),
        options: execOptions(call),
      };
    case 'portForward':
      return { method, pod: podOf(call), port: call.whole('port') };
    case 'makeVolume':
      return {
        method,
        name: nameOf(call),
        mode: modeOf(call),
        bytes: call.whole('bytes'),
        content: contentOf(call),
      };
    case 'growVolume':
      return { method, name: nameOf(call), mode: modeOf(call), bytes: call.whole('bytes') };
    case 'removeVolume':
    case 'removeSnapshot':
    case 'hasSnapshot':
      return { method, name: call.text('name') };
    case 'takeSnapshot':
      return {
        method,
        name: nameOf(call),
        volumeName: call.shaped('volumeName', VOLUME),
        writers: call.texts('writers').map((uid) => shaped(uid, UUID, 'writers')),
      };
    default:
      throw new Error(`unknown method "${method}"`);
  }
}

const MAX_TERMINAL = 0xffff;

/** Columns and rows of a terminal; undefined when the text is no size of one. */
export function parseSize(text: string): { readonly columns: number; readonly rows: number } | undefined {
  try {
    const size = new Fields(JSON.parse(text), 'size');
    const [columns, rows] = [size.whole('columns'), size.whole('rows')];
    return columns <= MAX_TERMINAL && rows <= MAX_TERMINAL ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}

const nameOf = (call: Fields): string => call.shaped('name', VOLUME);

function podOf(call: Fields): PodRef {
  const pod = call.fields('pod');
  return {
    namespace: pod.shaped('namespace', LABEL),
    name: pod.shaped('name', SUBDOMAIN),
    uid: pod.shaped('uid', UUID),
    nodeName: pod.shaped('nodeName', SUBDOMAIN),
  };
}

function modeOf(call: Fields): VolumeMode {
  const mode = call.text('mode');
  if (mode !== 'Filesystem' && mode !== 'Block') throw new Error(`unknown mode "${mode}"`);
  return mode;
}

function contentOf(call: Fields): Content {
  const content = call.fields('content');
  const kind = content.text('kind');
  if (kind === 'empty' || kind === 'blank') return { kind };
  if (kind === 'volume' || kind === 'snapshot') return { kind, name: content.shaped('name', VOLUME) };
  throw new Error(`unknown content "${kind}"`);
}

function logOptions(call: Fields): LogOptions {
  const options = call.fields('options');
  const [tailLines, limitBytes, sinceSeconds, sinceTime] = [
    options.maybeNumber('tailLines'),
    options.maybeNumber('limitBytes'),
    options.maybeNumber('sinceSeconds'),
    options.maybeText('sinceTime'),
  ];
  return {
    follow: options.flag('follow'),
    previous: options.flag('previous'),
    timestamps: options.flag('timestamps'),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(sinceTime === undefined ? {} : { sinceTime }),
  };
}

function execOptions(call: Fields): ExecOptions {
  const options = call.fields('options');
  return {
    stdin: options.flag('stdin'),
    stdout: options.flag('stdout'),
    stderr: options.flag('stderr'),
    tty: options.flag('tty'),
  };
}

function shaped(value: string, shape: RegExp, what: string): string {
  if (!shape.test(value)) throw new Error(`${what}: ${JSON.stringify(value)} is not what it must look like`);
  return value;
}

/** Own members of an object, each of the type that it must have. */
class Fields {
  readonly #members: ReadonlyMap<string, unknown>;
  readonly #where: string;

  constructor(value: unknown, where: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new Error(`${where}: an object is expected`);
    this.#members = new Map(Object.entries(value));
    this.#where = where;
  }

  fields(key: string): Fields {
    return new Fields(this.#members.get(key), `${this.#where}.${key}`);
  }

  text(key: string): string {
    const value = this.#members.get(key);
    if (typeof value !== 'string') throw this.#wrong(key, 'text');
    return value;
  }

  maybeText(key: string): string | undefined {
    return this.#members.get(key) === undefined ? undefined : this.text(key);
  }

  shaped(key: string, shape: RegExp): string {
    return shaped(this.text(key), shape, `${this.#where}.${key}`);
  }

  texts(key: string): readonly string[] {
    const value: unknown = this.#members.get(key);
    if (!Array.isArray(value)) throw this.#wrong(key, 'a list');
    return value.map((item: unknown) => {
      if (typeof item !== 'string') throw this.#wrong(key, 'a list of texts');
      return item;
    });
  }

  whole(key: string): number {
    const value = this.maybeNumber(key);
    if (value === undefined || !Number.isSafeInteger(value) || value < 0)
      throw this.#wrong(key, 'a whole number');
    return value;
  }

  maybeNumber(key: string): number | undefined {
    const value = this.#members.get(key);
    if (value === undefined) return undefined;
    if (typeof value !== 'number') throw this.#wrong(key, 'a number');
    return value;
  }

  flag(key: string): boolean {
    const value = this.#members.get(key);
    if (typeof value !== 'boolean') throw this.#wrong(key, 'true or false');
    return value;
  }

  #wrong(key: string, wanted: string): Error {
    return new Error(`${this.#where}.${key}: ${wanted} is expected`);
  }
}
