import { type ByteSource } from './source.ts';
export interface HttpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the CA that the server's certificate must chain to. */
  readonly ca?: string;
}
/** The server refused; trying again changes nothing by itself. */
export declare class HttpStatusError extends Error {
  readonly name = 'HttpStatusError';
}
export declare function openHttp(options: HttpOptions, signal: AbortSignal): Promise<ByteSource>;
