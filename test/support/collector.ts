/** A collector of OpenTelemetry traces, as far as a test needs one: it hears OTLP over HTTP in JSON. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HeardSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly service: string;
  readonly attributes: Readonly<Record<string, string>>;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly attributes: readonly Attribute[];
      }[];
    }[];
  }[];
}

export class Collector {
  readonly spans: HeardSpan[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Collector> {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        response.end('{}');
        collector.#hear(JSON.parse(text) as Body);
      });
    });
    const collector = new Collector(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  [Symbol.dispose](): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #hear({ resourceSpans }: Body): void {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const { traceId, spanId, parentSpanId, name, attributes } of scopeSpans.flatMap(
        ({ spans }) => spans,
      ))
        this.spans.push({
          traceId,
          spanId,
          parentSpanId,
          name,
          service: plain(resource.attributes)['service.name'] ?? '',
          attributes: plain(attributes),
        });
  }
}

function plain(attributes: readonly Attribute[]): Readonly<Record<string, string>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue]));
}
