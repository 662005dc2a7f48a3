/**
 * Sends spans by OTLP over HTTP, in JSON. Made only where OTEL_EXPORTER_OTLP_ENDPOINT is set: without it nothing is
 * kept and nothing is called. Spans are gathered for a moment and sent together, one request at a time. Traces are
 * worth less than VMs: what cannot be sent is dropped, and told once.
 */
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { messageOf } from '@podvisor/base';
import type { Log } from '../log.ts';
import { otlpBody, type Span } from './span.ts';

/** Further spans are dropped. */
const MAX_KEPT = 2_048;
const GATHER_MS = 100;
const TIMEOUT_MS = 10_000;

export class SpanExporter {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #log: Log;
  readonly #socketPath: string | undefined;
  #kept: Span[] = [];
  #isSending = false;
  #isToldOf = false;

  private constructor(
    url: URL,
    headers: Readonly<Record<string, string>>,
    socketPath: string | undefined,
    log: Log,
  ) {
    this.#url = url;
    this.#headers = headers;
    this.#socketPath = socketPath;
    this.#log = log;
  }

  /**
   * Undefined where no endpoint is named. Throws when what is named is no URL. PODVISOR_OTLP_SOCKET: a socket behind which
   * the endpoint is, for a process that does not reach it by itself.
   */
  static fromEnvironment(env: NodeJS.ProcessEnv, log: Log): SpanExporter | undefined {
    const endpoint = env['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '';
    if (endpoint === '') return undefined;
    const url = URL.canParse(endpoint) ? new URL(`${endpoint.replace(/\/$/, '')}/v1/traces`) : undefined;
    if (url === undefined || !['http:', 'https:'].includes(url.protocol))
      throw new Error(
        `OTEL_EXPORTER_OTLP_ENDPOINT "${endpoint}": expected a URL such as http://127.0.0.1:4318`,
      );
    const pairs = (env['OTEL_EXPORTER_OTLP_HEADERS'] ?? '').split(',').map((pair) => pair.split('='));
    const headers = pairs.filter(([key]) => key !== undefined && key.trim() !== '');
    return new SpanExporter(
      url,
      Object.fromEntries(headers.map(([key = '', ...value]) => [key.trim(), value.join('=').trim()])),
      env['PODVISOR_OTLP_SOCKET'],
      log,
    );
  }

  /** Never throws and never waits; what is too much is dropped. */
  readonly send = (spans: readonly Span[]): void => {
    if (this.#kept.length + spans.length > MAX_KEPT) return this.#dropped('too many spans on their way');
    this.#kept.push(...spans);
    if (this.#isSending || this.#kept.length === 0) return;
    this.#isSending = true;
    setTimeout(() => this.#post(), GATHER_MS).unref();
  };

  #post(): void {
    const body = JSON.stringify(otlpBody(this.#kept));
    this.#kept = [];
    const headers = {
      ...this.#headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const send = this.#url.protocol === 'https:' ? requestTls : requestPlain;
    // A connection of its own: one that was kept may be closed by the other end at the moment it is used again.
    const socketPath = this.#socketPath;
    const options = {
      ...{ method: 'POST', headers, timeout: TIMEOUT_MS, agent: false },
      ...(socketPath === undefined ? {} : { socketPath }),
    } as const;
    const request = send(this.#url, options, (response) => {
      response.resume();
      if ((response.statusCode ?? 500) >= 300) this.#dropped(`the collector answered ${response.statusCode}`);
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    request.on('error', (error) => this.#dropped(messageOf(error)));
    request.on('close', () => {
      this.#isSending = false;
      this.send([]);
    });
    request.end(body);
  }

  #dropped(error: string): void {
    if (this.#isToldOf) return;
    this.#isToldOf = true;
    this.#log.warn({ endpoint: this.#url.origin, error }, 'a trace was dropped; further ones may be, too');
  }
}
