/** Asks the webhooks as the API server does: a review of a resource that is registered for the path. */
import assert from 'node:assert/strict';
import { webhooks } from '@podvisor/api';
import type { Webhooks } from '../webhooks/serve.ts';

export interface WebhookResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly patch?: string;
  readonly status?: {
    readonly code: number;
    readonly message: string;
    readonly details?: { readonly causes: readonly { readonly field: string }[] };
  };
  readonly warnings?: readonly string[];
}

/** What the API server sends to this path. */
export function registeredResource(path: string): object {
  const rule = webhooks.find((entry) => entry.path === path)?.rules[0];
  return {
    group: rule?.apiGroups[0],
    version: rule?.apiVersions[0],
    resource: rule?.resources[0]?.split('/')[0],
  };
}

/** A function that asks one of these webhooks, by its path, about a creation unless the request says otherwise. */
export function asking(served: Webhooks): (path: string, request: object) => Promise<WebhookResponse> {
  return async (path, request) => {
    const body = {
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      request: { uid: 'u', operation: 'CREATE', resource: registeredResource(path), ...request },
    };
    const answer = (await served.answer(path, async () => body)) as { response: WebhookResponse };
    assert.equal(answer.response.uid, 'u');
    return answer.response;
  };
}
