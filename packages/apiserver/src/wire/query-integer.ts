/** A number in a query, read as Go reads one of 64 bits. */
import { badRequest } from './status.ts';

/** Undefined when it is not there or empty. Throws 400. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return undefined;
  if (!/^[+-]?[0-9]+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  if (BigInt.asIntN(64, BigInt(text)) !== BigInt(text))
    throw badRequest(`strconv.ParseInt: parsing "${text}": value out of range`);
  return Number(text);
}
