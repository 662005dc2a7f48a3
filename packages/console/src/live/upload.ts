/**
 * Sends a file into a new claim: the DataVolume is made, waited for, filled. What breaks on the way goes on where the
 * other end has got to, as long as the claim still waits; an end that keeps nothing (CDI's) gets it from the beginning.
 */
import { contentVersion, dataVolumePath, type UploadForm, uploadRequest } from '../model/upload.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { readJson, readOwnJson, send } from './requests.ts';
import { connectionText } from '../texts/common.ts';
import { uploadText } from '../texts/storage.ts';

/** To the page's server, which says them to the other end in its words. */
const CONTENT = 'upload-content';
const BEGINS_AT = 'upload-begins-at';
const ASK_MS = 500;
const TRIES = 4;

interface DataVolumeObject {
  readonly status?: { readonly phase?: string };
}

export async function uploadFile(
  form: UploadForm,
  file: File,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  await send(uploadRequest(form), signal).catch((error: unknown) => {
    // One that waits for its file, of an upload that was broken off before, is taken up.
    if (!(error instanceof Refusal && error.code === 409)) throw error;
  });
  for (let tries = 1; ; tries += 1) {
    await untilPhase(form, ['UploadReady', 'Succeeded'], signal);
    try {
      await sendRest(form, file, onSent, signal);
      break;
    } catch (error) {
      const isRefused = error instanceof Refusal && error.code !== 0 && error.code < 500;
      if (signal.aborted || isRefused || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, ASK_MS * 2 ** tries));
    }
  }
  await untilPhase(form, ['Succeeded'], signal);
}

async function untilPhase(form: UploadForm, wanted: readonly string[], signal: AbortSignal): Promise<void> {
  for (;;) {
    const { status } = await readJson<DataVolumeObject>(dataVolumePath(form), signal);
    const phase = status?.phase ?? '';
    if (wanted.includes(phase)) return;
    if (phase === 'Failed') throw new Error(uploadText.failed(form.name));
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}

async function sendRest(
  { namespace, name }: UploadForm,
  file: File,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const path = `/upload/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`;
  const version = { [CONTENT]: contentVersion(file) };
  const { offset } = await readOwnJson<{ readonly offset: number }>(path, signal, version);
  onSent(offset);
  const headers = { ...version, ...(offset === 0 ? {} : { [BEGINS_AT]: String(offset) }) };
  const onLoaded = (bytes: number): void => onSent(offset + bytes);
  await sendBytes({ path, headers, body: file.slice(offset), onLoaded }, signal);
}

interface Bytes {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  readonly onLoaded: (bytes: number) => void;
}

/** By XMLHttpRequest, which alone tells how much has gone out. */
function sendBytes({ path, headers, body, onLoaded }: Bytes, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    for (const [header, value] of Object.entries(headers)) request.setRequestHeader(header, value);
    request.upload.onprogress = ({ loaded }) => onLoaded(loaded);
    request.onload = () =>
      request.status === 200 ? resolve() : reject(refusalOf(request.status, request.responseText));
    request.onerror = () => reject(new Refusal(0, connectionText.brokeOff));
    request.onabort = () => reject(new Refusal(0, connectionText.cancelled));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
