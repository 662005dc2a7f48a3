/** An editor of YAML that knows the fields of an object, by the schema that the API server publishes. */
import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { defaultHighlightStyle, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Annotation, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { readJson } from '../live/requests.ts';
import { keysAbove, type Schema, schemaAt, schemaOfKind, type Schemas } from '../model/yaml-place.ts';

interface Published {
  readonly components: { readonly schemas: Schemas };
}

/** Large, and the same for all objects: read once, when the first editor is opened. */
let published: Promise<Schemas> | undefined;

function schemas(): Promise<Schemas> {
  published ??= readJson<Published>('/openapi/v3/apis/kubevirt.io/v1').then(
    ({ components }) => components.schemas,
    () => ({}), // an editor without completion is an editor still
  );
  return published;
}

async function complete(context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w-]*/);
  if (word === null || (word.from === word.to && !context.explicit)) return null;
  const known = await schemas();
  const root = schemaOfKind(known, 'VirtualMachine');
  if (root === undefined) return null;
  const before = context.state.sliceDoc(0, context.pos);
  const value = /([\w./-]+):\s+[\w-]*$/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[1];
  const at = schemaAt(known, root, [...keysAbove(before), ...(value === undefined ? [] : [value])]);
  const options = value === undefined ? fieldsOf(at) : valuesOf(at);
  return options.length === 0 ? null : { from: word.from, options };
}

function fieldsOf(schema: Schema | undefined): CompletionResult['options'] {
  return Object.entries(schema?.properties ?? {}).map(([label, { type = '', description = '' }]) => ({
    label,
    type: 'property',
    detail: type,
    info: description.slice(0, 400),
    apply: `${label}: `,
  }));
}

function valuesOf(schema: Schema | undefined): CompletionResult['options'] {
  const values = schema?.type === 'boolean' ? [true, false] : (schema?.enum ?? []);
  return values.map((value) => ({ label: String(value), type: 'constant' }));
}

export interface YamlEditorProps {
  /** What it begins with; another object replaces all that is there, whatever was typed. */
  readonly given: { readonly text: string };
  readonly onText: (text: string) => void;
  readonly label: string;
}

/** The colours of CodeMirror's own style are made for white; on dark each has one that can be read. */
const ON_DARK: Readonly<Record<string, string>> = {
  '#00c': '#7cb7ff',
  '#a11': '#ff9d8f',
  '#164': '#7fd6a5',
  '#219': '#a5b8ff',
  '#708': '#d8a9ff',
  '#940': '#c9a979',
};
const COLOURS = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => {
    const dark = typeof spec['color'] === 'string' ? (ON_DARK[spec['color']] ?? 'var(--ink)') : undefined;
    return dark === undefined ? spec : { ...spec, color: `light-dark(${spec['color']}, ${dark})` };
  }),
);
const FRAME = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--ground)' },
  '.cm-gutters': { color: 'var(--faint)', backgroundColor: 'var(--raised)', borderRightColor: 'var(--line)' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--chosen)',
  },
  '.cm-tooltip': { color: 'var(--ink)', backgroundColor: 'var(--raised)', borderColor: 'var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--ground)', backgroundColor: 'var(--link)' },
});

/** Marks what was not typed into the editor. */
const fromOutside = Annotation.define<true>();

/** What is typed is told, and never comes back: who types faster than the page draws loses nothing. */
export function YamlEditor({ given, onText, label }: YamlEditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  /** The one of now, not of when the editor was made. */
  const tell = useRef(onText);
  tell.current = onText;
  useEffect(() => {
    if (place.current === null) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: given.text,
        extensions: [
          lineNumbers(),
          history(),
          closeBrackets(),
          yaml(),
          syntaxHighlighting(COLOURS),
          FRAME,
          autocompletion({ override: [complete] }),
          // Tab leaves the editor, as people who use no mouse need it; Ctrl-] and Ctrl-[ indent.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside)))
              tell.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    // What scrolls must be reachable by keyboard.
    view.scrollDOM.tabIndex = 0;
    editor.current = view;
    return () => view.destroy();
    // Made once: its place, its selection and what can be undone stay.
  }, []);
  useEffect(() => {
    const doc = editor.current?.state.doc.toString();
    if (doc === undefined || doc === given.text) return;
    editor.current?.dispatch({ changes: changeOf(doc, given.text), annotations: fromOutside.of(true) });
  }, [given]);
  return <div class="editor" ref={place} />;
}

/** The one stretch in which two texts differ: the rest of the editor stays where it is. */
function changeOf(before: string, after: string): { readonly from: number; readonly to: number; readonly insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < shorter - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
