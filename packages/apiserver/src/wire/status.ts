/** The answers that are not success, built with Kubernetes' words. */
import { type StatusDetails, StatusError } from '@podvisor/base';

/** What a message names: `deployments.apps`. */
export interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

export function qualified({ group, plural }: ResourceName): string {
  return group === '' ? plural : `${plural}.${group}`;
}

/** `details` of an answer about one object. */
export function detailsOf(resource: ResourceName, name: string, more: StatusDetails = {}): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
    ...more,
  };
}

export function notFound(resource: ResourceName, name: string): StatusError {
  return new StatusError('NotFound', `${qualified(resource)} "${name}" not found`, {
    details: detailsOf(resource, name),
  });
}

export function alreadyExists(resource: ResourceName, name: string): StatusError {
  return new StatusError('AlreadyExists', `${qualified(resource)} "${name}" already exists`, {
    details: detailsOf(resource, name),
  });
}

export function conflict(resource: ResourceName, name: string, why: string): StatusError {
  return new StatusError(
    'Conflict',
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    {
      details: detailsOf(resource, name),
    },
  );
}

export const MODIFIED =
  'the object has been modified; please apply your changes to the latest version and try again';

export function forbiddenObject(
  resource: ResourceName,
  name: string,
  why: string,
  more: StatusDetails = {},
): StatusError {
  const what =
    name === '' ? `${qualified(resource)} is forbidden` : `${qualified(resource)} "${name}" is forbidden`;
  return new StatusError('Forbidden', `${what}: ${why}`, { details: detailsOf(resource, name, more) });
}

export function badRequest(message: string): StatusError {
  return new StatusError('BadRequest', message);
}

export function internal(message: string): StatusError {
  return new StatusError('InternalError', `Internal error occurred: ${message}`, {
    details: { causes: [{ message }] },
  });
}

export function methodNotAllowed(): StatusError {
  return new StatusError(
    'MethodNotAllowed',
    'the server does not allow this method on the requested resource',
    { details: {} },
  );
}

/** The path exists for no resource that is served. */
export function noSuchResource(): StatusError {
  return new StatusError('NotFound', 'the server could not find the requested resource', { details: {} });
}

/** An answer that is plain text: paths outside the resource tree. */
export class PlainError extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}

/** A failure whose Status has no reason, as when a parameter cannot be parsed deep inside. */
export class ReasonlessError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
