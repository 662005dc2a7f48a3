/** Watch events as bytes. The plain form of an event is made once and shared by all watchers. */
import type { Stored } from '../object-store.ts';
import type { VerbContext } from '../core.ts';
import { convertOut } from '../verbs/convert.ts';
import { textOf } from '../verbs/serialize.ts';
import type { JsonObject } from './json.ts';
import type { Form } from './negotiate.ts';
import { partialOf, tableOf } from './transform.ts';

export interface EventEncoder {
  event(type: string, stored: Stored): Buffer;
  bookmark(revision: number, initialEventsEnd: boolean): Buffer;
  error(status: JsonObject): Buffer;
}

const line = (type: string, objectText: string): Buffer =>
  Buffer.from(`{"type":"${type}","object":${objectText}}\n`);

/**
 * Plain events of this turn of the event loop, by stored state and type. All watchers are told in one turn; kept
 * longer, the bytes of every object that was ever told of would stay in memory as long as the object.
 */
let shared = new Map<Stored, Map<string, Buffer>>();

function formsOf(stored: Stored): Map<string, Buffer> {
  if (shared.size === 0)
    setImmediate(() => {
      shared = new Map();
    });
  let forms = shared.get(stored);
  if (forms === undefined) shared.set(stored, (forms = new Map()));
  return forms;
}

export function eventEncoder(context: VerbContext, form: Form): EventEncoder {
  const { definition } = context;
  if (form.as === 'object') {
    return {
      event: (type, stored) => plain(context, type, stored),
      bookmark: (revision, end) =>
        line('BOOKMARK', JSON.stringify(bookmarkOf(definition.kind, definition.apiVersion, revision, end))),
      error,
    };
  }
  if (form.as !== 'Table') {
    return {
      event: (type, stored) => line(type, JSON.stringify(partialOf(convertOut(definition, stored.object)))),
      bookmark: (revision, end) =>
        line(
          'BOOKMARK',
          JSON.stringify(bookmarkOf('PartialObjectMetadata', 'meta.k8s.io/v1', revision, end)),
        ),
      error,
    };
  }
  let first = true;
  return {
    event: (type, stored) => {
      const table = tableOf(context, [stored], {
        revision: stored.object.metadata.resourceVersion ?? '',
        withColumns: first,
      });
      first = false;
      return line(type, JSON.stringify(table));
    },
    bookmark: (revision, end) => {
      const object = bookmarkOf(definition.kind, definition.apiVersion, revision, end);
      const table = {
        ...tableOf(context, [], { revision: String(revision), withColumns: first }),
        rows: [
          {
            cells: definition.printer.columns.map(() => null),
            object: {
              kind: 'PartialObjectMetadata',
              apiVersion: 'meta.k8s.io/v1',
              metadata: object['metadata'],
            },
          },
        ],
      };
      first = false;
      return line('BOOKMARK', JSON.stringify(table));
    },
    error,
  };
}

function error(status: JsonObject): Buffer {
  return line('ERROR', JSON.stringify(status));
}

function plain({ definition }: VerbContext, type: string, stored: Stored): Buffer {
  const versioned = `${definition.apiVersion}|${type}`;
  const forms = formsOf(stored);
  let bytes = forms.get(versioned);
  if (bytes === undefined) {
    const own = definition.conversion === undefined && stored.text !== '';
    bytes = line(type, own ? stored.text : textOf(definition, convertOut(definition, stored.object)));
    forms.set(versioned, bytes);
  }
  return bytes;
}

function bookmarkOf(kind: string, apiVersion: string, revision: number, end: boolean): JsonObject {
  return {
    kind,
    apiVersion,
    metadata: {
      resourceVersion: String(revision),
      ...(end ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  };
}
