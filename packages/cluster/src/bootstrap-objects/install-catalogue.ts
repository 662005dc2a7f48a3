/**
 * The catalogue of instance types and preferences in the embedded home. Runs at a start after the other objects and
 * before webhooks: on a fresh home nobody need be asked about it, and later virt-api may start after us, so what fails
 * is tried again.
 */
import { type Clock, isStatus, sleep } from '@podvisor/base';
import { type KubeClient, type Log, resources } from '@podvisor/kube';
import { applyCatalogue, isCatalogueEnabled } from '@podvisor/virt-operator';

/** Until the kinds are served, on a fresh home. */
const SERVED_TRIES = 100;
const SERVED_WAIT_MS = 50;
/** Until virt-api may answer for its webhooks. */
const RETRY_MS = 1000;

type CatalogueClient = Pick<KubeClient, 'list' | 'find' | 'create' | 'patch' | 'delete'>;

interface Installer {
  readonly client: CatalogueClient;
  readonly clock: Clock;
  readonly log: Log;
}

/** Resolves after the first try; goes on in the background until it succeeded or `signal` ends it. */
export async function installCatalogue(installer: Installer, signal: AbortSignal): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce(installer.client, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isStatus(error, 'NotFound') || tries === SERVED_TRIES) break;
      await sleep(installer.clock, SERVED_WAIT_MS, signal);
    }
  }
  void retryUntilDone(installer, signal);
}

async function retryUntilDone({ client, clock, log }: Installer, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    try {
      await sleep(clock, RETRY_MS, signal);
      return await tryOnce(client, signal);
    } catch (err) {
      if (!signal.aborted) log.info({ err }, 'the catalogue of instance types waits for virt-api');
    }
}

async function tryOnce(client: CatalogueClient, signal: AbortSignal): Promise<void> {
  const key = { namespace: 'kubevirt', name: 'kubevirt' };
  const kubevirt = await client.find(resources.kubeVirts, key, signal);
  await applyCatalogue(client, isCatalogueEnabled(kubevirt), signal);
}
