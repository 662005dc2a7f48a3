/** What was thrown, as an answer: a Status in the form that the client asked for. */
import { StatusError } from '@podvisor/base';
import { LogFull } from '@podvisor/store';
import { ExpiredContinue } from '../verbs/read/list.ts';
import type { Json, JsonObject } from './json.ts';
import { type Form, negotiate } from './negotiate.ts';
import { type ResponseContext, sendJson } from './respond.ts';
import { PlainError, ReasonlessError } from './status.ts';

/** Writes whatever was thrown. */
export function respondError(to: ResponseContext, error: unknown): void {
  const { response } = to;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof PlainError && error.message === '') {
    response.writeHead(error.code, { 'cache-control': 'no-cache, private' });
    response.end();
    return;
  }
  if (error instanceof PlainError) {
    response.writeHead(error.code, {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache, private',
    });
    response.end(`${error.message}\n`);
    return;
  }
  const { code, body } = statusOf(error);
  let form: Form;
  try {
    form = negotiate(to.accept, undefined, false, true);
  } catch {
    form = negotiate(undefined, undefined);
  }
  const retry = (body['details'] as { retryAfterSeconds?: number } | undefined)?.retryAfterSeconds;
  if (retry !== undefined) response.setHeader('retry-after', String(retry));
  sendJson(to, code, body, form);
}

function statusOf(error: unknown): { code: number; body: JsonObject } {
  if (error instanceof ReasonlessError) {
    return {
      code: error.code,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: error.message,
        code: error.code,
      },
    };
  }
  const status = asStatusError(error);
  const body = { ...status.toBody() } as unknown as JsonObject;
  if (body['reason'] === 'Unknown' || body['reason'] === '') delete body['reason'];
  if (error instanceof ExpiredContinue && error.token !== undefined)
    body['metadata'] = { continue: error.token } as Json;
  return { code: status.code, body };
}

function asStatusError(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  // Nothing was written, so it may be tried again when there is room.
  if (error instanceof LogFull) return new StatusError('ServiceUnavailable', error.message);
  return new StatusError(
    'InternalError',
    `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`,
  );
}
