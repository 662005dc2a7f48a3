/** The kinds that a test server has built in, as its own OpenAPI documents tell them. */
import { adminRequest } from '../../../packages/apiserver/src/testing/admin-request.ts';
import type { TestServer } from '../../../packages/apiserver/src/testing/test-server.ts';
import { at, isObject, type Json, objectAt, stringAt } from '../../../packages/apiserver/src/wire/json.ts';
import { type Components, resolve, type Schema } from './places.ts';

export interface BuiltInKind {
  readonly name: string;
  /** Where objects of it are created, in the namespace `default` if it has namespaces. */
  readonly path: string;
  readonly schema: Schema;
  readonly components: Components;
}

/** Those that can be created. */
export async function builtInKinds(home: TestServer): Promise<readonly BuiltInKind[]> {
  const get = async (path: string): Promise<Json> => (await adminRequest(home, 'GET', path)).body;
  const kinds: BuiltInKind[] = [];
  for (const group of Object.keys(objectAt(await get('/openapi/v3'), 'paths'))) {
    const document = await get(`/openapi/v3/${group}`);
    const components = objectAt(document, 'components', 'schemas') as Components;
    for (const [path, item] of Object.entries(objectAt(document, 'paths'))) {
      const post = at(item, 'post');
      if (!isObject(post) || path.includes('{name}')) continue;
      const json = ['responses', '200', 'content', 'application/json'];
      const schema = resolve(objectAt(post, ...json, 'schema') as Schema, components).target;
      kinds.push({
        name: stringAt(post, 'x-kubernetes-group-version-kind', 'kind'),
        path: path.replace('{namespace}', 'default'),
        schema,
        components,
      });
    }
  }
  return kinds;
}
