/** An editor of YAML that knows the fields of an object, by the schema that the API server publishes. */
import { autocompletion, closeBrackets, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { defaultHighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
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
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly label: string;
}

/** `text` is what it begins with; what is typed is told, never replaced. */
export function YamlEditor({ text, onText, label }: YamlEditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          closeBrackets(),
          yaml(),
          syntaxHighlighting(defaultHighlightStyle),
          autocompletion({ override: [complete] }),
          // Tab leaves the editor, as people who use no mouse need it; Ctrl-] and Ctrl-[ indent.
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onText(update.state.doc.toString());
          }),
        ],
      }),
    });
    // What scrolls must be reachable by keyboard.
    view.scrollDOM.tabIndex = 0;
    return () => view.destroy();
    // Made once: who types is not to lose his words to what comes by watch.
  }, []);
  return <div class="editor" ref={place} />;
}
