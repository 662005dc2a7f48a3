/** Signature version 4 of Amazon's services, for reading an object of an S3-compatible store. Pure. */
import { createHash, createHmac } from 'node:crypto';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretKey: string;
}

export interface SignedGet {
  readonly url: string;
  readonly region: string;
  readonly keys: AwsKeys;
  readonly nowMs: number;
  /** Further headers, in small letters, that are sent and signed. */
  readonly headers?: Readonly<Record<string, string>>;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const NO_BODY = createHash('sha256').update('').digest('hex');

/** Headers that a GET request is to carry, those that were given included. */
export function signedHeaders({ url, region, keys, nowMs, headers = {} }: SignedGet): Record<string, string> {
  const { host, pathname, searchParams } = new URL(url);
  const time = new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, '');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const sent = { ...headers, 'x-amz-content-sha256': NO_BODY, 'x-amz-date': time };
  const signed = Object.entries({ ...sent, host }).toSorted(byName);
  const names = signed.map(([name]) => name).join(';');
  const canonical = [
    'GET',
    pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    [...searchParams]
      .map(([name, value]) => [encode(name), encode(value)] as const)
      .toSorted(byName)
      .map((pair) => pair.join('='))
      .join('&'),
    ...signed.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    NO_BODY,
  ].join('\n');
  const digest = createHash('sha256').update(canonical).digest('hex');
  const steps = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const key = steps.reduce<Buffer | string>((from, step) => hmac(from, step), `AWS4${keys.secretKey}`);
  const signature = hmac(key, [ALGORITHM, time, scope, digest].join('\n')).toString('hex');
  const authorization = `${ALGORITHM} Credential=${keys.accessKeyId}/${scope},SignedHeaders=${names},Signature=${signature}`;
  return { ...sent, authorization };
}

/** The region that the name of a host of Amazon's tells; other stores mostly take the first one there was. */
export function regionOf(url: string): string {
  const { hostname } = new URL(url);
  return (
    /(?:^|\.)s3[.-]([a-z]{2}(?:-[a-z]+)+-\d)\.amazonaws\.com(?:\.cn)?$/.exec(hostname)?.[1] ?? 'us-east-1'
  );
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** RFC 3986, stricter than JavaScript's own. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
