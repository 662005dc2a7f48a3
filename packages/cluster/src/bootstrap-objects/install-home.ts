/**
 * Installs what a home consists of, in an order in which nobody is asked who cannot answer yet. What virt-api answers
 * for comes last: virt-api starts beside us and needs this server first, so that its webhooks, were they there, would
 * hold up the KubeVirt object and the catalogue of a fresh home. Its APIService comes after its webhooks: who sees
 * that virt-api is available may count on admission.
 */
import type { Clock } from '@podvisor/base';
import type { KubeClient, Log } from '@podvisor/kube';
import type { Manifest } from '@podvisor/virt-operator';
import { installObjects } from './install.ts';
import { installCatalogue } from './install-catalogue.ts';

const LAST = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration', 'APIService'];

export interface HomeInstaller {
  readonly client: Pick<KubeClient, 'list' | 'find' | 'create' | 'patch' | 'delete'>;
  /** A bare home has no instance types. */
  readonly hasCatalogue: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Resolves when everything is there; the catalogue may come later where a webhook holds it up. */
export async function installHome(
  { client, hasCatalogue, clock, log }: HomeInstaller,
  objects: readonly Manifest[],
  signal: AbortSignal,
): Promise<void> {
  const { first, last } = inOrder(objects);
  await installObjects(client, first, clock, signal);
  if (hasCatalogue) await installCatalogue({ client, clock, log }, signal);
  await installObjects(client, last, clock, signal);
}

/** Each part keeps its order, but for `last`, which has its own. Pure. */
export function inOrder(objects: readonly Manifest[]): {
  readonly first: readonly Manifest[];
  readonly last: readonly Manifest[];
} {
  return {
    first: objects.filter(({ kind }) => !LAST.includes(kind ?? '')),
    last: LAST.flatMap((kind) => objects.filter((object) => object.kind === kind)),
  };
}
