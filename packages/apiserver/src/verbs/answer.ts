/** What a verb answers, before it is written in the form the client accepts. */
import type { Stored } from '../object-store.ts';
import type { JsonObject } from '../wire/json.ts';
import type { ApiResponse } from '../wire/exchange.ts';

export type Answer =
  /** One object of the resource. */
  | { readonly kind: 'object'; readonly code: number; readonly stored: Stored }
  /** Several objects of the resource. */
  | {
      readonly kind: 'list';
      readonly items: readonly Stored[];
      readonly revision: number;
      readonly continue?: string;
      readonly remaining?: number;
    }
  /** Another object: a Status, a Scale, a review. `formatted` objects may be asked for as a Table. */
  | { readonly kind: 'other'; readonly code: number; readonly body: JsonObject }
  /** Already written to the response. */
  | { readonly kind: 'done' }
  /** Writes the response itself: a watch. */
  | { readonly kind: 'stream'; readonly start: (response: ApiResponse) => void };
