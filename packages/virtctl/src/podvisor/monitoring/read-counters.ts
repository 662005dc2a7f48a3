/** What all processes of a home count, read once, as Prometheus would. */
import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import type { InstanceConfig, InstancePaths } from '@podvisor/sys';
import { type Point, parseExposition } from './from-counters.ts';
import { type Target, targetsOf } from './plan.ts';
import { readerToken } from './reader.ts';

const TIMEOUT_MS = 10_000;
/** The least that an API server gives out. */
const TOKEN_SECONDS = 600;

/** Processes that do not answer are told on stderr and left out. */
export async function readCounters(paths: InstancePaths, config: InstanceConfig): Promise<readonly Point[]> {
  const token = await readerToken(paths, TOKEN_SECONDS);
  const all = targetsOf(config).map(async (target) => {
    try {
      return parseExposition(await read(target, paths, token));
    } catch (error) {
      console.error(`${target.pod} (${target.address}) does not answer: ${String(error)}`);
      return [];
    }
  });
  return (await Promise.all(all)).flat();
}

function read({ address, ca }: Target, paths: InstancePaths, token: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      ca: readFileSync(`${paths.pki}/${ca}.crt`),
      headers: { authorization: `Bearer ${token}` },
      agent: false as const,
      timeout: TIMEOUT_MS,
    };
    const request = get(`https://${address}/metrics`, options, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(body)
          : reject(new Error(`${response.statusCode} ${body.trim()}`)),
      );
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    request.on('error', reject);
  });
}
