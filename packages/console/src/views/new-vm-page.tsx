/**
 * A new VM: a form for the usual and the YAML beside it, each changing the other. The server is asked (dry run) before
 * anything is made, and its words stand at the field they are about. Loaded when it is opened.
 */
import type { KubernetesObject } from '@podvisor/api';
import { dump, load } from 'js-yaml';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useMay } from '../live/access.ts';
import { Refusal } from '../live/refusal.ts';
import { send } from '../live/requests.ts';
import { collectionAt, useCollection, useCollections } from '../live/use-collection.ts';
import { changed, emptyForm, fieldOf, formOf, type NewVm, POD_NETWORKS, vmOf } from '../model/new-vm.ts';
import { vmAddress } from '../model/route.ts';
import { Command, Problem } from './parts.tsx';
import { YamlEditor } from './yaml-editor.tsx';
import { commonText } from '../texts/common.ts';
import { newVmText } from '../texts/object.ts';

interface Words {
  readonly field?: keyof NewVm | undefined;
  readonly text: string;
}

const textOf = (object: unknown): string => dump(object, { noRefs: true });

export default function NewVmPage(): JSX.Element {
  const [form, setForm] = useState(emptyForm);
  const [given, setGiven] = useState(() => ({ text: textOf(vmOf(emptyForm)) }));
  const [text, setText] = useState(given.text);
  const [words, setWords] = useState<readonly Words[]>([]);
  const may = useMay({
    ...{ verb: 'create', group: 'kubevirt.io', resource: 'virtualmachines', namespace: form.namespace },
  });
  const change = (field: keyof NewVm, value: string): void => {
    const next = { ...form, [field]: value };
    setForm(next);
    const written = textOf(changed(parsed(text) ?? vmOf(form), form, next));
    setText(written);
    setGiven({ text: written });
  };
  const typed = (yaml: string): void => {
    setText(yaml);
    const object = parsed(yaml);
    if (object !== undefined) setForm(formOf(object));
  };
  const create = async (): Promise<void> => {
    try {
      const body = JSON.stringify(load(text));
      const { name, namespace } = formOf(load(text));
      const path = `/apis/kubevirt.io/v1/namespaces/${encodeURIComponent(namespace)}/virtualmachines`;
      await send({ method: 'POST', path: `${path}?dryRun=All&fieldValidation=Strict`, body });
      await send({ method: 'POST', path, body });
      location.hash = vmAddress(namespace, name);
    } catch (error) {
      setWords(wordsOf(error));
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h1>{newVmText.title}</h1>
      {words
        .filter(({ field }) => field === undefined)
        .map((one) => (
          <Problem key={one.text}>{one.text}</Problem>
        ))}
      <div class="beside">
        <Fields form={form} words={words} onChange={change} />
        <div>
          <YamlEditor given={given} onText={typed} label={newVmText.yaml} />
        </div>
      </div>
      <div class="bar">
        <button
          type="submit"
          disabled={may === false}
          title={may === false ? newVmText.mayNotMake(form.namespace) : `kubectl create -f ${form.name}.yaml`}
        >
          {newVmText.create}
        </button>
        <span class="faint">
          {commonText.inTerminal} <Command text={`kubectl create -f ${form.name === '' ? 'NAME' : form.name}.yaml`} />
        </span>
      </div>
    </form>
  );
}

/** Undefined while what is typed is no YAML of an object. */
function parsed(text: string): unknown {
  try {
    const object: unknown = load(text);
    return typeof object === 'object' && object !== null ? object : undefined;
  } catch {
    return undefined;
  }
}

function wordsOf(error: unknown): readonly Words[] {
  if (error instanceof Refusal && error.fields.length > 0)
    return error.fields.map(({ field, message }) => ({ field: fieldOf(field), text: `${field}: ${message}` }));
  return [{ text: error instanceof Error ? error.message : String(error) }];
}

interface FieldsProps {
  readonly form: NewVm;
  readonly words: readonly Words[];
  readonly onChange: (field: keyof NewVm, value: string) => void;
}

const INSTANCETYPES = '/apis/instancetype.kubevirt.io/v1beta1';
const SOURCES: readonly (readonly [NewVm['disk'], string])[] = (['image', 'url', 'claim'] as const).map((from) => [
  from,
  newVmText.sources[from],
]);

function Fields({ form, words, onChange }: FieldsProps): JSX.Element {
  const claims = useCollection(useCollections().claims);
  const types = namesOf(useCollection(collectionAt(`${INSTANCETYPES}/virtualmachineclusterinstancetypes`)).items);
  const preferences = namesOf(useCollection(collectionAt(`${INSTANCETYPES}/virtualmachineclusterpreferences`)).items);
  const hasType = form.instancetype !== '';
  const field = (name: keyof NewVm, label: string, more: object = {}): JSX.Element => (
    <Field {...{ name, label, form, words, onChange, ...more }} />
  );
  return (
    <div>
      {field('name', commonText.name, { isRequired: true })}
      {field('namespace', commonText.namespace)}
      {field('disk', newVmText.diskFrom, { options: SOURCES })}
      {field('from', newVmText.from[form.disk], form.disk === 'claim' ? { hints: namesOf(claims.items, form.namespace) } : {})}
      {form.disk === 'url' ? field('diskSize', newVmText.diskSize) : null}
      {field('instancetype', newVmText.instancetype, { options: withNone(types) })}
      {field('preference', newVmText.preference, { options: withNone(preferences) })}
      {hasType ? null : field('cores', newVmText.cpus)}
      {hasType ? null : field('memory', newVmText.memory)}
      {field('network', newVmText.network, { hints: POD_NETWORKS })}
      {field('sshKey', newVmText.sshKey)}
      {field('userData', newVmText.userData, { isLong: true })}
    </div>
  );
}

function namesOf(items: ReadonlyMap<string, KubernetesObject>, namespace?: string): readonly string[] {
  return [...items.values()]
    .filter(({ metadata }) => namespace === undefined || metadata?.namespace === namespace)
    .map(({ metadata }) => metadata?.name ?? '');
}

function withNone(names: readonly string[]): readonly (readonly [string, string])[] {
  return [['', commonText.none], ...names.map((name) => [name, name] as const)];
}

interface FieldProps extends FieldsProps {
  readonly name: keyof NewVm;
  readonly label: string;
  readonly isRequired?: boolean;
  readonly isLong?: boolean;
  /** The only values that there are. */
  readonly options?: readonly (readonly [value: string, label: string])[];
  /** Values among others. */
  readonly hints?: readonly string[];
}

function Field(props: FieldProps): JSX.Element {
  const { name, label, form, words, onChange, isRequired = false, isLong = false, options, hints } = props;
  const value = form[name];
  const onInput = (event: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(name, event.currentTarget.value);
  const own = words.filter(({ field }) => field === name);
  return (
    <div class="field">
      <label>
        {label}
        <br />
        {options !== undefined ? (
          <select value={value} onChange={onInput}>
            {options.map(([option, shown]) => (
              <option key={option} value={option}>
                {shown}
              </option>
            ))}
            {/* What somebody typed into the object and the cluster does not offer. */}
            {options.some(([option]) => option === value) ? null : <option value={value}>{value}</option>}
          </select>
        ) : isLong ? (
          <textarea class="short" value={value} onInput={onInput} spellcheck={false} />
        ) : (
          <input value={value} required={isRequired} list={hints === undefined ? undefined : `hints-${name}`} onInput={onInput} />
        )}
      </label>
      {hints === undefined ? null : (
        <datalist id={`hints-${name}`}>
          {hints.map((hint) => (
            <option key={hint} value={hint} />
          ))}
        </datalist>
      )}
      {own.map(({ text }) => (
        <Problem key={text}>{text}</Problem>
      ))}
    </div>
  );
}
