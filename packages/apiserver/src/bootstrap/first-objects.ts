/** Fills in what a cluster must have before anybody is answered. Run at every start; what is there stays. */
import type { Core } from '../core.ts';
import type { LocalClient } from '../local-client.ts';
import type { ApiServerOptions } from '../options.ts';
import type { JsonObject } from '../wire/json.ts';
import { withdrawNodeRole } from './node-role.ts';
import { bootstrapObjects } from './objects.ts';
import { restoreOwnRoles } from './own-roles.ts';

export async function ensureFirstObjects(
  { store }: Core,
  local: LocalClient,
  { frontProxy, tls, roles = [], log }: ApiServerOptions,
): Promise<void> {
  const initial = [
    ...bootstrapObjects({ frontProxyCa: frontProxy.ca, clientCa: tls.clientCa }),
    ...(roles as unknown as JsonObject[]),
  ];
  for (const object of initial) await local.ensure(object);
  await withdrawNodeRole(store, local);
  await restoreOwnRoles({ store, local, log }, initial);
}
