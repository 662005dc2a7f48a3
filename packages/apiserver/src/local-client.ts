/** Writes that the server itself makes, through the same verbs and rules as everybody else's. */
import type { Core, UserInfo, VerbContext } from './core.ts';
import type { Json, JsonObject } from './wire/json.ts';
import { stringAt } from './wire/json.ts';
import { parseRequest } from './wire/request-info.ts';
import { create } from './verbs/create.ts';
import { remove } from './verbs/delete/delete.ts';
import { patch } from './verbs/patch.ts';
import { isStatus } from '@podvisor/base';

const SELF: UserInfo = { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };
const AGENT = 'kube-apiserver';

export class LocalClient {
  readonly #core: Core;
  readonly #signal: AbortSignal;

  constructor(core: Core, signal: AbortSignal) {
    this.#core = core;
    this.#signal = signal;
  }

  /** Creates the object unless it exists. */
  async ensure(object: JsonObject): Promise<void> {
    try {
      await create(this.#context('POST', this.#path(object), object));
    } catch (error) {
      if (!isStatus(error, 'AlreadyExists')) throw error;
    }
  }

  /** Merge-patches an object or, with `subresource`, a part of it. */
  async mergePatch(path: string, body: JsonObject): Promise<void> {
    await patch(this.#context('PATCH', path, body, 'application/merge-patch+json'));
  }

  async jsonPatch(path: string, body: Json): Promise<void> {
    await patch(this.#context('PATCH', path, body, 'application/json-patch+json'));
  }

  async delete(path: string): Promise<void> {
    await remove(this.#context('DELETE', path, undefined));
  }

  #path(object: JsonObject): string {
    const apiVersion = stringAt(object, 'apiVersion');
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const definition = this.#core.registry.findKind(group ?? '', version ?? '', stringAt(object, 'kind'));
    if (definition === undefined)
      throw new Error(`no resource serves ${apiVersion} ${stringAt(object, 'kind')}`);
    const root = group === '' ? `/api/${version}` : `/apis/${apiVersion}`;
    const namespace = stringAt(object, 'metadata', 'namespace');
    return definition.namespaced
      ? `${root}/namespaces/${namespace}/${definition.plural}`
      : `${root}/${definition.plural}`;
  }

  #context(method: string, path: string, body: Json | undefined, type = 'application/json'): VerbContext {
    const info = parseRequest(method, path);
    const definition = this.#core.registry.find(info.group, info.version, info.resource);
    if (definition === undefined) throw new Error(`no resource at ${path}`);
    return {
      core: this.#core,
      info,
      definition,
      user: SELF,
      headers: { 'content-type': type, 'user-agent': AGENT },
      warnings: [],
      readBody: () => Promise.resolve(body === undefined ? '' : JSON.stringify(body)),
      readBytes: () => Promise.resolve(Buffer.from(body === undefined ? '' : JSON.stringify(body))),
      signal: this.#signal,
    };
  }
}
