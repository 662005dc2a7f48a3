/** What a request for a container's output may ask for. Checked before anybody looks for the Pod. */
import type { LogOptions } from '@podvisor/home-contract';
import { type FieldError, forbidden, invalid, invalidObject } from '../wire/field-errors.ts';
import { queryInteger } from '../wire/query-integer.ts';
import { isTrue } from '../wire/request-info.ts';

/** Throws 400 for what is no number, 422 for what makes no sense. */
export function logOptions(query: URLSearchParams, pod: string): LogOptions {
  const [tailLines, limitBytes, sinceSeconds] = ['tailLines', 'limitBytes', 'sinceSeconds'].map((name) =>
    queryInteger(query, name),
  );
  const sinceTime = query.get('sinceTime') ?? '';
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== '')
    errors.push(forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  if ((query.get('stream') ?? '') !== '') errors.push(forbidden('stream', 'may not be specified'));
  if (errors.length > 0) throw invalidObject('PodLogOptions', '', pod, errors);
  return {
    follow: isTrue(query.get('follow')),
    previous: isTrue(query.get('previous')),
    timestamps: isTrue(query.get('timestamps')),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(sinceTime === '' ? {} : { sinceTime }),
  };
}
