/**
 * CVE-2025-64432 and CVE-2026-6383: who may name a user to virt-api, and that the permission which is asked for is
 * the one of the path which is served, whole. Over real TLS sockets.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { clientCertificate, frontProxyCa, kubevirtCa, World } from './testing/world.ts';
import { subresourceRoutes } from './subresources/routes.ts';

const NAMESPACES = '/apis/subresources.kubevirt.io/v1/namespaces';
const START = `${NAMESPACES}/default/virtualmachines/hello/start`;

test('CVE-2025-64432: only the aggregator names a user, by CA and by name of its certificate', async () => {
  await using world = await new World().start();
  for (const identity of [
    'none',
    clientCertificate(frontProxyCa, 'somebody-else'),
    clientCertificate(frontProxyCa, 'front-proxy-client2'),
    clientCertificate(frontProxyCa, 'FRONT-PROXY-CLIENT'),
    clientCertificate(frontProxyCa, ''),
    clientCertificate(kubevirtCa, 'front-proxy-client'),
  ] as const) {
    const { code } = await world.request('PUT', START, { identity });
    assert.equal(code, 401);
  }
  assert.equal(world.reviews.length, 0, 'nobody was asked what somebody unknown may do');
  const { code } = await world.request('PUT', START);
  assert.notEqual(code, 401);
  assert.equal(world.reviews.length, 1);
});

/** What the review must name for a path, said a second time and simply. */
function expectedAttributes(path: string, verb: string): object | undefined {
  const [, , , version, , namespace, resource, name, ...rest] = path.split('/').map(decodeURIComponent);
  const row = subresourceRoutes.find((route) => {
    const fixed = route.subresource.split('/');
    const parameters = rest.length - fixed.length;
    return (
      route.resource === resource &&
      rest.slice(0, fixed.length).join('/') === route.subresource &&
      parameters <= (route.parameters?.length ?? 0) &&
      parameters >= (route.parameters?.length ?? 0) - (route.optionalParameters ?? 0)
    );
  });
  const subresource = row?.subresource ?? (rest.join('/') === 'expand-spec' ? 'expand-spec' : undefined);
  if (subresource === undefined) return undefined;
  return { group: 'subresources.kubevirt.io', version, namespace, resource, name, subresource, verb };
}

test('CVE-2026-6383: the permission names the whole subresource, and nothing is served under another', async () => {
  await using world = await new World().start();
  world.allowed = false;
  const identity = clientCertificate(frontProxyCa, 'front-proxy-client');
  const names = subresourceRoutes.map(({ subresource }) => subresource);
  const segment = fc.constantFrom(
    ...names,
    ...names.flatMap((name) => name.split('/')),
    ...names.map((name) => `${name}x`),
    ...names.map((name) => name.slice(0, -1)),
    ...[
      '22',
      'tcp',
      'expand-spec',
      '..',
      '%2e%2e',
      '.',
      '',
      '%73tart',
      'start%2fx',
      'start;x',
      '%2Fstart',
      'x',
    ],
  );
  const target = fc.record({
    method: fc.constantFrom('GET', 'PUT'),
    resource: fc.constantFrom('virtualmachines', 'virtualmachineinstances', 'virtualmachine'),
    rest: fc.array(segment, { minLength: 1, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(target, async ({ method, resource, rest }) => {
      const path = `${NAMESPACES}/default/${resource}/hello/${rest.join('/')}`;
      world.reviews.length = 0;
      const { code } = await world.request(method, path, { identity });
      assert.ok(code === 400 || code === 401 || code === 404 || code === 405, `${path}: ${code}`);
      if (code !== 401) return assert.equal(world.reviews.length, 0, path);
      const verb = method === 'GET' ? 'get' : 'update';
      const [review] = world.reviews as { readonly resourceAttributes: object }[];
      assert.deepEqual(review?.resourceAttributes, expectedAttributes(path, verb), path);
    }),
    { numRuns: 300 },
  );
});

test('a path that the API server would read otherwise is refused', async () => {
  await using world = await new World().start();
  for (const path of [
    `${NAMESPACES}/default/virtualmachines/x/../hello/start`,
    `${NAMESPACES}/mine/../default/virtualmachines/hello/start`,
    `${NAMESPACES}/mine/%2e%2e/default/virtualmachines/hello/start`,
    `${NAMESPACES}/default\\virtualmachines/hello/start`,
    `//virt-api${START}`,
  ])
    assert.equal((await world.request('PUT', path)).code, 400, path);
  assert.equal(world.reviews.length, 0);
});
