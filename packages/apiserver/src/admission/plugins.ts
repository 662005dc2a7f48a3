/** The steps of admission, in the order in which a request takes them. */
import type { Authorizer } from '../authz/authorizer.ts';
import type { LocalClient } from '../local-client.ts';
import type { Store } from '../object-store.ts';
import type { ApiServerOptions } from '../options.ts';
import type { OutboundAgents } from '../outbound.ts';
import type { Registry } from '../registry/registry.ts';
import { certificateRequests } from './certificate-requests.ts';
import type { Plugin } from './chain.ts';
import { claimResize } from './claim-resize.ts';
import { defaultAdmission, parseAdmissionConfiguration } from './configuration.ts';
import { embeddedImage } from './embedded-image/plugin.ts';
import { externalIps } from './external-ips.ts';
import { limitRanges } from './limit-range.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeRestriction } from './node-restriction.ts';
import { podDefaults } from './pod-defaults.ts';
import { podSecurity } from './pod-security/plugin.ts';
import { validatingPolicies } from './policies.ts';
import { rbacEscalation } from './rbac-escalation.ts';
import { resourceQuotas } from './resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { mutatingWebhooks, validatingWebhooks } from './webhooks/plugin.ts';

export interface AdmissionParts {
  readonly options: ApiServerOptions;
  readonly store: Store;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  readonly agents: OutboundAgents;
  /** Asked when a request is under way: the client needs admission itself. */
  readonly local: () => LocalClient;
}

export function admissionPlugins({
  options,
  store,
  registry,
  authorizer,
  agents,
  local,
}: AdmissionParts): readonly Plugin[] {
  const webhooks = { store, agents, log: options.log, authorizer };
  const settings =
    options.admission === undefined ? defaultAdmission : parseAdmissionConfiguration(options.admission);
  return [
    namespaceLifecycle(store),
    podDefaults(store),
    runtimeClass(store),
    limitRanges(store),
    mutatingWebhooks(webhooks),
    embeddedImage(options.embeddedImageUsers ?? { virtController: '', controllers: [] }),
    rbacEscalation(authorizer),
    certificateRequests(authorizer),
    nodeRestriction(store),
    claimResize(store),
    podSecurity(store, settings.podSecurity),
    externalIps({ allowedCidrs: settings.externalIpCidrs, serviceCidrs: options.serviceCidrs ?? [] }),
    validatingPolicies(store, registry, authorizer),
    validatingWebhooks(webhooks),
    resourceQuotas(store, local),
  ];
}
