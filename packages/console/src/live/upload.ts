/**
 * Sends a file into a new claim: the DataVolume is made, waited for, filled. What breaks on the way is tried again from
 * the beginning of the file, as long as the claim still waits: what it has got of a broken one it throws away.
 */
import { dataVolumePath, type UploadForm, uploadRequest } from '../model/upload.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { readJson, send } from './requests.ts';

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
      await sendFile(form, file, onSent, signal);
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
    if (phase === 'Failed') throw new Error(`the DataVolume ${form.name} failed`);
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
}

/** By XMLHttpRequest, which alone tells how much has gone out. */
function sendFile(
  { namespace, name }: UploadForm,
  file: File,
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/upload/${encodeURIComponent(namespace)}/${encodeURIComponent(name)}`);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () =>
      request.status === 200 ? resolve() : reject(refusalOf(request.status, request.responseText));
    request.onerror = () => reject(new Refusal(0, 'the connection broke off'));
    request.onabort = () => reject(new Refusal(0, 'cancelled'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}
