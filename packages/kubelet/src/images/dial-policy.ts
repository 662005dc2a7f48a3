/** `addresses.json` of a home: what the node may dial for images although it is on the machine itself. */
import { type DialPolicy, isInPrefix } from '@podvisor/base';
import { readFileIfThere } from '@podvisor/kube';

/** Reads the administrator's setting; a home without the file allows nothing. Throws when it cannot be understood. */
export function readDialPolicy(home: string): DialPolicy {
  const text = readFileIfThere(`${home}/addresses.json`);
  return text === undefined ? {} : parseDialPolicy(text);
}

/** `{"allow": ["127.0.0.0/8"]}`: prefixes. */
export function parseDialPolicy(text: string): DialPolicy {
  const value: unknown = JSON.parse(text);
  const allow = typeof value === 'object' && value !== null && 'allow' in value ? value.allow : undefined;
  if (!Array.isArray(allow) || !allow.every(isPrefix))
    throw new Error('addresses.json has no list "allow" of network prefixes such as 127.0.0.0/8');
  return { allow };
}

function isPrefix(text: unknown): text is string {
  if (typeof text !== 'string' || !text.includes('/')) return false;
  try {
    return isInPrefix(text.split('/')[0] ?? '', text);
  } catch {
    return false; // not a prefix
  }
}
