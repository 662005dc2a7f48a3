/** Webhook configurations and admission policies: the defaults that admission relies on. */
import type { JsonObject } from '../../wire/json.ts';
import type { KindRules } from '../definition.ts';
import { validateWebhooks } from '../../admission/validate-configuration.ts';
import { validateBinding, validatePolicy } from '../../admission/validate-policy.ts';
import { ensure, fill, own, ownItems } from './fill.ts';

function defaultRules(object: JsonObject | undefined, key: string): void {
  for (const rule of ownItems(object, key)) fill(rule, 'scope', '*');
}

function webhookRules(mutating: boolean): KindRules {
  return {
    hasGeneration: true,
    default: (object) => {
      for (const hook of ownItems(object, 'webhooks')) {
        fill(hook, 'failurePolicy', 'Fail');
        fill(hook, 'matchPolicy', 'Equivalent');
        fill(hook, 'namespaceSelector', {});
        fill(hook, 'objectSelector', {});
        fill(hook, 'timeoutSeconds', 10);
        if (mutating) fill(hook, 'reinvocationPolicy', 'Never');
        fill(own(own(hook, 'clientConfig'), 'service'), 'port', 443);
        defaultRules(hook, 'rules');
      }
    },
    validate: (object) => validateWebhooks(object),
  };
}

export const mutatingConfigurationRules = webhookRules(true);
export const validatingConfigurationRules = webhookRules(false);

function defaultMatch(match: JsonObject | undefined): void {
  if (match === undefined) return;
  fill(match, 'matchPolicy', 'Equivalent');
  fill(match, 'namespaceSelector', {});
  fill(match, 'objectSelector', {});
  defaultRules(match, 'resourceRules');
  defaultRules(match, 'excludeResourceRules');
}

export const policyRules: KindRules = {
  hasGeneration: true,
  default: (object) => {
    const spec = ensure(object, 'spec');
    fill(spec, 'failurePolicy', 'Fail');
    defaultMatch(own(spec, 'matchConstraints'));
  },
  validate: validatePolicy,
};

export const policyBindingRules: KindRules = {
  hasGeneration: true,
  default: (object) => defaultMatch(own(ensure(object, 'spec'), 'matchResources')),
  validate: validateBinding,
};
