/** Rules of probes and lifecycle hooks. */
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../wire/field-errors.ts';
import { arrayAt, asObject, at, type Json, type JsonObject, stringAt } from '../../../wire/json.ts';
import { notNegativeAt } from '../common-rules.ts';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];
const HEADER =
  "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";
const PORT_RANGE = 'must be between 1 and 65535, inclusive';

/** The probes and hooks of a container. */
export function probeErrors(container: Json, path: string, spec: JsonObject): FieldError[] {
  const grace = at(spec, 'terminationGracePeriodSeconds');
  const errors: FieldError[] = [];
  for (const hook of ['postStart', 'preStop']) {
    const handler = at(container, 'lifecycle', hook);
    if (handler !== undefined) errors.push(...handlerErrors(handler, `${path}.lifecycle.${hook}`, grace));
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = at(container, name);
    if (probe === undefined) continue;
    const where = `${path}.${name}`;
    errors.push(...handlerErrors(probe, where));
    errors.push(
      ...notNegativeAt(probe, where, [
        'initialDelaySeconds',
        'timeoutSeconds',
        'periodSeconds',
        'successThreshold',
        'failureThreshold',
      ]),
    );
    const successes = at(probe, 'successThreshold');
    if (name !== 'readinessProbe' && successes !== undefined && successes !== 1)
      errors.push(invalid(`${where}.successThreshold`, successes, 'must be 1'));
    const seconds = at(probe, 'terminationGracePeriodSeconds');
    const place = `${where}.terminationGracePeriodSeconds`;
    if (typeof seconds === 'number' && seconds <= 0)
      errors.push(invalid(place, seconds, 'must be greater than 0'));
    // Nobody is ended because it is not ready.
    if (seconds !== undefined && name === 'readinessProbe')
      errors.push(invalid(place, seconds, 'must not be set for readinessProbes'));
  }
  return errors;
}

function handlerErrors(handler: Json, path: string, grace?: Json): FieldError[] {
  const given = HANDLERS.filter((kind) => asObject(at(handler, kind)) !== undefined);
  if (given.length === 0) return [required(path, 'must specify a handler type')];
  const errors: FieldError[] = given
    .slice(1)
    .map((kind) => forbidden(`${path}.${kind}`, 'may not specify more than 1 handler type'));
  const [kind = ''] = given;
  const action = at(handler, kind);
  const where = `${path}.${kind}`;
  if (kind === 'exec' && arrayAt(action, 'command').length === 0) errors.push(required(`${where}.command`));
  if (kind === 'httpGet' && stringAt(action, 'path') === '') errors.push(required(`${where}.path`));
  if (kind === 'httpGet' || kind === 'tcpSocket' || kind === 'grpc')
    errors.push(...portErrors(at(action, 'port'), `${where}.port`));
  if (kind === 'httpGet' && !['HTTP', 'HTTPS'].includes(stringAt(action, 'scheme')))
    errors.push(notSupported(`${where}.scheme`, stringAt(action, 'scheme'), ['HTTP', 'HTTPS']));
  if (kind === 'httpGet')
    for (const header of arrayAt(action, 'httpHeaders')) {
      const name = stringAt(header, 'name');
      if (!/^[-A-Za-z0-9]+$/.test(name)) errors.push(invalid(`${where}.httpHeaders`, name, HEADER));
    }
  const seconds = Number(at(action, 'seconds') ?? 0);
  if (kind === 'sleep' && typeof grace === 'number' && (seconds < 0 || seconds > grace))
    errors.push(
      invalid(where, seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`),
    );
  return errors;
}

function portErrors(port: Json | undefined, path: string): FieldError[] {
  if (typeof port === 'string') return portNameProblems(port).map((text) => invalid(path, port, text));
  return typeof port === 'number' && port >= 1 && port <= 65535 ? [] : [invalid(path, port ?? 0, PORT_RANGE)];
}

/** What is wrong with the name of a port. */
export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}
