/** Parsing of request bodies: unknown JSON in, the few fields that a verb knows out. */
import { badRequest } from './decision.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The body as an object; none means no options. */
export function optionsOf(body: unknown): Fields {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body)) throw badRequest('the body must be a JSON object');
  return body as Fields;
}

export function isDryRun(options: Fields): boolean {
  const { dryRun } = options;
  if (dryRun === undefined || dryRun === null) return false;
  if (!Array.isArray(dryRun) || dryRun.some((item) => item !== 'All')) {
    throw badRequest('dryRun: the only supported value is ["All"]');
  }
  return dryRun.length > 0;
}

export function integerOption(options: Fields, field: string): number | undefined {
  const value = options[field];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value)) throw badRequest(`${field} must be an integer`);
  return value as number;
}

export function booleanOption(options: Fields, field: string): boolean | undefined {
  const value = options[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw badRequest(`${field} must be a boolean`);
  return value;
}

export function stringOption(options: Fields, field: string): string | undefined {
  const value = options[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`${field} must be a string`);
  return value;
}

/** A map of strings, as in a node selector. */
export function stringMapOption(
  options: Fields,
  field: string,
): Readonly<Record<string, string>> | undefined {
  const value = options[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || Object.values(value).some((item) => typeof item !== 'string')) {
    throw badRequest(`${field} must be a map of strings`);
  }
  return value as Readonly<Record<string, string>>;
}
