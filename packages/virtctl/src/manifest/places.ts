/** Where the fields of a YAML or JSON text stand. Pure; aliases and merged keys have the place of what names them. */
import { EVENT_ID, type Event, getScalarValue, parseEvents } from 'js-yaml';

export type FieldPath = readonly (string | number)[];

interface Part {
  readonly start: number;
  readonly fields: Map<string, Part>;
  readonly items: Part[];
}

/** Line and column, from 1, of the key (or list item) that a path names; of the nearest above it that is there. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Throws as the parser does. One entry a document, in the order of `loadAll`. */
export function documentsOf(text: string, filename: string): readonly ((path: FieldPath) => Place)[] {
  const events = parseEvents(text, { filename });
  const documents: Part[] = [];
  let next = 0;
  // Starts with the event at `next`, and leaves `next` behind the last of the value.
  const value = (start?: number): Part => {
    const event = events[next];
    next += 1;
    const part: Part = { start: start ?? startOf(event), fields: new Map(), items: [] };
    if (event?.type === EVENT_ID.SEQUENCE) while (!closes()) part.items.push(value());
    if (event?.type === EVENT_ID.MAPPING)
      while (!closes()) {
        const key = events[next];
        const at = startOf(key);
        const name = key?.type === EVENT_ID.SCALAR ? getScalarValue(text, key) : '';
        value();
        part.fields.set(name, value(at));
      }
    return part;
  };
  const closes = (): boolean => {
    const isEnd = next >= events.length || events[next]?.type === EVENT_ID.POP;
    if (isEnd) next += 1;
    return isEnd;
  };
  while (next < events.length) {
    next += 1; // the document's own event
    if (closes()) documents.push({ start: 0, fields: new Map(), items: [] });
    else {
      documents.push(value());
      next += 1;
    }
  }
  return documents.map((document) => (path) => placeAt(text, startAt(document, path)));
}

function startOf(event: Event | undefined): number {
  if (event?.type === EVENT_ID.SCALAR) return event.valueStart;
  if (event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE) return event.start;
  return event?.type === EVENT_ID.ALIAS ? event.anchorStart : 0;
}

function startAt(document: Part, path: FieldPath): number {
  let part = document;
  for (const step of path) {
    const inner = typeof step === 'number' ? part.items[step] : part.fields.get(step);
    if (inner === undefined) break;
    part = inner;
  }
  return part.start;
}

function placeAt(text: string, start: number): Place {
  const before = text.slice(0, start).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
