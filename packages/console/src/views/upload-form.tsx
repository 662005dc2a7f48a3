/** A file of this computer becomes a claim. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useMay } from '../live/access.ts';
import { uploadFile } from '../live/upload.ts';
import { useCollection, useCollections } from '../live/use-collection.ts';
import { uploadCommand, type UploadForm as Form, uploadWords, waitingUploads } from '../model/upload.ts';
import { Problem } from './parts.tsx';
import { ShownCommand } from './show-commands.tsx';
import { commonText } from '../texts/common.ts';
import { uploadText } from '../texts/storage.ts';

interface Going {
  readonly sent: number;
  readonly total: number;
  readonly beganMs: number;
  /** What was there already when it began. */
  readonly before?: number;
  readonly done?: string;
}

export function UploadForm(): JSX.Element {
  const [form, setForm] = useState<Form>({ namespace: 'default', name: '', size: '10Gi' });
  const [file, setFile] = useState<File>();
  const [going, setGoing] = useState<Going>();
  const [problem, setProblem] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  const may = useMay({ verb: 'create', group: 'cdi.kubevirt.io', resource: 'datavolumes', namespace: form.namespace });
  const waiting = waitingUploads(useCollection(useCollections().dataVolumes).items);
  const isGoing = going !== undefined && going.done === undefined;
  const start = async (): Promise<void> => {
    if (file === undefined) return;
    const begun = { sent: 0, total: file.size, beganMs: Date.now() };
    stop.current = new AbortController();
    setProblem(undefined);
    setGoing(begun);
    try {
      const onSent = (sent: number): void =>
        setGoing((known) => ({ ...begun, before: known?.before ?? sent, sent }));
      await uploadFile(form, file, onSent, stop.current.signal);
      setGoing({ ...begun, sent: file.size, done: uploadText.done(file.name, form.name) });
    } catch (error) {
      setGoing(undefined);
      setProblem(uploadText.again(error instanceof Error ? error.message : String(error)));
    }
  };
  const fits = file !== undefined && form.name !== '' && form.size !== '';
  return (
    <>
      <h2>{uploadText.title}</h2>
      {isGoing || waiting.length === 0 ? null : (
        <p>
          {uploadText.waiting}{' '}
          {waiting.map((upload) => (
            <button type="button" key={`${upload.namespace}/${upload.name}`} onClick={() => setForm(upload)}>
              {upload.name}
            </button>
          ))}{' '}
          <span class="faint">{uploadText.sameFile}</span>
        </p>
      )}
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <div class="bar">
        <label>
          {uploadText.file} <input type="file" onChange={(event) => setFile(event.currentTarget.files?.[0])} />
        </label>
        {(['namespace', 'name', 'size'] as const).map((field) => (
          <label key={field}>
            {uploadText.fields[field]}{' '}
            <input
              aria-label={uploadText.fieldNames[field]}
              value={form[field]}
              onInput={(event) => setForm({ ...form, [field]: event.currentTarget.value.trim() })}
            />
          </label>
        ))}
        <button
          type="button"
          disabled={!fits || isGoing || may !== true}
          title={may === false ? commonText.mayNotIn(form.namespace) : uploadCommand(form, file?.name ?? 'FILE')}
          onClick={() => void start()}
        >
          {uploadText.upload}
        </button>
        <ShownCommand text={uploadCommand(form, file?.name ?? 'FILE')} />
        {isGoing ? (
          <button type="button" onClick={() => stop.current?.abort()}>
            {commonText.cancel}
          </button>
        ) : null}
      </div>
      {going === undefined ? null : (
        <p role="status">
          <progress aria-label={uploadText.upload} value={going.sent} max={Math.max(1, going.total)} />{' '}
          {going.done ??
            (going.sent === going.total
              ? uploadText.allSent
              : uploadWords(going.sent, going.total, Date.now() - going.beganMs, going.before))}
        </p>
      )}
    </>
  );
}
