/**
 * Makes the server of an export: token, Service, certificate and Pod. Secrets are made and never read: each Pod gets
 * one of its own, and the authority's certificate as a variable.
 */
import { randomBytes } from 'node:crypto';
import type { KubernetesObject, VirtualMachineExport } from '@podvisor/api';
import { type Clock } from '@podvisor/base';
import {
  createCa,
  defineResource,
  issueCertificate,
  type KubeClient,
  resources,
  ignoreAlreadyExists,
} from '@podvisor/kube';
import { nameSuffix } from '../vmi/pod-name.ts';
import { backupSettings } from './backup.ts';
import {
  exportName,
  exportPod,
  exportService,
  manifests,
  metaOf,
  serverNames,
  serverSettings,
  tokenSecretName,
} from './plan.ts';
import type { ReadySource } from './reconcile.ts';

interface SecretObject extends KubernetesObject {
  readonly stringData?: Readonly<Record<string, string>>;
}
interface ServiceObject extends KubernetesObject {
  readonly spec?: { readonly clusterIP?: string };
}
const secrets = defineResource<SecretObject>('Secret', 'secrets', 'v1');
const services = defineResource<ServiceObject>('Service', 'services', 'v1');

export interface ExportServerContext {
  readonly client: Pick<KubeClient, 'find' | 'create'>;
  readonly clock: Clock;
  readonly image: string;
}

/** What is there already stays. */
export async function ensureTokenAndService(
  of: VirtualMachineExport,
  { client }: ExportServerContext,
  signal: AbortSignal,
): Promise<void> {
  if (of.spec.tokenSecretRef === undefined) {
    const stringData = { token: randomBytes(24).toString('base64url') };
    await ignoreAlreadyExists(
      client.create(secrets, secretOf(of, tokenSecretName(of), stringData), {}, signal),
    );
  }
  await ignoreAlreadyExists(client.create(services, exportService(of), {}, signal));
}

export async function createServerPod(
  of: VirtualMachineExport,
  source: ReadySource,
  { client, clock, image }: ExportServerContext,
  signal: AbortSignal,
): Promise<void> {
  const key = { namespace: of.metadata?.namespace, name: exportName(of) };
  const service = await client.find(services, key, signal);
  const now = clock.now();
  const ca = createCa({ commonName: `export-ca-${of.metadata?.name}`, now });
  const names = serverNames(of, service?.spec?.clusterIP);
  const pair = issueCertificate(ca, { commonName: names[0] ?? '', names, usages: ['server'], now });
  const secret = `export-secret-${of.metadata?.name}-${nameSuffix(pair.certificate)}`;
  const settings =
    source.backup === undefined
      ? serverSettings(source.claims, manifests(of, source.vm, source.claims, ca.certificate))
      : backupSettings(source.claims, source.backup.disks);
  const stringData = { 'tls.crt': pair.certificate, 'tls.key': pair.key, 'config.json': settings };
  await client.create(secrets, secretOf(of, secret, stringData), {}, signal);
  const pod = exportPod(of, source.claims, {
    image,
    secret,
    ca: ca.certificate,
    nodeName: source.backup?.nodeName,
  });
  await ignoreAlreadyExists(client.create(resources.pods, pod, {}, signal));
}

function secretOf(
  of: VirtualMachineExport,
  name: string,
  stringData: SecretObject['stringData'],
): SecretObject {
  return { apiVersion: 'v1', kind: 'Secret', metadata: metaOf(of, name), stringData };
}
