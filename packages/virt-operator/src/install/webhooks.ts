/** Registers the admission webhooks of virt-api, as `@podvisor/api` lists them. Pure. */
import { type KubernetesObject, type WebhookEntry, webhookMatchConditions, webhooks } from '@podvisor/api';
import { type InstallSettings, base64 } from './settings.ts';

/** Both configurations. */
export function webhookObjects(settings: InstallSettings): KubernetesObject[] {
  const configuration = (
    type: WebhookEntry['type'],
    name: string,
  ): KubernetesObject & { webhooks: object[] } => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${type}WebhookConfiguration`,
    metadata: { name, labels: { 'kubevirt.io': name } },
    webhooks: webhooks
      .filter(
        (entry) => entry.type === type && (entry.onlyWith === undefined || settings.dataVolumes === 'filled'),
      )
      .map((entry) => webhook(entry, settings)),
  });
  return [configuration('Mutating', 'virt-api-mutator'), configuration('Validating', 'virt-api-validator')];
}

function webhook(entry: WebhookEntry, settings: InstallSettings): object {
  const { failurePolicy, matchLabels, name, path, rules, sideEffects, timeoutSeconds } = entry;
  const matchConditions = webhookMatchConditions(entry, settings.namespace);
  return {
    name,
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: { ...whereOf(settings, path), caBundle: base64(settings.caBundle) },
    rules: rules.map((rule) => ({ ...rule, scope: '*' })),
    failurePolicy,
    matchPolicy: 'Equivalent',
    sideEffects,
    timeoutSeconds,
    ...(matchLabels === undefined ? {} : { objectSelector: { matchLabels } }),
    ...(matchConditions.length === 0 ? {} : { matchConditions }),
  };
}

function whereOf({ namespace, components }: InstallSettings, path: string): object {
  return components.kind === 'processes'
    ? { url: `https://127.0.0.1:${components.virtApiPort}${path}` }
    : { service: { namespace, name: 'virt-api', port: 443, path } };
}
