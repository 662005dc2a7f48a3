/** The tree of a pattern. */

/** What a pattern means. A class is told by the source of a JavaScript expression for one character. */
export type PatternNode =
  | { readonly kind: 'character'; readonly point: number }
  | { readonly kind: 'class'; readonly source: string }
  | { readonly kind: 'assertion'; readonly place: Place }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'alternatives'; readonly options: readonly PatternNode[] }
  | {
      readonly kind: 'repeat';
      readonly node: PatternNode;
      readonly min: number;
      /** Undefined: without end. */
      readonly max: number | undefined;
      readonly lazy: boolean;
    };
export type Place = 'text start' | 'text end' | 'line start' | 'line end' | 'word edge' | 'no word edge';

export function classNode(source: string): PatternNode {
  return { kind: 'class', source };
}

export function assertion(place: Place): PatternNode {
  return { kind: 'assertion', place };
}
