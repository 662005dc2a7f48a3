/** What a server says that does not do what it is asked, in its own words. Pure. */
import { connectionText } from '../texts/common.ts';

export class Refusal extends Error {
  readonly code: number;
  /** Fields that the server is not content with, as it names them. */
  readonly fields: readonly { readonly field: string; readonly message: string }[];
  /** What it is about, as the server names it. */
  readonly kind: string | undefined;

  constructor(code: number, message: string, fields: Refusal['fields'] = [], kind?: string) {
    super(message);
    this.code = code;
    this.fields = fields;
    this.kind = kind;
  }
}

interface StatusBody {
  readonly message?: string;
  readonly details?: {
    readonly kind?: string;
    readonly causes?: readonly { readonly field?: string; readonly message?: string }[];
  };
}

export function refusalOf(code: number, text: string): Refusal {
  try {
    const { message, details } = JSON.parse(text) as StatusBody;
    const fields = (details?.causes ?? []).flatMap(({ field, message: words }) =>
      field === undefined || words === undefined ? [] : [{ field, message: words }],
    );
    return new Refusal(code, message ?? text, fields, details?.kind);
  } catch {
    return new Refusal(code, text === '' ? connectionText.answered(code) : text);
  }
}
