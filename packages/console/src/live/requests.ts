/** Requests to the API server, through the server of the page. A refusal is an error with the server's own words. */

export class Refusal extends Error {
  readonly code: number;
  /** Fields that the server is not content with, as it names them. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];

  constructor(code: number, message: string, fields: Refusal['fields'] = []) {
    super(message);
    this.code = code;
    this.fields = fields;
  }
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** As the API server knows it. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

interface StatusBody {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

export async function send(
  { method, path, body, contentType = 'application/json' }: ApiRequest,
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetch(`/k8s${path}`, {
    method,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': contentType }) },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ok) return response;
  const text = await response.text();
  throw refusalOf(response.status, text);
}

export async function readJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await send({ method: 'GET', path }, signal)).json()) as T;
}

export function refusalOf(code: number, text: string): Refusal {
  try {
    const { message, details } = JSON.parse(text) as StatusBody;
    const fields = (details?.causes ?? []).flatMap(({ field, message: words }) =>
      field === undefined || words === undefined ? [] : [{ field, message: words }],
    );
    return new Refusal(code, message ?? text, fields);
  } catch {
    return new Refusal(code, text === '' ? `the server answered ${code}` : text);
  }
}
