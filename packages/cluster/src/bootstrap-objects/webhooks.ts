/** Registers the admission webhooks of virt-api, as `@podvisor/api` lists them, at virt-api's port on this machine. */
import { type KubernetesObject, type WebhookEntry, webhookMatchConditions, webhooks } from '@podvisor/api';
import type { InstanceConfig } from '@podvisor/sys';
import { NAMESPACE } from '../pki-bootstrap/identities.ts';
import { type BootstrapFacts, base64 } from './facts.ts';

/** Both configurations. */
export function webhookObjects(config: InstanceConfig, facts: BootstrapFacts): KubernetesObject[] {
  const configuration = (
    type: WebhookEntry['type'],
    name: string,
  ): KubernetesObject & { webhooks: object[] } => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${type}WebhookConfiguration`,
    metadata: { name, labels: { 'kubevirt.io': name } },
    webhooks: webhooks.filter((entry) => entry.type === type).map((entry) => webhook(entry, config, facts)),
  });
  return [configuration('Mutating', 'virt-api-mutator'), configuration('Validating', 'virt-api-validator')];
}

function webhook(entry: WebhookEntry, config: InstanceConfig, facts: BootstrapFacts): object {
  const { failurePolicy, matchLabels, name, path, rules, sideEffects, timeoutSeconds } = entry;
  const matchConditions = webhookMatchConditions(entry, NAMESPACE);
  return {
    name,
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: {
      url: `https://127.0.0.1:${config.virtApiPort}${path}`,
      caBundle: base64(facts.kubevirtCa),
    },
    rules: rules.map((rule) => ({ ...rule, scope: '*' })),
    failurePolicy,
    matchPolicy: 'Equivalent',
    sideEffects,
    timeoutSeconds,
    ...(matchLabels === undefined ? {} : { objectSelector: { matchLabels } }),
    ...(matchConditions.length === 0 ? {} : { matchConditions }),
  };
}
