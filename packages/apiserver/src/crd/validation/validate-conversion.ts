/** The rules of how a CRD converts between its versions. */
import {
  reviewVersionErrors,
  webhookServiceErrors,
  webhookUrlErrors,
} from '../../admission/webhook-client-rules.ts';
import { type FieldError, forbidden, notSupported, required } from '../../wire/field-errors.ts';
import { arrayAt, asString, at, type JsonObject, stringAt } from '../../wire/json.ts';

const STRATEGIES = ['None', 'Webhook'];

export function conversionErrors(conversion: JsonObject, path: string): FieldError[] {
  const strategy = stringAt(conversion, 'strategy');
  const webhook = at(conversion, 'webhook');
  const versions = arrayAt(webhook, 'conversionReviewVersions').map(asString);
  const client = at(webhook, 'clientConfig');
  const errors: FieldError[] = [];
  if (strategy === '') errors.push(required(`${path}.strategy`));
  else if (!STRATEGIES.includes(strategy))
    errors.push(notSupported(`${path}.strategy`, strategy, STRATEGIES));
  if (strategy !== 'Webhook') {
    const reason = 'should not be set when strategy is not set to Webhook';
    if (client !== undefined && client !== null)
      errors.push(forbidden(`${path}.webhookClientConfig`, reason));
    if (versions.length > 0) errors.push(forbidden(`${path}.conversionReviewVersions`, reason));
    return errors;
  }
  const where = `${path}.webhookClientConfig`;
  if (client === undefined || client === null)
    errors.push(required(where, 'required when strategy is set to Webhook'));
  else {
    const url = at(client, 'url');
    const service = at(client, 'service');
    if ((url === undefined || url === null) === (service === undefined || service === null))
      errors.push(required(where, 'exactly one of url or service is required'));
    else if (typeof url === 'string') errors.push(...webhookUrlErrors(url, `${where}.url`));
    else if (service !== undefined) errors.push(...webhookServiceErrors(service, `${where}.service`));
  }
  return [...errors, ...reviewVersionErrors(versions, `${path}.conversionReviewVersions`)];
}
