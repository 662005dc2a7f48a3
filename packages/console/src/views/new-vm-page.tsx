/** A new VM: a form for the usual, and the object beside it. The server is asked before anything is made. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Refusal } from '../live/refusal.ts';
import { send } from '../live/requests.ts';
import { emptyForm, type NewVm, vmOf } from '../model/new-vm.ts';
import { Problem } from './parts.tsx';

interface Trouble {
  readonly message: string;
  readonly fields: Refusal['fields'];
}

const FIELDS: readonly (readonly [keyof NewVm, string])[] = [
  ['name', 'Name'],
  ['namespace', 'Namespace'],
  ['image', 'Image of its disk'],
  ['cores', 'CPUs'],
  ['memory', 'Memory'],
  ['sshKey', 'SSH key (guests with cloud-init)'],
];

export function NewVmPage(): JSX.Element {
  const [form, setForm] = useState(emptyForm);
  const [text, setText] = useState(JSON.stringify(vmOf(emptyForm), undefined, 2));
  const [trouble, setTrouble] = useState<Trouble>();
  const change = (field: keyof NewVm, value: string): void => {
    const next = { ...form, [field]: field === 'cores' ? Number(value) : value };
    setForm(next);
    setText(JSON.stringify(vmOf(next), undefined, 2));
  };
  const create = async (): Promise<void> => {
    try {
      const { metadata } = JSON.parse(text) as { metadata?: { name?: string; namespace?: string } };
      const path = `/apis/kubevirt.io/v1/namespaces/${metadata?.namespace ?? 'default'}/virtualmachines`;
      await send({ method: 'POST', path: `${path}?dryRun=All&fieldValidation=Strict`, body: text });
      await send({ method: 'POST', path, body: text });
      location.hash = `#/vm/${metadata?.namespace ?? 'default'}/${metadata?.name}`;
    } catch (error) {
      const fields = error instanceof Refusal ? error.fields : [];
      setTrouble({ message: error instanceof Error ? error.message : String(error), fields });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h1>New VM</h1>
      {trouble === undefined ? null : (
        <Problem>
          {trouble.fields.length === 0
            ? trouble.message
            : trouble.fields.map(({ field, message }) => (
                <div key={field}>
                  <code>{field}</code>: {message}
                </div>
              ))}
        </Problem>
      )}
      {FIELDS.map(([field, label]) => (
        <p key={field}>
          <label>
            {label}
            <br />
            <input
              value={String(form[field])}
              inputMode={field === 'cores' ? 'numeric' : 'text'}
              required={field === 'name'}
              onInput={(event) => change(field, event.currentTarget.value)}
            />
          </label>
        </p>
      ))}
      <p>
        <label>
          The object; change it here if the form is not enough
          <textarea value={text} onInput={(event) => setText(event.currentTarget.value)} spellcheck={false} />
        </label>
      </p>
      <button type="submit">Create</button>
    </form>
  );
}
